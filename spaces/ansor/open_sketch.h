// OpenSketch: what Ansor's rules make of a computation: a structure, splits whose lengths are still
// to be chosen, and annotations that may follow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"
#include "env/search/knob.h"

namespace schedulegym {

// A split of the sketch's trace whose lengths are open.
struct OpenSplit {
  int step = 0;        // its position in the trace
  int64_t extent = 1;  // of the loop that it cuts, whatever is chosen elsewhere
  // What the lengths may be; the first is [1, ..., 1], which the sketch's own state has.
  std::vector<std::vector<int64_t>> choices;
};

// Steps that may follow the sketch's trace.
struct OpenAnnotation {
  KnobKind kind = KnobKind::kLocation;  // or kUnroll, kVector, kParallel
  int stage = 0;
  std::vector<Trace> choices;  // the first is to do nothing
};

// Whether one of them decides where the stage stands, and so how long its loops are.
bool HasPlaces(const std::vector<OpenAnnotation>& annotations, int stage);

struct OpenSketch {
  // Structure as the rules made it, every open length 1.
  ScheduleState state;
  std::vector<OpenSplit> splits;
  // In the order in which they are applied. Not all choices go together.
  std::vector<OpenAnnotation> annotations;
  // What made it, such as "C: cache_write", in order.
  std::vector<std::string> rules;
  // By stage: whether it is worth tiles in several levels, whatever lengths are chosen.
  std::vector<bool> needs_tiles;
  // Elements of a loop that becomes a vector, where no tile decides them: a vector that is chosen
  // for a stage with places is left out where its place makes the loop longer.
  int64_t most_vector = 0;

  // The one at a step; null for others.
  const OpenSplit* FindSplit(int step) const;
};

// The state with lengths chosen: for each open split, a position in its choices. Steps that follow
// a split take over its lengths.
Result<ScheduleState> FillLengths(const OpenSketch& sketch, std::span<const int> chosen);

// The sketch's trace, with "?" in place of each open length.
std::string ToText(const OpenSketch& sketch);

}  // namespace schedulegym
