// Bind: gives a loop to a GPU's blocks or threads.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/annotation.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Gives the iterations of a spatial loop to the blocks or threads of a GPU. CPU targets refuse it.
//
//   before                     after bind(stage=C, loop=0, thread=blockIdx.x)
//   for i in 0..8              blockIdx.x i in 0..8
//     C[i] = ...                 C[i] = ...
struct Bind {
  StageRef stage;
  int loop = 0;
  Annotation thread = Annotation::kBlockX;

  static constexpr std::string_view kName = "bind";
  static constexpr std::string_view kHelp = "gives a loop to a GPU's blocks or threads";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Bind, StageRef>{"stage", &Bind::stage, "the stage to change"},
        Field<Bind, int>{"loop", &Bind::loop, "position of the loop, from the outside"},
        Field<Bind, Annotation>{"thread", &Bind::thread,
                                "vthread, blockIdx.x, .y, .z or threadIdx.x, .y, .z"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Bind& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Bind& primitive);

}  // namespace schedulegym
