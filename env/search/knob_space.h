// KnobSpace: schedules as points of a grid: for each knob a position among its ordered values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"
#include "env/search/sketch.h"

namespace schedulegym {

// One stretch of a trace that may read in several ways.
struct Knob {
  std::string name;           // such as "C.local: tile of loop 0"
  std::vector<Trace> values;  // the first is the unoptimised one, or the one to start from
};

// For each knob a position among its values.
using KnobPoint = std::vector<int>;

// Enough for the product of all knobs of any computation.
__extension__ using KnobIndex = unsigned __int128;

class KnobSpace {
 public:
  // The trace is that of the knobs one after another; those of one value are no choice, and are
  // not among knobs().
  KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> stretches);

  const std::shared_ptr<const Task>& task() const { return task_; }
  int dimensions() const { return static_cast<int>(places_.size()); }
  const Knob& knob(int dimension) const { return stretches_[places_[dimension]]; }
  int size_of(int dimension) const { return static_cast<int>(knob(dimension).values.size()); }
  // How many points there are.
  KnobIndex size() const { return size_; }

  KnobPoint Origin() const { return KnobPoint(places_.size(), 0); }
  bool Contains(const KnobPoint& point) const;

  // A bijection between points and 0..size() - 1; the origin is 0, and the last knob moves fastest.
  KnobIndex IndexOf(const KnobPoint& point) const;
  KnobPoint PointOf(KnobIndex index) const;

  // Illegal where the values do not go together.
  Result<ScheduleState> At(const KnobPoint& point) const;

 private:
  std::shared_ptr<const Task> task_;
  std::vector<Knob> stretches_;
  std::vector<int> places_;  // of the knobs among the stretches
  KnobIndex size_ = 1;
};

// All open choices of a sketch, unoptimised at the origin: tiles of one element, every stage at the
// root, nothing unrolled, in vectors or in parallel.
KnobSpace KnobsOf(const Sketch& sketch);

}  // namespace schedulegym
