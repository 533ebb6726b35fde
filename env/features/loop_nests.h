// LoopNests: the statements of a state, each with the loops around it and the buffers it touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/features/nest_access.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The statement of one stage.
struct LoopNest {
  int stage = 0;
  std::vector<NestLoop> loops;  // outermost first; those of stages around come first
  int outer = 0;                // number of loops of enclosing stages; the buffer lives in these
  std::optional<int> first_reduction;  // of a reduction: cells are initialised before this level
  int flat_level = 0;  // loops from this level on are vectors or unrolled (also automatically)
  std::vector<NestAccess> accesses;  // the stored buffer, then the reads in order of appearance
  OperationCounts operations;        // of one iteration
  double iterations = 1;
  double outer_iterations = 1;
  // Elements in memory of the region of the buffer that one run of the nest computes.
  int64_t stored_elements = 1;
  bool is_parameter = false;  // the caller provides the buffer's memory
  bool is_prepared = false;   // a packed weight: runs once, outside of the timed call
};

// One statement of the program: the update of a nest, or the initialisation of its cells.
struct NestStep {
  int nest = 0;
  bool initializes = false;
};

struct LoopNests {
  std::vector<LoopNest> nests;  // in the order of their updates
  std::vector<NestStep> steps;  // in the order of the program
  int loops = 0;                // number of loops; ids are smaller
};

LoopNests FindLoopNests(const ScheduleState& state);

}  // namespace schedulegym
