// ComputeAt, ComputeInline and ComputeRoot: where a stage is computed.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Computes, in each iteration of a loop, just the region of the stage that the rest of the
// iteration reads. Every consumer must be computed within that loop.
//
//   before                     after compute_at(stage=P, target=C, loop=0)
//   for i in 0..10             for i in 0..8
//     P[i] = ...                 for p in 0..3          # P's region [i, i + 3)
//   for i in 0..8                  P[i + p] = ...
//     C[i] = P[i] + P[i + 2]     C[i] = P[i] + P[i + 2]
struct ComputeAt {
  StageRef stage;
  StageRef target;
  int loop = 0;

  static constexpr std::string_view kName = "compute_at";
  static constexpr std::string_view kHelp =
      "computes a stage where a loop of its consumer needs it";
  static constexpr auto Fields() {
    return std::tuple{
        Field<ComputeAt, StageRef>{"stage", &ComputeAt::stage, "the stage to change"},
        Field<ComputeAt, StageRef>{"target", &ComputeAt::target, "the stage whose loop it is"},
        Field<ComputeAt, int>{"loop", &ComputeAt::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeAt& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const ComputeAt& primitive);

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
