// Target: the facts about a machine that legality, features and heuristics may use.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/program/targets/gpu_facts.h"

namespace schedulegym {

enum class BackendKind : uint8_t { kInterpreter, kLlvm, kCuda, kOpenCl };

struct Target {
  BackendKind backend = BackendKind::kLlvm;
  std::string cpu;                    // LLVM's name of the processor, "generic" if unknown
  std::vector<std::string> features;  // sorted LLVM feature names that the host really offers
  int cores = 1;
  int vector_bits = 128;
  int vector_registers = 16;
  int64_t l1_bytes = 32 << 10;  // data cache of one core
  int64_t l2_bytes = 1 << 20;   // of one core
  int64_t l3_bytes = 8 << 20;   // shared
  int64_t line_bytes = 64;
  int64_t memory_bytes = 0;  // of the machine; larger tensors are refused
  bool warm = true;          // cache state that measurements declare
  GpuFacts gpu;              // where IsGpu(); the facts of processors above are defaults then

  bool operator==(const Target&) const = default;
  // Loops are bound to blocks and threads; processors' facts say nothing.
  bool IsGpu() const { return backend == BackendKind::kCuda || backend == BackendKind::kOpenCl; }
  int VectorLanes(int64_t element_bytes) const {
    return static_cast<int>(vector_bits / 8 / element_bytes);
  }
  bool HasFeature(const std::string& name) const;
  // A spec that gives an equal target on any machine: all facts written out.
  std::string ToText() const;
  // "llvm", "interpreter", "cuda", "opencl".
  const char* BackendName() const;
};

// `llvm`, `llvm(cores=1)`, `llvm(cpu=..., vector_bits=256)`, `interpreter`: what the spec leaves
// open is read from this machine. `cuda(card=a100)`: what it leaves open is the card's; a card or
// all facts must be named. `opencl`: facts that any device of OpenCL 1.2 offers; a device's own are
// asked from its driver (backends/device). Throws InputError.
Target MakeTarget(const Spec& spec);

using TargetMaker = std::function<Target(const Spec&)>;
Registry<TargetMaker> BuiltinTargets();
// The shortest spec of one that can be made on any machine: of `cuda` it names a card.
Spec ExampleTarget(const std::string& name);

}  // namespace schedulegym
