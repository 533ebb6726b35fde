// Candidate: a schedule that is to be measured.
#pragma once

#include "env/schedule/state.h"

namespace schedulegym {

struct Candidate {
  ScheduleState state;
  // Measured to the end even if it is clearly slower than the best so far.
  bool finalist = false;
  // Measured even if the measurer knows what its state gave before.
  bool anew = false;
};

}  // namespace schedulegym
