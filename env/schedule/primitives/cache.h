// CacheRead and CacheWrite: copies of a stage, for its readers or in its place.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/program/memory_scope.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Adds a stage NAME.scope that copies the stage, and lets the given readers read the copy; computed
// at a loop of theirs, it copies just the region that they need.
//
//   before                     after cache_read(stage=A, scope=global, readers=[C])
//   for i in 0..8              for i in 0..8
//     C[i] = A[i]                A.global[i] = A[i]
//                              for i in 0..8
//                                C[i] = A.global[i]
struct CacheRead {
  StageRef stage;
  MemoryScope scope = MemoryScope::kGlobal;
  std::vector<StageRef> readers;

  static constexpr std::string_view kName = "cache_read";
  static constexpr std::string_view kHelp = "adds a copy of a stage for some of its readers";
  static constexpr auto Fields() {
    return std::tuple{
        Field<CacheRead, StageRef>{"stage", &CacheRead::stage, "the stage to change"},
        Field<CacheRead, MemoryScope>{"scope", &CacheRead::scope,
                                      "where the copy lives: global, shared or local"},
        Field<CacheRead, std::vector<StageRef>>{"readers", &CacheRead::readers,
                                                "the stages that read the copy"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const CacheRead& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const CacheRead& primitive);

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
