// FollowSplit: splits like an earlier split of the trace.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

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

}  // namespace schedulegym
