// Pragma: lets the lowering unroll short loops by itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Lets the lowering unroll the innermost loops of a stage as long as the repeated body has at most
// `value` steps. The one name is auto_unroll_max_step.
//
//   before                     after pragma(stage=C, name=auto_unroll_max_step, value=16)
//   for k in 0..64             for k in 0..64         # i: 4 steps, within the 16; k: 256 steps
//     for i in 0..4              unrolled i in 0..4
//       C[i] += ...                C[i] += ...
struct Pragma {
  StageRef stage;
  std::string name = "auto_unroll_max_step";
  int64_t value = 0;

  static constexpr std::string_view kName = "pragma";
  static constexpr std::string_view kHelp = "lets the lowering unroll short loops by itself";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Pragma, StageRef>{"stage", &Pragma::stage, "the stage to change"},
        Field<Pragma, std::string>{"name", &Pragma::name, "what is hinted at"},
        Field<Pragma, int64_t>{"value", &Pragma::value, "most steps of an unrolled body"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Pragma& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Pragma& primitive);

}  // namespace schedulegym
