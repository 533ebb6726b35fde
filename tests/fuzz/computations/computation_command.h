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

// Prints failures as they occur, and the coverage at the end. Returns the number of failures; each
// item that a valid run needs and this run lacks counts as one (ComputationBar). Throws InputError
// for a bad target, MachineError if the machine lacks it.
int64_t RunComputations(const ComputationOptions& options);

}  // namespace schedulegym
