// RefineShares: how the trials of a refinement are dealt out to tasks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schedulegym {

struct RefineShare {
  int task = 0;
  int64_t trials = 0;
};

// By what each task takes of the whole, such as its count times its latency, the largest first; 0
// for one that cannot be refined. Too little to measure a task's best and a few steps from it is
// worth nothing: a share has at least 8 trials, or what is left, and the smallest tasks may get
// none.
std::vector<RefineShare> DealTrials(std::span<const double> parts, int64_t trials);

}  // namespace schedulegym
