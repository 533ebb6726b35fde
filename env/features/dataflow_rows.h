// DataflowRows: the accesses of a program's main reduction, in the order in which data flow.
#pragma once

#include <vector>

#include "env/features/ansor_features.h"
#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Places within the row of one access.
struct DataflowLayout {
  static constexpr int kFlops = 0;     // of the statement, over the program
  static constexpr int kLocation = 1;  // one-hot: memory of the caller, of the program, of a loop
  static constexpr int kBuffer = 4;    // AnsorBufferLayout
  static constexpr int kAllocation = kBuffer + AnsorBufferLayout::kWidth;  // bytes
  static constexpr int kWidth = kAllocation + 1;
  static constexpr int kAccesses = 8;
};

// Written into what is trained on them; another number, other rows.
inline constexpr int kDataflowVersion = 1;

// kAccesses rows of kWidth. Pruner (Gu et al., ASPLOS 2025) takes, on a GPU, the initialisation of
// the register tile, twice a write to shared memory and the read from global memory for it, two
// reads of shared memory, and the write of the register tile. Here the main reduction is the one
// with most operations; the rows are the initialisation of its cells; of the first two buffers that
// it reads and that another statement makes (packed, cached, computed) the store and the first
// read; its first two reads; its store. Rows of what is not there are 0, all where no reduction is.
std::vector<float> DataflowRows(const ScheduleState& state, const LoopNests& nests);

}  // namespace schedulegym
