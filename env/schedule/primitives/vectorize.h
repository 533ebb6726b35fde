// Vectorize: turns the innermost loop into vector operations.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Turns the innermost spatial loop into vector operations. Its extent is free; a tail of the
// vector length is cut off by the backend.
//
//   before                     after vectorize(stage=C, loop=1)
//   for i in 0..8              for i in 0..8
//     for j in 0..16             vector j in 0..16
//       C[i, j] = ...              C[i, j] = ...
struct Vectorize {
  StageRef stage;
  int loop = 0;

  static constexpr std::string_view kName = "vectorize";
  static constexpr std::string_view kHelp = "turns the innermost loop into vector operations";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Vectorize, StageRef>{"stage", &Vectorize::stage, "the stage to change"},
        Field<Vectorize, int>{"loop", &Vectorize::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Vectorize& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Vectorize& primitive);

}  // namespace schedulegym
