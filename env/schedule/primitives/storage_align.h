// StorageAlign: pads the stride of a buffer's dimension.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Pads a temporary buffer so that the stride of one dimension leaves `offset` when divided by
// `factor`; breaks up strides that map to one set of a cache.
//
//   before                     after storage_align(stage=P, axis=0, factor=16, offset=1)
//   P[8, 64], strides 64, 1    P[8, 64], strides 65, 1
struct StorageAlign {
  StageRef stage;
  int axis = 0;
  int64_t factor = 1;
  int64_t offset = 0;

  static constexpr std::string_view kName = "storage_align";
  static constexpr std::string_view kHelp = "pads the stride of a buffer's dimension";
  static constexpr auto Fields() {
    return std::tuple{
        Field<StorageAlign, StageRef>{"stage", &StorageAlign::stage, "the stage to change"},
        Field<StorageAlign, int>{"axis", &StorageAlign::axis,
                                 "dimension of the buffer, not the last"},
        Field<StorageAlign, int64_t>{"factor", &StorageAlign::factor,
                                     "what the stride is divided by"},
        Field<StorageAlign, int64_t>{"offset", &StorageAlign::offset, "what it must leave"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const StorageAlign& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const StorageAlign& primitive);

}  // namespace schedulegym
