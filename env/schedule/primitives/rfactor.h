// Rfactor: makes a reduction loop spatial in a stage of partial results.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Makes one reduction loop a spatial axis of a new stage NAME.rf of partial results, which the
// stage then reduces; so the partial results can be vectorized or computed in parallel. Splits of
// the reduction must divide.
//
//   before                     after rfactor(stage=S, loop=1, axis=0)
//   for k.0 in 0..8            for k.1 in 0..16       # the new axis
//     for k.1 in 0..16           for k.0 in 0..8
//       S[] += A[k]                S.rf[k.1] += A[k.0 * 16 + k.1]
//                              for k.1 in 0..16
//                                S[] += S.rf[k.1]
struct Rfactor {
  StageRef stage;
  int loop = 0;
  int axis = 0;

  static constexpr std::string_view kName = "rfactor";
  static constexpr std::string_view kHelp =
      "makes a reduction loop spatial in a stage of partial results";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Rfactor, StageRef>{"stage", &Rfactor::stage, "the stage to change"},
        Field<Rfactor, int>{"loop", &Rfactor::loop, "position of the reduction loop"},
        Field<Rfactor, int>{"axis", &Rfactor::axis, "which dimension of the new stage it becomes"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Rfactor& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Rfactor& primitive);

}  // namespace schedulegym
