// TargetNames: the names of processors and features that targets may use, which are LLVM's.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// Names of LLVM 19's tables for x86-64: 64-bit processors, and features except those that leave
// 64-bit mode. LLVM ignores unknown features, and ends the process for unknown processors.
struct TargetNames {
  std::vector<std::string> cpus, features;  // sorted
};
const TargetNames& KnownTargetNames();

// Checks a target that a user names, before its first use. Throws InputError for names that LLVM
// lacks, with the nearest one that it has.
void CheckTargetNames(const Target& target);

}  // namespace schedulegym
