// Sketch: a schedule whose numbers are still to be chosen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

class KnobSpace;

// A split of the sketch's trace whose lengths are open.
struct OpenSplit {
  int step = 0;        // its position in the trace
  int64_t extent = 1;  // of the loop that it cuts, whatever is chosen elsewhere
  // What the lengths may be; the first is [1, ..., 1], which the sketch's own state has.
  std::vector<std::vector<int64_t>> choices;
};

// Where a stage is computed; pragma auto_unroll_max_step; loops in vectors; loops in parallel.
enum class AnnotationKind : uint8_t { kLocation, kUnroll, kVector, kParallel };
const char* AnnotationKindName(AnnotationKind kind);

// Steps that may follow the sketch's trace.
struct OpenAnnotation {
  AnnotationKind kind = AnnotationKind::kLocation;
  int stage = 0;
  std::vector<Trace> choices;  // the first is to do nothing
};

struct Sketch {
  // Structure as the rules made it, every open length 1.
  ScheduleState state;
  std::vector<OpenSplit> splits;
  // In the order in which they are applied. Not all choices go together.
  std::vector<OpenAnnotation> annotations;
  // What made it, such as "C: cache_write", in order.
  std::vector<std::string> rules;
  // Where choices hang together more than steps can say, all of them; splits and annotations are
  // empty then, and the state is that of the origin.
  std::shared_ptr<const KnobSpace> knobs;
  // What becomes of a schedule once all is chosen; none: it stays as it is.
  std::function<Result<ScheduleState>(ScheduleState)> finish;

  // The one at a step; null for others.
  const OpenSplit* FindSplit(int step) const;
};

// The state with lengths chosen: for each open split, a position in its choices. Steps that follow
// a split take over its lengths.
Result<ScheduleState> FillLengths(const Sketch& sketch, std::span<const int> chosen);

// The sketch's trace, with the name of each open length in place of a number: "?"; where choices
// are knobs, they follow, a line each.
std::string ToText(const Sketch& sketch);

}  // namespace schedulegym
