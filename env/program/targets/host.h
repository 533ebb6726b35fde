// Host: what this machine offers, read once for each question from the processor and the system.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

struct HostFacts {
  std::string cpu = "generic";
  std::vector<std::string> features;  // sorted LLVM names; offered by processor and system both
  int cores = 1;                      // that this process may run on
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
  int64_t l3_bytes = 8 << 20;
  int64_t line_bytes = 64;
  int64_t memory_bytes = 0;  // of the machine or of this process's control group, the smaller
};

HostFacts ReadHost();

// The features that the names x86-64, x86-64-v2, -v3 and -v4, and the processors known to stand on
// one of these levels, promise; empty for other names.
std::vector<std::string> FeaturesOfCpu(const std::string& cpu);

// LLVM's name of the highest of these levels that `features` cover.
std::string CpuOfFeatures(const std::vector<std::string>& features);

// Where the cpuid instruction of x86-64 tells of a feature, and which registers the system must
// save for programs to use it.
struct CpuFeatureBit {
  const char* name;        // LLVM's
  uint32_t leaf, subleaf;  // in eax and ecx before
  int where;               // 0 to 3: eax, ebx, ecx, edx after
  int bit;
  uint64_t state;  // bits of XCR0
};
std::span<const CpuFeatureBit> CpuFeatureBits();

// Sorted LLVM names; only those that computations may use.
std::vector<std::string> HostFeatures();

}  // namespace schedulegym
