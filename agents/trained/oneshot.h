// The agent `oneshot`: a genetic search under a model that was trained beforehand; the best of it
// are measured at once.
#pragma once

#include <memory>
#include <vector>

#include "agents/agent.h"
#include "agents/cost/network_model.h"
#include "env/base/rng.h"

namespace schedulegym {

// A place as shares of the ways of each decision of its sketch.
struct ShareGenes {
  int sketch = 0;
  std::vector<double> shares;
};

// The first shares of one parent, then the other's, cut at random, each drawn anew at `mutation`.
// Parents of two sketches have a child like the first.
ShareGenes ChildOf(const ShareGenes& first, const ShareGenes& second, double mutation, Rng& rng);

// Options: mode, model, what MakeTrainedModel makes; shots, proposals of one search; population,
// elite, mutation, generations and parents, or with search=annealing chains, steps and patience.
// Throws InputError.
std::unique_ptr<Agent> MakeOneshotAgent(const AgentContext& context, const NetworkReader& networks);

}  // namespace schedulegym
