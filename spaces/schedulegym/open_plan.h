// OpenPlan: the knobs of a structure, and the nests of their values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "env/search/knob_space.h"
#include "spaces/schedulegym/decision_provider.h"
#include "spaces/schedulegym/schedule_skeleton.h"

namespace schedulegym {

class OpenPlan {
 public:
  OpenPlan(const Task& task, ScheduleSkeleton skeleton, const Rules& rules);

  const ScheduleSkeleton& skeleton() const { return skeleton_; }
  std::vector<Knob> Knobs() const;
  // Of each tiled dimension its tiles in a block and the elements of a tile.
  std::vector<KnobTile> Tiles() const;

  // Fixed knobs have their values, open ones those of `drawn`. Numbers without a knob have the
  // least legal value.
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts, const OpenPoint& fixed,
                const TilePlan& drawn) const;
  MapPlan Map(int stage, const OpenPoint& fixed, const MapPlan& drawn) const;
  int Depth(int stage, const OpenPoint& fixed, int drawn) const;

  // Sets the knobs of a stage from a complete schedule; false where a knob lacks the value.
  bool ReadTile(const NestFacts& facts, const TilePlan& read, KnobPoint& point) const;
  bool ReadMap(int stage, const MapPlan& read, KnobPoint& point) const;
  bool ReadDepth(int stage, int read, KnobPoint& point) const;

 private:
  // A knob whose values are numbers.
  struct NumberKnob {
    Knob knob;
    std::vector<int64_t> values;
  };
  // The knobs of one reduction: positions, -1 where there is no choice.
  struct NestKnobs {
    std::vector<int> tile, middle, block, unroll;  // by dimension
    std::map<int, int> at;                         // by packed stage
    int lanes = -1, order = -1, parallel = -1, inside = -1, step = -1;
    std::vector<int> free;  // spatial dimensions of more than one element
    std::vector<std::vector<int>> orders;
  };
  struct MapKnobs {
    int vector = -1, step = -1, parallel = -1;
  };

  int Add(int stage, KnobKind kind, const std::string& name, std::vector<int64_t> values);
  void AddNest(int stage, const NestFacts& facts);
  void AddReduction(int stage, const NestFacts& facts, int d, NestKnobs& knobs);
  void AddOuter(int stage, const NestFacts& facts, NestKnobs& knobs);
  void AddMap(int stage);
  // Without a knob it is `plain`, and `drawn` where that is open.
  int64_t Value(int knob, const OpenPoint& fixed, int64_t plain, int64_t drawn) const;
  bool Set(int knob, int64_t value, KnobPoint& point) const;
  // The least value with the same effect: a length beyond the loop is cut to the loop.
  bool SetLength(int knob, int64_t length, KnobPoint& point) const;
  void FillTiles(const NestFacts& facts, const NestKnobs& knobs, const OpenPoint& fixed,
                 const TilePlan& drawn, TilePlan& plan) const;
  void FillOuter(const NestKnobs& knobs, const OpenPoint& fixed, const TilePlan& drawn,
                 TilePlan& plan) const;
  bool ReadOuter(const NestKnobs& knobs, const TilePlan& read, KnobPoint& point) const;

  ScheduleSkeleton skeleton_;
  Rules rules_;
  Target target_;
  std::vector<NumberKnob> knobs_;
  KnobIndex points_ = 1;
  std::map<int, NestKnobs> nests_;
  std::map<int, MapKnobs> maps_;
  std::map<int, int> depths_;
};

// Loops in their order, nothing blocked, unrolled, packed or in parallel.
TilePlan PlainTile(const NestFacts& facts);

}  // namespace schedulegym
