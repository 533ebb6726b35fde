// Matmul states: schedules of a product of two 512 x 512 matrices on which steps are timed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/program/task.h"
#include "env/schedule/state.h"

namespace schedulegym {

std::shared_ptr<const Task> MatmulTask(const Target& target);

// A packed, tiled, vectorized and parallel schedule of 20 steps, written by hand; its first 15 are
// the whole tiling of C. For vectors of 512 bits a tile in registers of 8 x 48, else of 6 x 16.
std::string TiledMatmulTrace(const Target& target);
// The state after the first `steps` lines of a trace.
ScheduleState StateAfter(const std::shared_ptr<const Task>& task, const std::string& trace,
                         int steps);

// A legal next step of a state of 15 steps.
struct NextStep {
  ScheduleState state;
  Primitive primitive;
};
// One for each primitive that the task's target allows.
std::vector<NextStep> EveryNextStep(const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
