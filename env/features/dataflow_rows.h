// DataflowRows: the accesses of a program's main reduction, in the order of the data flow.
#pragma once

#include <vector>

#include "env/features/ansor_features.h"
#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Positions within the row of one access.
struct DataflowLayout {
  static constexpr int kFlops = 0;     // of the statement, over the program
  static constexpr int kLocation = 1;  // one-hot: memory owned by caller, program or a loop
  static constexpr int kBuffer = 4;    // AnsorBufferLayout
  static constexpr int kAllocation = kBuffer + AnsorBufferLayout::kWidth;  // bytes
  static constexpr int kWidth = kAllocation + 1;
  static constexpr int kAccesses = 8;
};

// Written into models that are trained on these rows; a change of the rows changes it.
inline constexpr int kDataflowVersion = 1;

// Returns kAccesses rows of kWidth. Pruner (Gu et al., ASPLOS 2025) uses, on a GPU: initialisation
// of the register tile; twice a write to shared memory and its read from global memory; two reads
// of shared memory; the write of the register tile. Here the main reduction is the one with most
// operations. Its rows: initialisation of its cells; store and first read of the first two buffers
// that it reads and another statement makes (packed, cached, computed); its first two reads; its
// store. Rows of missing accesses are 0, and all rows are 0 without a reduction.
std::vector<float> DataflowRows(const ScheduleState& state, const LoopNests& nests);

}  // namespace schedulegym
