// ComputationCommand: `schedulegym-fuzz computations`.
#pragma once

#include <cstdint>
#include <string>

namespace schedulegym {

struct ComputationOptions {
  uint64_t seed = 0;
  int64_t count = 200;
  std::string target = "llvm(cores=2)";
  std::string folder = ".";  // where failures are written
};

// Prints failures as they come, at the end what was tried; the number of failures, of which what
// the run lacks to be worth something is one each (ComputationBar). Throws
// InputError for a bad target, MachineError where the machine lacks it.
int64_t RunComputations(const ComputationOptions& options);

}  // namespace schedulegym
