// DecisionOptions: what agents that visit decisions by a model have in common, as specs say it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agents/agent.h"
#include "agents/decisions/decision_place.h"
#include "agents/decisions/decision_search.h"
#include "agents/decisions/round_search.h"
#include "env/base/spec.h"

namespace schedulegym {

// An agent that searches each task by the decisions of its space.
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

struct DecisionOptions {
  std::string who;  // "agent beam"
  StagedModelOptions model;
  DecisionOrder order = DecisionOrder::kOutputsFirst;
  RoundOptions round;
};

// model, features, order and round of the spec that is read; throws InputError.
DecisionOptions ReadDecisionOptions(SpecReader& reader, const Spec& spec, const std::string& who);
// model: what the registry of models names, or else a file; of bare boosted trees features,
// "estimated" or "ansor".
StagedModelOptions ReadStagedModel(SpecReader& reader, const Spec& spec);
// "outputs" or "structure".
DecisionOrder ReadDecisionOrder(SpecReader& reader);

using PlaceVisitorMaker = std::function<std::unique_ptr<PlaceVisitor>(
    const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root)>;

// In rounds, each of them visited by what `maker` makes for a task. Throws InputError.
std::unique_ptr<Agent> MakeVisitingAgent(const DecisionOptions& options, PlaceVisitorMaker maker,
                                         const AgentContext& context);

}  // namespace schedulegym
