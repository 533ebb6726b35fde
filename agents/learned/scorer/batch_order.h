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
  // Not by task: a batch is of one list, of equal trees of loops.
  bool by_tree = false;
  // Not by task: programs are drawn, repeats allowed, as often from each of so many bins of equal
  // width of the label; 0: each once.
  int bins = 0;
};

// Every program once, by position, in batches. `tasks` has the task of each program, or what else
// makes a list. Not by task: drawn evenly, or with by_tree from one list for each batch. By task:
// the programs of a task are shuffled and cut into lists, and the shuffled lists fill the batches.
// Chance is the stream's.
std::vector<std::vector<int>> BatchesOf(std::span<const int> tasks, std::span<const float> labels,
                                        const BatchOrderOptions& options, Rng& rng);

// 1 over the number of labels in the label's bin, of so many between the least and the highest (Ryu
// et al., CC 2022).
std::vector<double> BalanceWeights(std::span<const float> labels, int bins);

}  // namespace schedulegym
