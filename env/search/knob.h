// Knob: one open choice of a schedule, with its values in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The subject of a choice.
enum class KnobKind : uint8_t { kTile, kLocation, kUnroll, kVector, kParallel, kOrder, kOther };
// "tile", "location" and so on.
const char* KnobKindName(KnobKind kind);

struct Knob {
  std::string name;  // such as "C: tile of loop 0, length 1"
  int values = 1;    // the first is unoptimised; neighbours are one step apart
  KnobKind kind = KnobKind::kOther;
  // A stage of the sketch's state; nullopt if the knob belongs to no single stage.
  std::optional<int> stage = std::nullopt;
  // The meaning of each value, such as "16". If empty, each value means its position.
  std::vector<std::string> meanings = {};
};

// Constraint on the product of the lengths of a split: it divides the extent of the loop, is at
// most the extent, or is free. Tails are legal except with kDivide.
enum class LengthsFit : uint8_t { kDivide, kWithin, kAny };

// Lengths between which a factor p can move: one length is multiplied by p, another divided by p.
// The move is legal if both values exist.
struct KnobTile {
  std::string name;
  int64_t extent = 1;                        // of the loop
  std::vector<int> knobs;                    // by length: its dimension, -1 if it has one value
  std::vector<std::vector<int64_t>> values;  // by length, rising
  // With kDivide the quotient of the extent and the lengths is one more level, the outermost. The
  // other fits have no such level; their knobs also move one by one.
  LengthsFit fit = LengthsFit::kDivide;
};

// A position among the values of each knob.
using KnobPoint = std::vector<int>;
// The same with open knobs: those that are nullopt or beyond the end of the vector.
using OpenPoint = std::vector<std::optional<int>>;

// Returns all choices of lengths that fit, as positions of their values. Sorted first by the last
// length, then by the one before it, and so on.
std::vector<std::vector<int>> WaysOf(const KnobTile& tile);
// The same, restricted to the choices that agree with `fixed`.
std::vector<std::vector<int>> WaysOf(const KnobTile& tile, const OpenPoint& fixed);
// Returns the lengths of such a choice.
std::vector<int64_t> LengthsAt(const KnobTile& tile, const std::vector<int>& way);

// Handling of a value that is illegal after those before it. kRefuse: the point is no schedule.
// kLower: the next lower legal value replaces it, if the builder has one.
enum class InvalidPointPolicy : uint8_t { kRefuse, kLower };

// Thread-safe.
class KnobBuilder {
 public:
  virtual ~KnobBuilder() = default;

  // Returns the schedule at a point of the space.
  virtual Result<ScheduleState> At(const KnobPoint& point,
                                   InvalidPointPolicy invalid_point_policy) const = 0;

  // Returns a schedule with the `fixed` values, never lowered; the space's own sampler decides the
  // rest. `fixed` has one entry for each knob, at least one of them open.
  virtual Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const = 0;

  // Returns the only point that can yield this schedule of the task; the caller checks that it
  // does. nullopt if there is no such point.
  virtual std::optional<KnobPoint> Read(const ScheduleState& state) const = 0;
};

}  // namespace schedulegym
