// The agent `guided`: walks through the decisions of a schedule that a model guides.
#pragma once

#include <memory>
#include <utility>

#include "agents/agent.h"
#include "agents/cost/network_model.h"
#include "agents/decisions/round_search.h"
#include "env/base/spec.h"

namespace schedulegym {

// Options: samples, the walks of a round (100); k, how many of the best that they visited are
// measured (10); depth, the decisions of a walk, at most (0: all); model and order, as agent mcts
// has them. The published numbers are parameters of the user's. Throws InputError.
std::unique_ptr<Agent> MakeGuidedAgent(const AgentContext& context, const NetworkReader& networks);

struct GuidedEpisodes {
  int samples = 100;  // walks of a round
  int depth = 0;      // decisions of a walk, at most; 0: all
};

// Tiramisu's sampling (Baghdadi et al., MLSys 2021, which calls it MCTS): from the root on, each
// way on is judged by a completion, and one of them drawn with its predicted speed as its weight;
// to keep a loop as it is is one of the values of a knob. Whatever is visited may be proposed.
class GuidedVisitor : public PlaceVisitor {
 public:
  // All walks advance at once, so that they share one batch for the model.
  GuidedVisitor(std::shared_ptr<const TreePlace> root, const GuidedEpisodes& options, Rng rng)
      : root_(std::move(root)), options_(options), rng_(rng) {}

  void Visit(StateRollout& rollout) override;

 private:
  std::shared_ptr<const TreePlace> root_;
  GuidedEpisodes options_;
  Rng rng_;
};

}  // namespace schedulegym
