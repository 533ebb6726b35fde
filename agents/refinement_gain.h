// RefinementGain: what going on from the best schedule of a search gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace schedulegym {

struct RefinementGain {
  // Of what it ended at over that of the best before; none where the latter, measured anew, failed.
  std::optional<double> speed;
  int64_t trials = 0;  // that it took
  // The search before: by whom, a spec, and how many trials of the task.
  std::string agent;
  int64_t after = 0;
};

}  // namespace schedulegym
