// Candidate: a schedule that is to be measured.
#pragma once

#include <functional>

#include "env/schedule/state.h"

namespace schedulegym {

struct Candidate {
  ScheduleState state;
  // Measured to the end even if it is clearly slower than the best so far.
  bool finalist = false;
  // Measured even if the measurer knows what its state gave before.
  bool anew = false;
  // Asked again and again meanwhile, ten times a second or oftener: whether to give it up where it
  // stands, as kCutOff; once it says so it does for ever. Null: never.
  std::function<bool()> end = {};
};

}  // namespace schedulegym
