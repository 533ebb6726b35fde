// AnsorFeatures: the 164 numbers by which Ansor's cost model knows a stored buffer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/features/ansor_layout.h"
#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Written into what is trained on features; another number, other features.
inline constexpr int kAnsorFeatureVersion = 1;

struct FeatureRows {
  std::vector<int> stages;    // by row: the stage whose buffer it describes
  std::vector<float> values;  // row after row, AnsorLayout::kWidth each

  int size() const { return static_cast<int>(stages.size()); }
  std::span<const float> Row(int row) const {
    return std::span(values).subspan(static_cast<size_t>(row) * AnsorLayout::kWidth,
                                     AnsorLayout::kWidth);
  }
  // A row after the other, by its stage's name; a line for each number but zeros.
  std::string ToText(const ScheduleState& state) const;
};

// One row for each stage that has loops, in the order in which their statements stand in the
// program. Every number but flags is sign(x) log2(1 + |x|). Ansor (Zheng et al., OSDI 2020) as
// published, from the loop structure alone, with its quirks:
//  - multiply-adds are never told from multiplications and additions;
//  - positions of annotated loops are "none" or "mixed";
//  - the stored index costs nothing, nor does what is named before a statement;
//  - lines are divided, for each loop that no index holds, by the innermost loop's extent;
//  - unique bytes are those of the first statement that touches the buffer within the outermost
//    loop; distances of a serial reuse, and its "iterations", are TouchedRegions'.
// and these differences:
//  - conditions of a sum's terms guard the statement and cost nothing, as in our loop program;
//  - unique lines take the buffer's own region (there: whichever buffer came last);
//  - strides are exact where indices are linear (there: the last factor on the way);
//  - buffers of equal lines and bytes keep their order, the stored one first;
//  - a packed buffer has its packed dimensions, an aligned one no padding;
//  - indices into buffers within loops count from the region's begin, taken to lie inside the
//    tensor; sums kept in a local tile have indices that cost nothing; a name within a vector
//    counts as a name; an index with // or % written in the computation is not simplified;
//  - loops are those of the main part, without the tails of splits that do not divide;
//  - the unrolling limit is the stage's own, since it has no effect on stages within;
//  - on a GPU, loops are as the schedule has them, nothing flattened.
FeatureRows AnsorFeatures(const ScheduleState& state);
// The same of nests that were found already.
FeatureRows AnsorFeatures(const ScheduleState& state, const LoopNests& nests);

}  // namespace schedulegym
