// Bench cases: suites and workloads of a command line, made into rows to be.
#pragma once

#include <string>
#include <vector>

#include "experiments/bench/bench.h"

namespace schedulegym {

// Suites, specs, `.dag` files and networks, of which equal tasks make one row. `suite(batch=N)` are
// the suite's cases of that batch alone, `suite(operator=GMM)` those of that operator. The suite
// `expert` is what `expert_folder` lists, each with its schedule where there is one for the
// target's vectors. Throws InputError, also for what does not fit into memory.
std::vector<BenchCase> MakeBenchCases(const std::vector<std::string>& words, const Target& target,
                                      const std::string& expert_folder);

// Takes out the cases of more flops a call, and says which they were.
std::vector<std::string> LeaveOutLarger(double flops, std::vector<BenchCase>& cases);

}  // namespace schedulegym
