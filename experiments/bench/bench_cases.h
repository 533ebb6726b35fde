// Bench cases: makes the rows of a bench from suites and workloads of a command line.
#pragma once

#include <string>
#include <vector>

#include "experiments/bench/bench.h"

namespace schedulegym {

// Makes cases from suites, specs, `.dag` files and networks; equal tasks share one row.
// `suite(batch=N)` selects the suite's cases of that batch, `suite(operator=GMM)` those of that
// operator. The suite `expert` has the cases of `expert_folder`, each with its schedule if there is
// one for the target's vectors. Throws InputError, also for a task that does not fit into memory.
std::vector<BenchCase> MakeBenchCases(const std::vector<std::string>& words, const Target& target,
                                      const std::string& expert_folder);

// Removes the cases with more flops a call, and returns their names.
std::vector<std::string> LeaveOutLarger(double flops, std::vector<BenchCase>& cases);

}  // namespace schedulegym
