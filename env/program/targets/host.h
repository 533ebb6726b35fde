// Host: the properties of this machine, read from the processor and the system at each call.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

struct HostFacts {
  std::string cpu = "generic";
  std::vector<std::string> features;  // sorted LLVM names; offered by both processor and system
  int cores = 1;                      // available to this process
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
  int64_t l3_bytes = 8 << 20;
  int64_t line_bytes = 64;
  int64_t memory_bytes = 0;  // the smaller one of the machine's and this process's control group's
};

HostFacts ReadHost();

// The features that a name guarantees: x86-64, x86-64-v2, -v3 and -v4, and the processors known to
// be of one of these levels; empty for other names.
std::vector<std::string> FeaturesOfCpu(const std::string& cpu);

// LLVM's name of the highest of these levels whose features `features` contains.
std::string CpuOfFeatures(const std::vector<std::string>& features);

// The bit in which the cpuid instruction of x86-64 reports a feature, and the registers that the
// system must save for programs to use it.
struct CpuFeatureBit {
  const char* name;        // LLVM's
  uint32_t leaf, subleaf;  // in eax and ecx before the instruction
  int where;               // 0 to 3: eax, ebx, ecx, edx after it
  int bit;
  uint64_t state;  // bits of XCR0
};
std::span<const CpuFeatureBit> CpuFeatureBits();

// Sorted LLVM names; only those that computations may use.
std::vector<std::string> HostFeatures();

}  // namespace schedulegym
