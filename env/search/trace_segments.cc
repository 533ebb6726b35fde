// Builds schedules from a trace whose segments are open: variants (one of several traces) or a
// split with open lengths. kRefuse replays the chosen steps; kLower takes, at each variant, the
// largest value not above the wanted one that is legal. Draws fill open lengths uniformly over the
// ways that fit the fixed ones, at most 16 times until legal. Read matches segments against a trace
// by backtracking, the longer variants first.
// Cost: a build is the trace's steps; matching may backtrack over variants, exponential in theory.
#include "env/search/trace_segments.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Limit of draws until one is legal.
constexpr int kTries = 16;

// The knobs of a segment, including those with one value.
std::vector<Knob> KnobsOf(const TraceSegment& segment) {
  if (const auto* variants = std::get_if<Variants>(&segment)) {
    return {{variants->name, static_cast<int>(variants->values.size()), variants->kind,
             variants->stage, variants->meanings}};
  }
  const auto& open = std::get<OpenLengths>(segment);
  std::vector<Knob> knobs;
  for (size_t i = 0; i < open.values.size(); ++i) {
    std::vector<std::string> meanings;
    for (int64_t length : open.values[i]) meanings.push_back(std::to_string(length));
    knobs.push_back({open.name + ", length " + std::to_string(i),
                     static_cast<int>(open.values[i].size()), KnobKind::kTile, open.split.stage.id,
                     std::move(meanings)});
  }
  return knobs;
}

// Returns the values of a point, knob by knob.
class PointReader {
 public:
  explicit PointReader(const KnobPoint& point) : point_(point) {}

  size_t Next(size_t values) { return values == 1 ? 0 : static_cast<size_t>(point_[next_++]); }
  // The knob of the next value.
  size_t knob() const { return next_; }

 private:
  const KnobPoint& point_;
  size_t next_ = 0;
};

Result<void> CheckFit(const OpenLengths& open, const std::vector<int64_t>& lengths) {
  if (open.fit == LengthsFit::kAny) return {};
  int64_t product = 1;
  for (int64_t length : lengths) {
    if (__builtin_mul_overflow(product, length, &product)) product = open.extent + 1;
  }
  const bool divides = open.fit == LengthsFit::kDivide;
  if (divides ? open.extent % product == 0 : product <= open.extent) return {};
  return InvalidSchedule(open.name + ": found lengths of " + std::to_string(product) +
                         " in all, expected " + (divides ? "a divisor of " : "at most ") +
                         std::to_string(open.extent));
}

Result<Trace> StepsOf(const TraceSegment& segment, PointReader& point) {
  if (const auto* variants = std::get_if<Variants>(&segment)) {
    return variants->values[point.Next(variants->values.size())];
  }
  const auto& open = std::get<OpenLengths>(segment);
  Split split = open.split;
  for (size_t i = 0; i < open.values.size(); ++i) {
    split.lengths[i] = open.values[i][point.Next(open.values[i].size())];
  }
  if (auto fits = CheckFit(open, split.lengths); !fits) return fits.error();
  return Trace{split};
}

// Applies the steps. If a step is illegal, returns false and leaves `state` as it was.
bool Take(const Trace& steps, ScheduleState& state) {
  if (steps.size() == 1) {
    if (!Check(state, steps[0])) return false;
    state = Apply(std::move(state), steps[0]).value();
    return true;
  }
  ScheduleState next = state;
  for (const Primitive& step : steps) {
    Result<ScheduleState> after = Apply(std::move(next), step);
    if (!after) return false;
    next = *std::move(after);
  }
  state = std::move(next);
  return true;
}

// Finds the values for which the segments equal a trace.
class Matcher {
 public:
  Matcher(const std::vector<TraceSegment>& segments, const ScheduleState& state)
      : segments_(segments), state_(state) {}

  std::optional<KnobPoint> Match() {
    return From(0, 0) ? std::optional(std::move(point_)) : std::nullopt;
  }

 private:
  bool From(size_t segment, int step) {
    if (segment == segments_.size()) return step == state_.trace_size();
    const size_t known = point_.size();
    const auto* variants = std::get_if<Variants>(&segments_[segment]);
    if (variants == nullptr) {
      const bool reads = ReadLengths(std::get<OpenLengths>(segments_[segment]), step);
      if (reads && From(segment + 1, step + 1)) return true;
      point_.resize(known);
      return false;
    }
    // The longer ones last: nothing is a part of everything.
    for (size_t value = variants->values.size(); value-- > 0;) {
      const Trace& steps = variants->values[value];
      if (!Reads(steps, step)) continue;
      if (variants->values.size() > 1) point_.push_back(static_cast<int>(value));
      if (From(segment + 1, step + static_cast<int>(steps.size()))) return true;
      point_.resize(known);
    }
    return false;
  }

  bool Reads(const Trace& steps, int first) const {
    if (first + static_cast<int>(steps.size()) > state_.trace_size()) return false;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!(state_.step(first + static_cast<int>(i)) == steps[i])) return false;
    }
    return true;
  }

  bool ReadLengths(const OpenLengths& open, int step) {
    if (step >= state_.trace_size()) return false;
    const auto* split = std::get_if<Split>(&state_.step(step));
    if (split == nullptr || split->lengths.size() != open.values.size()) return false;
    Split same = *split;
    same.lengths = open.split.lengths;
    if (!(Primitive(same) == Primitive(open.split))) return false;
    for (size_t i = 0; i < open.values.size(); ++i) {
      const auto found = std::find(open.values[i].begin(), open.values[i].end(), split->lengths[i]);
      if (found == open.values[i].end()) return false;
      if (open.values[i].size() == 1) continue;
      point_.push_back(static_cast<int>(found - open.values[i].begin()));
    }
    return true;
  }

  const std::vector<TraceSegment>& segments_;
  const ScheduleState& state_;
  KnobPoint point_;
};

// The tile of open lengths, whose knobs are numbered from `next` on.
KnobTile TileOf(const OpenLengths& open, int next) {
  KnobTile tile{open.name, open.extent, {}, open.values, open.fit};
  for (const auto& values : open.values) tile.knobs.push_back(values.size() > 1 ? next++ : -1);
  return tile;
}

}  // namespace

std::vector<Knob> KnobsIn(const std::vector<TraceSegment>& segments) {
  std::vector<Knob> knobs;
  for (const TraceSegment& segment : segments) {
    for (Knob& knob : KnobsOf(segment)) {
      SG_CHECK(knob.values > 0, "a knob has a value");
      if (knob.values > 1) knobs.push_back(std::move(knob));
    }
  }
  return knobs;
}

std::vector<KnobTile> TilesIn(const std::vector<TraceSegment>& segments) {
  std::vector<KnobTile> tiles;
  int next = 0;
  for (const TraceSegment& segment : segments) {
    const auto* open = std::get_if<OpenLengths>(&segment);
    if (open != nullptr && open->fit == LengthsFit::kDivide) tiles.push_back(TileOf(*open, next));
    next += static_cast<int>(KnobsIn({segment}).size());
  }
  return tiles;
}

TraceSegmentBuilder::TraceSegmentBuilder(std::shared_ptr<const Task> task,
                                         std::vector<TraceSegment> segments)
    : naive_(ScheduleState::Initial(std::move(task))),
      segments_(std::move(segments)),
      knobs_(KnobsIn(segments_)) {
  int next = 0;
  for (const TraceSegment& segment : segments_) {
    if (const auto* open = std::get_if<OpenLengths>(&segment))
      lengths_.push_back(TileOf(*open, next));
    next += static_cast<int>(KnobsIn({segment}).size());
  }
}

Result<ScheduleState> TraceSegmentBuilder::At(const KnobPoint& point,
                                              InvalidPointPolicy invalid_point_policy) const {
  if (invalid_point_policy == InvalidPointPolicy::kLower)
    return Lowered(point, OpenPoint(knobs_.size()));
  Trace trace;
  PointReader reader(point);
  for (const TraceSegment& segment : segments_) {
    const Result<Trace> steps = StepsOf(segment, reader);
    if (!steps) return steps.error();
    trace.insert(trace.end(), steps->begin(), steps->end());
  }
  return Replay(naive_.shared_task(), trace);
}

Result<ScheduleState> TraceSegmentBuilder::Lowered(const KnobPoint& point,
                                                   const OpenPoint& fixed) const {
  ScheduleState state = naive_;
  PointReader reader(point);
  for (const TraceSegment& segment : segments_) {
    const auto* variants = std::get_if<Variants>(&segment);
    if (variants == nullptr) {
      const Result<Trace> steps = StepsOf(segment, reader);
      if (!steps) return steps.error();
      if (!Take(*steps, state)) return InvalidSchedule("found a split that is illegal here");
      continue;
    }
    const size_t count = variants->values.size();
    const bool is_fixed = count > 1 && fixed[reader.knob()].has_value();
    size_t value = reader.Next(count) + 1;
    while (value > 0 && !Take(variants->values[value - 1], state)) value = is_fixed ? 0 : value - 1;
    if (value == 0) return InvalidSchedule(variants->name + ": found no value that is legal here");
  }
  return state;
}

Result<ScheduleState> TraceSegmentBuilder::Complete(const OpenPoint& fixed, Rng& rng) const {
  Result<ScheduleState> state = InvalidSchedule("found no schedule");
  for (int i = 0; i < kTries; ++i) {
    const Result<KnobPoint> point = Draw(fixed, rng);
    if (!point) return point.error();
    state = Lowered(*point, fixed);
    if (state) return state;
  }
  return state;
}

Result<KnobPoint> TraceSegmentBuilder::Draw(const OpenPoint& fixed, Rng& rng) const {
  KnobPoint point(knobs_.size());
  for (size_t i = 0; i < point.size(); ++i) {
    point[i] = fixed[i] ? *fixed[i] : static_cast<int>(rng.Below(knobs_[i].values));
  }
  for (const KnobTile& tile : lengths_) {
    const std::vector<std::vector<int>> ways = WaysOf(tile, fixed);
    if (ways.empty()) {
      return InvalidSchedule(tile.name + ": found lengths that fit no others of a loop of " +
                             std::to_string(tile.extent));
    }
    const std::vector<int>& way = ways[rng.Below(static_cast<int64_t>(ways.size()))];
    for (size_t i = 0; i < way.size(); ++i) {
      if (tile.knobs[i] >= 0) point[tile.knobs[i]] = way[i];
    }
  }
  return point;
}

std::optional<KnobPoint> TraceSegmentBuilder::Read(const ScheduleState& state) const {
  return Matcher(segments_, state).Match();
}

}  // namespace schedulegym
