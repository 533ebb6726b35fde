// ComputationBar: what a run of random computations must have tried to be worth something.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/computations/computation_fuzz.h"

namespace schedulegym {

struct ComputationBar {
  double most_refused = 0.05;  // of all schedules
  // A run of so many computations has each operation form in as many right schedules. Shorter ones
  // need their share, less by four standard deviations: schedules come by fours; and once that
  // share is ten, from 500 computations on, one of each at least.
  int64_t long_run = 5000;
  int64_t least_of_a_form = 100;

  int64_t LeastOfAForm(int64_t computations) const;
};

// One line for each thing missing; empty where the run was worth it.
std::vector<std::string> ShortfallsOf(const ComputationCounts& counts,
                                      const ComputationBar& bar = {});

}  // namespace schedulegym
