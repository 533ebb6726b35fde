// Bench cases: suites and workloads of a command line, made into rows to be.
#pragma once

#include <string>
#include <vector>

#include "env/base/spec.h"
#include "experiments/bench/bench.h"

namespace schedulegym {

// A built-in workload or a `.dag` file. Throws InputError, also for what does not fit into memory.
BenchCase MakeBenchCase(const Spec& workload, const Target& target);

// Names of suites, specs and `.dag` files. The suite `expert` is what `expert_folder` lists, each
// with its schedule where there is one for the target's vectors. Throws InputError.
std::vector<BenchCase> MakeBenchCases(const std::vector<std::string>& words, const Target& target,
                                      const std::string& expert_folder);

}  // namespace schedulegym
