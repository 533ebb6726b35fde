// Unroll: repeats a loop's body instead of looping.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Repeats the body for each iteration. Loops unrolled around a vectorized one, inside a reduction
// loop, make a tile that stays in registers.
//
//   before                     after unroll(stage=C, loop=0)
//   for i in 0..2              unrolled i in 0..2
//     C[i] = ...                 C[i] = ...
struct Unroll {
  StageRef stage;
  int loop = 0;

  static constexpr std::string_view kName = "unroll";
  static constexpr std::string_view kHelp = "repeats a loop's body instead of looping";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Unroll, StageRef>{"stage", &Unroll::stage, "the stage to change"},
        Field<Unroll, int>{"loop", &Unroll::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Unroll& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Unroll& primitive);

}  // namespace schedulegym
