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
  int outer = 0;                // so many are of stages around: the buffer lives within these
  std::optional<int> first_reduction;  // of a reduction: before this level cells are initialised
  int flat_level = 0;  // the loops from this level on are vectors, or unrolled, if automatically
  std::vector<NestAccess> accesses;  // the stored buffer, then those read as they first appear
  OperationCounts operations;        // of one iteration
  double iterations = 1;
  double outer_iterations = 1;
  // Elements of the buffer in memory: of the region that one run of the nest computes.
  int64_t stored_elements = 1;
  bool is_parameter = false;  // the caller gives the buffer's memory
  bool is_prepared = false;   // a packed weight: runs once, outside of the timed call
};

// A statement's turn: the update of a nest, or the initialisation of its cells.
struct NestStep {
  int nest = 0;
  bool initializes = false;
};

struct LoopNests {
  std::vector<LoopNest> nests;  // in the order of their updates
  std::vector<NestStep> steps;  // as the program has them
  int loops = 0;                // their ids are below
};

LoopNests FindLoopNests(const ScheduleState& state);

}  // namespace schedulegym
