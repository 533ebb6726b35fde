// Split: cuts one loop into nested ones of given lengths.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"

namespace schedulegym {

// Cuts one loop into several nested ones. lengths are those of the inner loops, outermost of them
// first; the outer loop takes what is left, rounded up. With inner_to_outer=false they are those of
// the outer loops, and the innermost takes what is left. Lengths need not divide the extent:
// lowering peels a tail.
//
//   before                     after split(stage=C, loop=0, lengths=[4, 8])
//   for i in 0..100            for i.0 in 0..4        # i = (i.0 * 4 + i.1) * 8 + i.2
//     C[i] = ...                 for i.1 in 0..4
//                                  for i.2 in 0..8
//                                    C[i] = ...
struct Split {
  StageRef stage;
  int loop = 0;
  std::vector<int64_t> lengths;
  bool inner_to_outer = true;

  static constexpr std::string_view kName = "split";
  static constexpr std::string_view kHelp = "cuts one loop into nested ones of given lengths";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Split, StageRef>{"stage", &Split::stage, "the stage to change"},
        Field<Split, int>{"loop", &Split::loop, "position of the loop, from the outside"},
        Field<Split, std::vector<int64_t>>{"lengths", &Split::lengths,
                                           "extents of the given parts, outermost first"},
        Field<Split, bool>{"inner_to_outer", &Split::inner_to_outer,
                           "whether lengths are those of the inner loops"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Split& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Split& primitive);

}  // namespace schedulegym
