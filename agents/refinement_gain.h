// RefinementGain: what going on from the best schedule of a search gave.
#pragma once

#include <cstdint>
#include <string>

namespace schedulegym {

struct RefinementGain {
  double speed = 1;    // of what it ended at, over that of the best before
  int64_t trials = 0;  // that it took
  // The search before: whose trials, and how many of the task.
  std::string agent;
  int64_t after = 0;
};

}  // namespace schedulegym
