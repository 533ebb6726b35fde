// DecisionAgent: an agent that searches each task by the decisions of its space.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "agents/agent.h"
#include "agents/decisions/decision_search.h"

namespace schedulegym {

struct DecisionAgentOptions {
  std::string who;                          // "agent mcts", in messages
  std::optional<StagedModelOptions> model;  // none: it searches without
  std::string tree_file;  // where its trees are left after each batch; "": nowhere
};

// One model serves all tasks. Where there is one, proposals have its word as a note:
// predicted(seconds=0.00011). Throws InputError where the model's file cannot be read or that of
// the trees cannot be written.
std::unique_ptr<Agent> MakeDecisionAgent(const DecisionAgentOptions& options,
                                         DecisionSearchMaker maker, const AgentContext& context);

}  // namespace schedulegym
