// DecisionOptions: options that the agents over decisions share, read from their specs.
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

// Options of an agent that searches each task over the decisions of its space.
struct DecisionAgentOptions {
  std::string who;                          // prefix of messages: "agent mcts"
  std::optional<StagedModelOptions> model;  // nullopt: searches without a model
  std::string tree_file;                    // written with its trees after each batch; "": none
};

// All tasks share one model. Its predictions are noted on the proposals:
// predicted(seconds=0.00011). Throws InputError if the file of the model cannot be read or that of
// the trees cannot be written.
std::unique_ptr<Agent> MakeDecisionAgent(const DecisionAgentOptions& options,
                                         DecisionSearchMaker maker, const AgentContext& context);

struct DecisionOptions {
  std::string who;  // "agent beam"
  StagedModelOptions model;
  DecisionOrder order = DecisionOrder::kOutputsFirst;
  RoundOptions round;
};

// Reads the options model, features, order and round of a spec. Throws InputError.
DecisionOptions ReadDecisionOptions(SpecReader& reader, const Spec& spec, const std::string& who);
// Reads `model`, a name of the model registry or a file, and `features`, "estimated" or "ansor",
// which only boosted trees without options have.
StagedModelOptions ReadStagedModel(SpecReader& reader, const Spec& spec);
// "outputs" or "structure".
DecisionOrder ReadDecisionOrder(SpecReader& reader);

using PlaceVisitorMaker = std::function<std::unique_ptr<PlaceVisitor>(
    const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root)>;

// An agent that searches in rounds; `maker` makes the visitor of each task. Throws InputError.
std::unique_ptr<Agent> MakeVisitingAgent(const DecisionOptions& options, PlaceVisitorMaker maker,
                                         const AgentContext& context);

}  // namespace schedulegym
