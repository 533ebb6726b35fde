#include "agents/mcts/mcts_parameters.h"

#include "env/base/check.h"

namespace schedulegym {
namespace {

SpecValue Word(const char* word) { return {Spec{word, {}}}; }

const char* NameOf(NodeValue value) {
  if (value == NodeValue::kMixed) return "mixed";
  return value == NodeValue::kMean ? "mean" : "best";
}

const char* NameOf(TreeActions actions) {
  if (actions == TreeActions::kDecisions) return "decisions";
  return actions == TreeActions::kModify ? "modify" : "construct";
}

SpecValue NameOf(const StagedModelOptions& model) {
  if (!model.file.empty()) return {model.file};
  if (model.kind == StagedModelOptions::Kind::kBoosted) return Word("boosted");
  return Word(model.kind == StagedModelOptions::Kind::kRandom ? "random" : "analytical");
}

void AddTree(const TreeOptions& tree, std::vector<SpecOption>& all) {
  all.push_back({"constant", {tree.selection.constant}});
  if (tree.selection.kind != SelectionKind::kPuct) {
    all.push_back({"branching", {tree.widening ? tree.widening->factor : 0.0}});
    if (tree.widening) all.push_back({"growth", {tree.widening->exponent}});
  }
  all.push_back({"value", Word(NameOf(tree.value))});
  const bool is_scaled = tree.scale == ValueScale::kRange;
  all.push_back({"scaled", {is_scaled}});
  if (is_scaled) all.push_back({"floor", {tree.floor}});
  all.push_back({"joins", {tree.joins}});
  all.push_back({"virtual_loss", {int64_t{tree.virtual_loss}}});
}

void AddGuided(const MctsOptions& options, std::vector<SpecOption>& all) {
  const TreeEnsembleOptions& ensemble = options.visitor.ensemble;
  all.push_back({"iterations", {int64_t{options.visitor.iterations}}});
  all.push_back({"reuse", {options.visitor.reuse}});
  all.push_back({"trees", {int64_t{ensemble.trees}}});
  all.push_back({"greedy", {int64_t{ensemble.greedy}}});
  all.push_back({"leaves", {int64_t{ensemble.leaves}}});
  all.push_back({"near", {ensemble.near}});
  all.push_back({"round", {int64_t{options.round.round}}});
  all.push_back({"local", {options.round.local}});
  all.push_back({"epsilon", {options.round.epsilon}});
  all.push_back({"doubted", {options.round.doubted}});
  all.push_back({"waits", {options.round.waits}});
}

}  // namespace

std::vector<SpecOption> MctsParameters(const MctsOptions& options) {
  SG_CHECK(options.form == MctsForm::kModel && options.agent.model, "a model tells the trees");
  const TreeOptions& tree = options.visitor.ensemble.tree;
  const bool is_puct = tree.selection.kind == SelectionKind::kPuct;
  std::vector<SpecOption> all = {{"form", Word(is_puct ? "puct" : "uct")},
                                 {"reward", Word("model")},
                                 {"model", NameOf(*options.agent.model)}};
  if (options.agent.model->kind == StagedModelOptions::Kind::kBoosted) {
    const bool is_ansor = options.agent.model->features == ModelFeatures::kAnsor;
    all.push_back({"features", Word(is_ansor ? "ansor" : "estimated")});
  }
  const bool is_decisions = options.actions == TreeActions::kDecisions;
  all.push_back({"actions", Word(NameOf(options.actions))});
  if (is_decisions) {
    const bool is_outputs = options.order == DecisionOrder::kOutputsFirst;
    all.push_back({"order", Word(is_outputs ? "outputs" : "structure")});
  }
  all.push_back({"depth", {int64_t{is_decisions ? tree.depth : options.depth}}});
  AddTree(tree, all);
  AddGuided(options, all);
  return all;
}

}  // namespace schedulegym
