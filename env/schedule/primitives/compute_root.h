// ComputeRoot: computes a stage whole, before its consumers.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Takes compute_at or compute_inline back: the stage is computed whole before what reads it.
//
//   before                     after compute_root(stage=P)
//   for i in 0..8              for p in 0..8
//     P[i] = ...                 P[p] = ...
//     C[i] = P[i]              for i in 0..8
//                                C[i] = P[i]
struct ComputeRoot {
  StageRef stage;

  static constexpr std::string_view kName = "compute_root";
  static constexpr std::string_view kHelp = "computes a stage whole, before its consumers";
  static constexpr auto Fields() {
    return std::tuple{
        Field<ComputeRoot, StageRef>{"stage", &ComputeRoot::stage, "the stage to change"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeRoot& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const ComputeRoot& primitive);

}  // namespace schedulegym
