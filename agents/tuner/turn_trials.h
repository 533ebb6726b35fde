// Turn trials: how many trials a task's turn may have where time is short.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "agents/task_curve.h"

namespace schedulegym {

// Of the turn of task `index`, from 1 to `most`, with `left` seconds, none where time is endless. A
// task without a success takes no more than an equal share with the others that have none, by what
// a trial took on average so far: so that each may come to a latency. `most` to any other, and as
// long as nothing was measured.
int64_t TurnTrials(std::span<const TaskCurve> curves, int index, std::optional<double> left,
                   int64_t most);

}  // namespace schedulegym
