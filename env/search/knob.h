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

// What a choice is about.
enum class KnobKind : uint8_t { kTile, kLocation, kUnroll, kVector, kParallel, kOrder, kOther };
// "tile", "location" and so on.
const char* KnobKindName(KnobKind kind);

struct Knob {
  std::string name;  // such as "C: tile of loop 0, length 1"
  int values = 1;    // the first is the unoptimised one; one step leads to the next
  KnobKind kind = KnobKind::kOther;
  // Of the sketch's state; none where it is about no one stage.
  std::optional<int> stage = std::nullopt;
  // What each value means, such as "16"; those that are left out mean their position.
  std::vector<std::string> meanings = {};
};

// What all lengths of a split together have to be for the loop that it cuts; tails are legal where
// they need not divide it.
enum class LengthsFit : uint8_t { kDivide, kWithin, kAny };

// Lengths between which a factor may be carried: one of them times p, another divided by p, legal
// where both values exist.
struct KnobTile {
  std::string name;
  int64_t extent = 1;                        // of the loop
  std::vector<int> knobs;                    // by length: its dimension, -1 where it has one value
  std::vector<std::vector<int64_t>> values;  // by length, rising
  // Where they have to divide, what they leave is one more level, the outermost. No other fit makes
  // one: its knobs move by themselves, too.
  LengthsFit fit = LengthsFit::kDivide;
};

// For each knob a position among its values.
using KnobPoint = std::vector<int>;
// The same where some are not chosen yet, nor is what lies beyond its end.
using OpenPoint = std::vector<std::optional<int>>;

// All ways to choose lengths that fit, by position of their values: in rising order first of the
// last length, then of the one before it, and so on.
std::vector<std::vector<int>> WaysOf(const KnobTile& tile);
// Those that have what is fixed.
std::vector<std::vector<int>> WaysOf(const KnobTile& tile, const OpenPoint& fixed);
// What such a way's lengths are.
std::vector<int64_t> LengthsAt(const KnobTile& tile, const std::vector<int>& way);

// What becomes of a value that is illegal after those before it: the point is no schedule, or the
// value is the next lower one that is legal, where the builder knows one.
enum class InvalidPointPolicy : uint8_t { kRefuse, kLower };

// Threads may ask at once.
class KnobBuilder {
 public:
  virtual ~KnobBuilder() = default;

  // The schedule at a point of the space.
  virtual Result<ScheduleState> At(const KnobPoint& point,
                                   InvalidPointPolicy invalid_point_policy) const = 0;

  // A schedule of what is fixed, never lowered, in which the space's own sampler has decided the
  // rest. As many as there are knobs are given, at least one of them open.
  virtual Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const = 0;

  // The only point that a schedule of this task could be at; the caller looks whether it is. None
  // where there is no such point.
  virtual std::optional<KnobPoint> Read(const ScheduleState& state) const = 0;
};

}  // namespace schedulegym
