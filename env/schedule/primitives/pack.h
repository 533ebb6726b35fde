// Pack: adds a copy of a stage in a rewritten layout for some of its readers.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Adds a stage NAME.pack that copies the stage into another layout: each dimension d with tile[d] >
// 1 is stored as (d // tile[d], d % tile[d]), and the resulting list of dimensions in the given
// order. Computed at a loop of a reader, it packs the region needed there; of a `weight`, at the
// root, it is packed once, outside of the timed call.
//
//   before                     after pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])
//   for i, j, k                for k in 0..64, j in 0..32   # stored as [2, 64, 16]
//     C[i, j] += A[i, k]         B.pack[j // 16, k, j % 16] = B[k, j]
//              * B[k, j]       for i, j, k
//                                C[i, j] += A[i, k] * B.pack[j // 16, k, j % 16]
struct Pack {
  StageRef stage;
  std::vector<StageRef> readers;
  std::vector<int64_t> tile;
  std::vector<int> order;

  static constexpr std::string_view kName = "pack";
  static constexpr std::string_view kHelp =
      "adds a copy of a stage in a rewritten layout for some of its readers";
  static constexpr auto Fields() {
    return std::tuple{Field<Pack, StageRef>{"stage", &Pack::stage, "the stage to change"},
                      Field<Pack, std::vector<StageRef>>{"readers", &Pack::readers,
                                                         "the stages that read the packed copy"},
                      Field<Pack, std::vector<int64_t>>{
                          "tile", &Pack::tile, "inner extent of each dimension, 1 for undivided"},
                      Field<Pack, std::vector<int>>{"order", &Pack::order,
                                                    "the resulting dimensions, outermost first"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Pack& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Pack& primitive);

}  // namespace schedulegym
