// Fuse: joins adjacent loops into one.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Joins adjacent loops, all spatial or all reductions, into one that runs over their product.
//
//   before                     after fuse(stage=C, loops=[0, 1])
//   for i in 0..8              for i@j in 0..128      # i = i@j // 16, j = i@j % 16
//     for j in 0..16             C[i, j] = ...
//       C[i, j] = ...
struct Fuse {
  StageRef stage;
  std::vector<int> loops;

  static constexpr std::string_view kName = "fuse";
  static constexpr std::string_view kHelp = "joins adjacent loops into one";
  static constexpr auto Fields() {
    return std::tuple{Field<Fuse, StageRef>{"stage", &Fuse::stage, "the stage to change"},
                      Field<Fuse, std::vector<int>>{
                          "loops", &Fuse::loops, "positions of the loops, adjacent and ascending"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Fuse& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Fuse& primitive);

}  // namespace schedulegym
