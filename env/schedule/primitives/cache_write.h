// CacheWrite: computes a stage into a copy first.
#pragma once

#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/program/memory_scope.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Adds a stage NAME.scope that takes over the computation; the stage itself becomes a copy of it.
// Comes before anything else is done to the stage's loops.
//
//   before                     after cache_write(stage=C, scope=local)
//   for i in 0..8              for i in 0..8
//     for k in 0..4              for k in 0..4
//       C[i] += ...                C.local[i] += ...
//                              for i in 0..8
//                                C[i] = C.local[i]
struct CacheWrite {
  StageRef stage;
  MemoryScope scope = MemoryScope::kLocal;

  static constexpr std::string_view kName = "cache_write";
  static constexpr std::string_view kHelp = "computes a stage into a copy first";
  static constexpr auto Fields() {
    return std::tuple{
        Field<CacheWrite, StageRef>{"stage", &CacheWrite::stage, "the stage to change"},
        Field<CacheWrite, MemoryScope>{"scope", &CacheWrite::scope,
                                       "where the copy lives: global, shared or local"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const CacheWrite& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const CacheWrite& primitive);

}  // namespace schedulegym
