// PolicySamples: steps that tracks took and what they brought, a row each, for a policy to learn
// from.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/learned/batch.h"

namespace schedulegym {

struct PolicySamples {
  RowBatch rows;                         // what was seen
  MaskBatch masks;                       // what was legal
  Batch<int64_t> values;                 // the actions, counted within each head
  std::vector<float> log_probabilities;  // of the actions, when they were drawn
  std::vector<float> advantages, targets;
};

}  // namespace schedulegym
