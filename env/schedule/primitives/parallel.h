// Parallel: runs a loop's iterations on several threads.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Runs the iterations of a spatial loop on several threads. A loop within a parallel one cannot be
// parallel, and a reduction cannot be: several threads would write one cell (use rfactor first).
//
//   before                     after parallel(stage=C, loop=0)
//   for i in 0..8              parallel i in 0..8
//     C[i] = ...                 C[i] = ...
struct Parallel {
  StageRef stage;
  int loop = 0;

  static constexpr std::string_view kName = "parallel";
  static constexpr std::string_view kHelp = "runs a loop's iterations on several threads";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Parallel, StageRef>{"stage", &Parallel::stage, "the stage to change"},
        Field<Parallel, int>{"loop", &Parallel::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Parallel& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Parallel& primitive);

}  // namespace schedulegym
