// Train report: how the training of a policy went, in numbers and as a curve.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/trainer.h"

namespace schedulegym {

// Some rounds in a row, in means.
struct TrainingPart {
  int64_t first = 1, last = 1;  // rounds, from 1
  double step = 1, best = 1;    // speed of a step over the one before, of the best over the start's
  double entropy = 0;
};

// At most `most` parts of nearly equal size. Means of speeds are geometric.
std::vector<TrainingPart> PartsOf(std::span<const TrainedRound> rounds, int most);

// A table of a line each, with a heading.
std::string TrainingText(std::span<const TrainingPart> parts);

}  // namespace schedulegym
