// HostFeatures: the instruction sets that this processor has and this system lets programs use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

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
