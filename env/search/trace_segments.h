// TraceSegments: a trace in pieces, some of which may read in several ways.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "env/schedule/state.h"
#include "env/search/knob.h"

namespace schedulegym {

// A segment of a trace that may read in several ways: one knob.
struct Variants {
  std::string name;           // such as "C.local: vector"
  std::vector<Trace> values;  // in order: one step leads to the next; the origin has the first
  KnobKind kind = KnobKind::kOther;
  std::optional<int> stage = std::nullopt;
  std::vector<std::string> meanings = {};  // as Knob has them
};

// A split, each of whose lengths is a knob.
struct OpenLengths {
  std::string name;  // such as "C.local: loop 0"
  Split split;
  int64_t extent = 1;  // of the loop that it cuts
  LengthsFit fit = LengthsFit::kDivide;
  std::vector<std::vector<int64_t>> values;  // by length
};

using TraceSegment = std::variant<Variants, OpenLengths>;

// Of those with a choice, in order.
std::vector<Knob> KnobsIn(const std::vector<TraceSegment>& segments);
// Of lengths that divide.
std::vector<KnobTile> TilesIn(const std::vector<TraceSegment>& segments);

// Its sampler draws lengths among those that fit and variants among all, which it lowers where they
// are illegal.
class TraceSegmentBuilder : public KnobBuilder {
 public:
  TraceSegmentBuilder(std::shared_ptr<const Task> task, std::vector<TraceSegment> segments);

  Result<ScheduleState> At(const KnobPoint& point,
                           InvalidPointPolicy invalid_point_policy) const override;
  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override;
  // By its trace alone.
  std::optional<KnobPoint> Read(const ScheduleState& state) const override;

 private:
  // Variants of knobs that are not fixed are lowered.
  Result<ScheduleState> Lowered(const KnobPoint& point, const OpenPoint& fixed) const;
  Result<KnobPoint> Draw(const OpenPoint& fixed, Rng& rng) const;

  ScheduleState naive_;
  std::vector<TraceSegment> segments_;
  std::vector<Knob> knobs_;
  std::vector<KnobTile> lengths_;  // of all fits
};

}  // namespace schedulegym
