// ComputationBar: the minimum that a valid run of random computations must have covered.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/computations/computation_fuzz.h"

namespace schedulegym {

struct ComputationBar {
  double most_refused = 0.05;  // of all schedules
  // A run of `long_run` computations needs each operation form in `least_of_a_form` right
  // schedules. Shorter runs need their share less four standard deviations: schedules come by
  // fours. Once the share is ten, from 500 computations on, at least one is needed.
  int64_t long_run = 5000;
  int64_t least_of_a_form = 100;

  int64_t LeastOfAForm(int64_t computations) const;
};

// Returns one line for each missing item; empty if the run is valid.
std::vector<std::string> ShortfallsOf(const ComputationCounts& counts,
                                      const ComputationBar& bar = {});

}  // namespace schedulegym
