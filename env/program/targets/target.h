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
  std::vector<std::string> features;  // sorted LLVM feature names that the host offers
  int cores = 1;
  int vector_bits = 128;
  int vector_registers = 16;
  int64_t l1_bytes = 32 << 10;  // data cache of one core
  int64_t l2_bytes = 1 << 20;   // of one core
  int64_t l3_bytes = 8 << 20;   // shared
  int64_t line_bytes = 64;
  int64_t memory_bytes = 0;  // of the machine; larger tensors are refused
  bool warm = true;          // cache state that measurements declare
  GpuFacts gpu;              // used if IsGpu(); the processor's facts above are then defaults

  bool operator==(const Target&) const = default;
  // Loops are then bound to blocks and threads; the processor's facts are not used.
  bool IsGpu() const { return backend == BackendKind::kCuda || backend == BackendKind::kOpenCl; }
  int VectorLanes(int64_t element_bytes) const {
    return static_cast<int>(vector_bits / 8 / element_bytes);
  }
  bool HasFeature(const std::string& name) const;
  // A spec that gives an equal target on any machine: it states all facts.
  std::string ToText() const;
  // "llvm", "interpreter", "cuda", "opencl".
  const char* BackendName() const;
};

// `llvm`, `llvm(cores=1)`, `llvm(cpu=..., vector_bits=256)`, `interpreter`: options that the spec
// omits are read from this machine. `cuda(card=a100)`: they are the card's; the spec must name a
// card or all facts. `opencl`: they are those of any device of OpenCL 1.2; the driver reports a
// device's own (backends/device). Throws InputError.
Target MakeTarget(const Spec& spec);

using TargetMaker = std::function<Target(const Spec&)>;
Registry<TargetMaker> BuiltinTargets();
// The shortest spec of a target that any machine can make; for `cuda` it names a card.
Spec ExampleTarget(const std::string& name);

}  // namespace schedulegym
