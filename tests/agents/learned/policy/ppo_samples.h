// Samples of a small network, for tests of training.
#pragma once

#include <algorithm>
#include <cmath>

#include "agents/learned/policy/ppo.h"

namespace schedulegym {

inline NetworkShape SampleShape() {
  return {.inputs = 2, .heads = ActionHeads({3, 2}), .hidden = {8}};
}

// Uniform actions; the first value of the first head has the highest reward.
inline PolicySamples SomeSamples(int rows, uint64_t seed = 1) {
  PolicySamples samples = {
      RowBatch(2, rows), MaskBatch(5, rows), Batch<int64_t>(2, rows), {}, {}, {}};
  std::fill(samples.masks.values().begin(), samples.masks.values().end(), uint8_t{1});
  Rng rng(seed);
  for (int row = 0; row < rows; ++row) {
    for (float& number : samples.rows[row]) number = static_cast<float>(rng.Uniform());
    samples.values[row][0] = rng.Below(3);
    samples.values[row][1] = rng.Below(2);
    samples.log_probabilities.push_back(std::log(1.0F / 6));
    samples.advantages.push_back(samples.values[row][0] == 0 ? 2 : -1);
    samples.targets.push_back(1.5F);
  }
  return samples;
}

}  // namespace schedulegym
