// TargetNames: the processors and features that targets may name, which are LLVM's.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// Names of LLVM 19's tables for x86-64: processors with 64 bits, and features but those that leave
// this mode. LLVM itself leaves unknown features out, and ends the process for other processors.
struct TargetNames {
  std::vector<std::string> cpus, features;  // sorted
};
const TargetNames& KnownTargetNames();

// For targets that users name, before anything is made of them: throws InputError for names that
// LLVM does not know, with the nearest that it does.
void CheckTargetNames(const Target& target);

}  // namespace schedulegym
