// SplitSketches: small sketches of one loop of 24, for tests that move among their points.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/search/factorization.h"
#include "env/search/search_space.h"
#include "tests/support/schedules.h"

namespace schedulegym {

inline std::shared_ptr<const Task> Loop24Task() {
  return TaskOf("input X[24]\nA[i:24] = X[i] + 1\n");
}

// Makes a sketch of A from the segments of its trace.
struct MadeSketch {
  std::shared_ptr<const Task> task;
  std::vector<TraceSegment> segments;

  operator Sketch() const {  // NOLINT(google-explicit-constructor): a sketch by another name
    auto knobs = std::make_shared<const KnobSpace>(task, segments);
    ScheduleState origin = knobs->At(knobs->Origin()).value();
    return {std::move(origin), {}, std::move(knobs)};
  }
};

// Splits a loop of A of this extent into `levels` levels, in any way.
inline OpenLengths SplitOf(int loop, int levels, int64_t extent = 24) {
  const std::vector<std::vector<int64_t>> any(levels - 1, Divisors(extent));
  return {"A: tile of loop " + std::to_string(loop),
          Split{{1}, loop, std::vector<int64_t>(levels - 1, 1)}, extent, LengthsFit::kDivide, any};
}

inline MadeSketch SplitSketch(const std::shared_ptr<const Task>& task, int levels) {
  return {task, {SplitOf(0, levels)}};
}

// One more open choice of A: nothing, or one of `values`.
inline MadeSketch With(MadeSketch sketch, KnobKind kind, const std::vector<Primitive>& values) {
  Variants variants{std::string("A: ") + KnobKindName(kind), {{}}, kind, 1};
  for (const Primitive& value : values) variants.values.push_back({value});
  sketch.segments.push_back(std::move(variants));
  return sketch;
}

// Returns the given sketches.
class FixedSketches : public SearchSpace {
 public:
  explicit FixedSketches(std::vector<Sketch> sketches) : sketches_(std::move(sketches)) {}

  std::string Name() const override { return "fixed"; }
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>&, Rng&) const override {
    return Illegal("draws nothing");
  }
  Result<ScheduleState> Mutate(const ScheduleState&, Rng&) const override {
    return Illegal("mutates nothing");
  }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>&) const override {
    return sketches_;
  }

 private:
  std::vector<Sketch> sketches_;
};

}  // namespace schedulegym
