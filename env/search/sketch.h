// Sketch: the structure of a schedule, and what is open about it as knobs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/schedule/state.h"
#include "env/search/knob_space.h"

namespace schedulegym {

struct Sketch {
  // The schedule at the origin of the knobs.
  ScheduleState state;
  // What made it, such as "C: cache_write", in order.
  std::vector<std::string> rules;
  std::shared_ptr<const KnobSpace> knobs;
};

// The knobs by number, those of the outputs' stages first and of the inputs' last, each stage's in
// their order; first of all those that are about no one stage.
std::vector<int> OutputsFirst(const Sketch& sketch);

// The sketch's trace, then a line for each knob, or for all lengths of a tile that have to divide.
std::string ToText(const Sketch& sketch);

}  // namespace schedulegym
