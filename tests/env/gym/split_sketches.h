// SplitSketches: small sketches of one loop of 24, for tests of walks among their points.
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

// A's loop split into `levels` levels, divided in any way.
inline Sketch SplitSketch(const std::shared_ptr<const Task>& task, int levels) {
  const std::vector<int64_t> ones(levels - 1, 1);
  std::string lengths = "1";
  for (int i = 2; i < levels; ++i) lengths += ", 1";
  Sketch sketch{StateAfter(task, "split(stage=A, loop=0, lengths=[" + lengths + "])\n")};
  sketch.splits.push_back({0, 24, Factorizations(24, levels - 1)});
  return sketch;
}

// One more open choice of A: nothing, or one of `values`.
inline Sketch With(Sketch sketch, AnnotationKind kind, const std::vector<Primitive>& values) {
  OpenAnnotation open{kind, 1, {{}}};
  for (const Primitive& value : values) open.choices.push_back({value});
  sketch.annotations.push_back(std::move(open));
  return sketch;
}

// Of given sketches.
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
