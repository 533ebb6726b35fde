// ComputeInline: puts a stage's expression where it is read.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Puts the expression of a stage in the place of every read of it. Reductions and outputs cannot
// be.
//
//   before                     after compute_inline(stage=P)
//   for i in 0..8              for i in 0..8
//     P[i] = A[i] + 1            C[i] = (A[i] + 1) * 2
//   for i in 0..8
//     C[i] = P[i] * 2
struct ComputeInline {
  StageRef stage;

  static constexpr std::string_view kName = "compute_inline";
  static constexpr std::string_view kHelp = "puts a stage's expression where it is read";
  static constexpr auto Fields() {
    return std::tuple{
        Field<ComputeInline, StageRef>{"stage", &ComputeInline::stage, "the stage to change"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeInline& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const ComputeInline& primitive);

}  // namespace schedulegym
