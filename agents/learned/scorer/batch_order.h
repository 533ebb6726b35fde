// BatchOrder: which programs a training step sees together.
#pragma once

#include <span>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

struct BatchOrderOptions {
  int batch = 512;       // programs of a step, at most
  bool by_task = false;  // batches are made of lists, each of one task
  int list = 64;         // programs of such a list, at most
};

// Every program once, by position, in batches. `tasks` has the task of each program. Not by task:
// drawn evenly. By task: the programs of a task are shuffled and cut into lists, and the shuffled
// lists fill the batches. Chance is the stream's.
std::vector<std::vector<int>> BatchesOf(std::span<const int> tasks,
                                        const BatchOrderOptions& options, Rng& rng);

}  // namespace schedulegym
