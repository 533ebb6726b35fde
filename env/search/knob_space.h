// KnobSpace: schedules as points of a grid: for each knob a position among its ordered values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"
#include "env/search/sketch.h"

namespace schedulegym {

// A stretch of a trace that may read in several ways: one knob.
struct Variants {
  std::string name;           // such as "C.local: vector"
  std::vector<Trace> values;  // in order: one step leads to the next; the origin has the first
};

// What all lengths of a split together have to be for the loop that it cuts; tails are legal where
// they need not divide it.
enum class LengthsFit : uint8_t { kDivide, kWithin, kAny };

// A split, each of whose lengths is a knob.
struct OpenLengths {
  std::string name;  // such as "C.local: loop 0"
  Split split;
  int64_t extent = 1;  // of the loop that it cuts
  LengthsFit fit = LengthsFit::kDivide;
  std::vector<std::vector<int64_t>> values;  // by length
};

using Stretch = std::variant<Variants, OpenLengths>;

// What becomes of a variant that is illegal after those before it: the point is no schedule, or the
// variant is the next lower one that is legal.
enum class Misfit : uint8_t { kRefuse, kLower };

struct Knob {
  std::string name;
  int values = 1;
};

// A split whose lengths together divide the loop that it cuts: what it takes to move a factor from
// one of them to another.
struct KnobTile {
  std::string name;
  int64_t extent = 1;                        // of the loop
  std::vector<int> knobs;                    // by length: its dimension, -1 where it has one value
  std::vector<std::vector<int64_t>> values;  // by length, rising
};

// For each knob a position among its values.
using KnobPoint = std::vector<int>;

// Enough for the product of all knobs of any computation.
__extension__ using KnobIndex = unsigned __int128;

class KnobSpace {
 public:
  // The schedule at a point of the space.
  using Build = std::function<Result<ScheduleState>(const KnobPoint& point)>;

  // The trace is that of the stretches one after another. What has one value is no knob.
  KnobSpace(std::shared_ptr<const Task> task, std::vector<Stretch> stretches,
            Misfit misfit = Misfit::kRefuse);
  // Each knob has two values at least. `tiles` are those among them whose lengths have to divide.
  KnobSpace(std::shared_ptr<const Task> task, std::vector<Knob> knobs, Build build,
            std::vector<KnobTile> tiles = {});
  // The same points, of whose schedules something more becomes.
  KnobSpace Then(std::function<Result<ScheduleState>(ScheduleState)> finish) const;

  const std::shared_ptr<const Task>& task() const { return task_; }
  int dimensions() const { return static_cast<int>(knobs_.size()); }
  const Knob& knob(int dimension) const { return knobs_[dimension]; }
  int size_of(int dimension) const { return knobs_[dimension].values; }
  // Those of the stretches whose lengths have to divide, or those given.
  const std::vector<KnobTile>& tiles() const { return tiles_; }
  // How many points there are.
  KnobIndex size() const { return size_; }

  KnobPoint Origin() const { return KnobPoint(knobs_.size(), 0); }
  bool Contains(const KnobPoint& point) const;

  // A bijection between points and 0..size() - 1; the origin is 0, and the last knob moves fastest.
  KnobIndex IndexOf(const KnobPoint& point) const;
  KnobPoint PointOf(KnobIndex index) const;

  // Illegal where the values do not go together.
  Result<ScheduleState> At(const KnobPoint& point) const;

 private:
  std::shared_ptr<const Task> task_;
  std::vector<Knob> knobs_;
  std::vector<KnobTile> tiles_;
  Build build_;
  KnobIndex size_ = 1;
};

// What is a knob of an open split of the trace: all its lengths together, in the order of its
// choices (as AutoTVM has it), or each length by itself, in rising order.
enum class TileKnobs { kSplits, kLengths };

// All open choices of a sketch, unoptimised at the origin: tiles of one element, every stage at the
// root, nothing unrolled, in vectors or in parallel.
KnobSpace KnobsOf(const Sketch& sketch, TileKnobs tiles, Misfit misfit = Misfit::kRefuse);

}  // namespace schedulegym
