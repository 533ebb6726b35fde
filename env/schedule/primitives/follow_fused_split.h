// FollowFusedSplit: splits by the product of one level of earlier splits.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Splits a loop in two by the product of one level of several earlier splits; used where the loops
// of those splits have been fused.
//
//   sources split(stage=C, loop=0, lengths=[4, 8]) and split(stage=C, loop=3, lengths=[2, 16])
//   before                     after follow_fused_split(stage=D, loop=0, sources=[0, 1], level=0)
//   for f in 0..256            for f.0 in 0..32       # length 4 * 2
//     D[f] = ...                 for f.1 in 0..8
//                                  D[f] = ...
struct FollowFusedSplit {
  StageRef stage;
  int loop = 0;
  std::vector<int> sources;
  int level = 0;
  bool factor = true;

  static constexpr std::string_view kName = "follow_fused_split";
  static constexpr std::string_view kHelp = "splits by the product of one level of earlier splits";
  static constexpr auto Fields() {
    return std::tuple{
        Field<FollowFusedSplit, StageRef>{"stage", &FollowFusedSplit::stage, "the stage to change"},
        Field<FollowFusedSplit, int>{"loop", &FollowFusedSplit::loop,
                                     "position of the loop, from the outside"},
        Field<FollowFusedSplit, std::vector<int>>{"sources", &FollowFusedSplit::sources,
                                                  "positions in the trace of the splits to follow"},
        Field<FollowFusedSplit, int>{"level", &FollowFusedSplit::level, "which of their lengths"},
        Field<FollowFusedSplit, bool>{
            "factor", &FollowFusedSplit::factor,
            "whether the product is the inner length, else the outer one"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const FollowFusedSplit& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const FollowFusedSplit& primitive);

}  // namespace schedulegym
