// MctsOptions: how the agent `mcts` searches, as its spec says it.
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

// What the ways on from a place are: values of a sketch's knobs, or actions of the gym's `modify`
// or `construct`.
enum class TreeActions : uint8_t { kDecisions, kModify, kConstruct };

struct MctsOptions {
  MctsForm form = MctsForm::kModel;
  TreeActions actions = TreeActions::kDecisions;
  int depth = 0;  // of walks of actions, at most; none of decisions, which end
  // Whose word is the prior of uct and puct; none: the model's, or all ways on are alike. Of
  // kModify.
  std::optional<PolicyFile> policy;
  DecisionAgentOptions agent;
  DecisionOrder order = DecisionOrder::kOutputsFirst;
  // Of kModel.
  RoundOptions round;
  TreeVisitorOptions visitor;
  MeasuredTreeOptions measured;  // of kMeasured
  ProtunerOptions protuner;      // of kProtuner
};

// Throws InputError for what does not exist, is out of range, or belongs to another form.
MctsOptions ReadMctsOptions(const Spec& spec);

// Those of `uct` and `puct` by a model, whose trees are told by it; but `mode`, which only says
// what the others begin as, `prior` and `tree`. `growth` alone where `branching` makes it act.
std::vector<SpecOption> MctsParameters(const MctsOptions& options);

}  // namespace schedulegym
