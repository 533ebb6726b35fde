// Split, FollowSplit and FollowFusedSplit: one loop cut into nested ones.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Cuts one loop into several nested ones. lengths are those of the inner loops, outermost of them
// first; the outer loop takes what is left, rounded up. With inner_to_outer=false they are those of
// the outer loops, and the innermost takes what is left. Lengths need not divide the extent:
// lowering peels a tail.
//
//   before                     after split(stage=C, loop=0, lengths=[4, 8])
//   for i in 0..100            for i.0 in 0..4        # i = (i.0 * 4 + i.1) * 8 + i.2
//     C[i] = ...                 for i.1 in 0..4
//                                  for i.2 in 0..8
//                                    C[i] = ...
struct Split {
  StageRef stage;
  int loop = 0;
  std::vector<int64_t> lengths;
  bool inner_to_outer = true;

  static constexpr std::string_view kName = "split";
  static constexpr std::string_view kHelp = "cuts one loop into nested ones of given lengths";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Split, StageRef>{"stage", &Split::stage, "the stage to change"},
        Field<Split, int>{"loop", &Split::loop, "position of the loop, from the outside"},
        Field<Split, std::vector<int64_t>>{"lengths", &Split::lengths,
                                           "extents of the given parts, outermost first"},
        Field<Split, bool>{"inner_to_outer", &Split::inner_to_outer,
                           "whether lengths are those of the inner loops"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Split& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Split& primitive);

// Splits a loop with the lengths of an earlier split, so that the two keep in step when its lengths
// change: of the source's lengths the first count - 1 are taken, and the product of the others.
//
//   source split(stage=C, loop=0, lengths=[4, 8, 2]), 0th of the trace
//   before                     after follow_split(stage=D, loop=0, source=0, count=2)
//   for i in 0..128            for i.0 in 0..2        # lengths [4, 16]
//     D[i] = ...                 for i.1 in 0..4
//                                  for i.2 in 0..16
//                                    D[i] = ...
struct FollowSplit {
  StageRef stage;
  int loop = 0;
  int source = 0;
  int count = 1;

  static constexpr std::string_view kName = "follow_split";
  static constexpr std::string_view kHelp = "splits like an earlier split of the trace";
  static constexpr auto Fields() {
    return std::tuple{
        Field<FollowSplit, StageRef>{"stage", &FollowSplit::stage, "the stage to change"},
        Field<FollowSplit, int>{"loop", &FollowSplit::loop,
                                "position of the loop, from the outside"},
        Field<FollowSplit, int>{"source", &FollowSplit::source,
                                "position in the trace of the split to follow"},
        Field<FollowSplit, int>{"count", &FollowSplit::count, "how many inner lengths to make"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const FollowSplit& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const FollowSplit& primitive);

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
