// Reorder: permutes all loops of a stage.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Permutes the loops of a stage. Any order is legal: the iterations of a definition are
// independent, and reductions may be reassociated. A vectorized loop stays innermost.
//
//   before                     after reorder(stage=C, order=[1, 0])
//   for i in 0..8              for j in 0..16
//     for j in 0..16             for i in 0..8
//       C[i, j] = ...              C[i, j] = ...
struct Reorder {
  StageRef stage;
  std::vector<int> order;

  static constexpr std::string_view kName = "reorder";
  static constexpr std::string_view kHelp = "permutes all loops of a stage";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Reorder, StageRef>{"stage", &Reorder::stage, "the stage to change"},
        Field<Reorder, std::vector<int>>{"order", &Reorder::order,
                                         "old positions in their new order, all of them"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Reorder& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Reorder& primitive);

}  // namespace schedulegym
