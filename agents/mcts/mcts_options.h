// MctsOptions: the options of the agent `mcts`, read from its spec.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/decisions/decision_options.h"
#include "agents/decisions/decision_place.h"
#include "agents/decisions/round_search.h"
#include "agents/mcts/action_policy.h"
#include "agents/mcts/measured_tree.h"
#include "agents/mcts/protuner_search.h"
#include "agents/mcts/tree_visitor.h"
#include "env/base/spec.h"

namespace schedulegym {

enum class MctsForm : uint8_t { kModel, kMeasured, kProtuner };

// The children of a place: values of a sketch's knobs, or actions of the gym's `modify` or
// `construct`.
enum class TreeActions : uint8_t { kDecisions, kModify, kConstruct };

struct MctsOptions {
  MctsForm form = MctsForm::kModel;
  TreeActions actions = TreeActions::kDecisions;
  int depth = 0;  // maximum length of walks of actions; not for decisions, which end
  // The policy that gives the prior of uct and puct. nullopt: the model gives it, or it is uniform.
  // For kModify.
  std::optional<PolicyFile> policy;
  DecisionAgentOptions agent;
  DecisionOrder order = DecisionOrder::kOutputsFirst;
  // For kModel.
  RoundOptions round;
  TreeVisitorOptions visitor;
  MeasuredTreeOptions measured;  // for kMeasured
  ProtunerOptions protuner;      // for kProtuner
};

// Throws InputError for options that are unknown, out of range, or belong to another form.
MctsOptions ReadMctsOptions(const Spec& spec);

// The parameters of `uct` and `puct` with a model, to describe their trees. Without `mode`, which
// only sets defaults, `prior` and `tree`. `growth` only if `branching` uses it.
std::vector<SpecOption> MctsParameters(const MctsOptions& options);

}  // namespace schedulegym
