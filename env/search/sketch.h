// Sketch: a schedule whose numbers are still to be chosen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A split of the sketch's trace whose lengths are open.
struct OpenSplit {
  int step = 0;        // its position in the trace
  int64_t extent = 1;  // of the loop that it cuts, whatever is chosen elsewhere
  // What the lengths may be; the first is [1, ..., 1], which the sketch's own state has.
  std::vector<std::vector<int64_t>> choices;
};

struct Sketch {
  // Structure as the rules made it, every open length 1.
  ScheduleState state;
  std::vector<OpenSplit> splits;
  // What made it, such as "C: cache_write", in order.
  std::vector<std::string> rules;
};

// The state with lengths chosen: for each open split, a position in its choices. Steps that follow
// a split take over its lengths.
Result<ScheduleState> FillLengths(const Sketch& sketch, std::span<const int> chosen);

// The sketch's trace, with the name of each open length in place of a number: "?".
std::string ToText(const Sketch& sketch);

}  // namespace schedulegym
