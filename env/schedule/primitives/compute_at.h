// ComputeAt: computes a stage where a loop of its consumer needs it.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Computes, in each iteration of a loop, just the region of the stage that the rest of the
// iteration reads. Every consumer must be computed within that loop.
//
//   before                     after compute_at(stage=P, target=C, loop=0)
//   for i in 0..10             for i in 0..8
//     P[i] = ...                 for p in 0..3          # P's region [i, i + 3)
//   for i in 0..8                  P[i + p] = ...
//     C[i] = P[i] + P[i + 2]     C[i] = P[i] + P[i + 2]
struct ComputeAt {
  StageRef stage;
  StageRef target;
  int loop = 0;

  static constexpr std::string_view kName = "compute_at";
  static constexpr std::string_view kHelp =
      "computes a stage where a loop of its consumer needs it";
  static constexpr auto Fields() {
    return std::tuple{
        Field<ComputeAt, StageRef>{"stage", &ComputeAt::stage, "the stage to change"},
        Field<ComputeAt, StageRef>{"target", &ComputeAt::target, "the stage whose loop it is"},
        Field<ComputeAt, int>{"loop", &ComputeAt::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeAt& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const ComputeAt& primitive);

}  // namespace schedulegym
