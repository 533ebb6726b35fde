// Reads the options of `mcts`, with defaults by form: uct as published (Kocsis and Szepesvari, ECML
// 2006; c = sqrt 2, two children: Tang et al., NeurIPS 2025, section 4) or improved, protuner
// (Haj-Ali et al., arXiv 2005.13685), measured (tinygrad's extra/mcts_search.py), puct. The effect
// of each switch of `improved` is in docs/design/tree-search.md. MctsParameters prints the options
// as read, so that help shows real defaults.
#include "agents/mcts/mcts_options.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

constexpr const char* kWho = "agent mcts";
constexpr double kRootOfTwo = 1.4142135623730951;
constexpr int kMostIterations = 100'000'000;
// Limits of the depth of walks. `modify` has a schedule at every step; `construct` needs some dozen
// actions to reach a good one.
constexpr int kModifyDepth = 8;
constexpr int kConstructDepth = 100;
constexpr int kMostDepth = 1000;
constexpr double kMostSeconds = 86'400;  // of a decision

// Defaults of the forms uct and puct. docs/design/tree-search.md lists the other changes of
// `improved`, with the effect of each.
struct Defaults {
  double constant = kRootOfTwo;  // Kocsis and Szepesvari, 2006; Tang et al., NeurIPS 2025
  double branching = 2;          // Tang et al., section 4: B = 2
  double growth = 0;
  const char* value = "mean";
  double floor = 0;
  bool joins = false;
  int trees = 1;
  int greedy = 0;
  double near = 0;
  double local = 0;
  double epsilon = 0;
  double doubted = 0;
  bool waits = false;
};

Defaults ImprovedDefaults() {
  return {.constant = 1,
          .branching = 0,
          .growth = 0.5,
          .value = "mixed",
          .joins = true,
          .near = 0.25,
          .local = 0.2,
          .epsilon = 0.05,
          .waits = true};
}

// Defaults of uct with values from a model.
void SharpenByModel(Defaults& defaults, TreeActions actions) {
  defaults.constant = 0.5;
  defaults.floor = 0.5;
  // A greedy completion evaluates all children at each step; actions have hundreds.
  if (actions != TreeActions::kDecisions) return;
  defaults.trees = 2;
  defaults.greedy = 1;
}

NodeValue ReadValue(SpecReader& reader, const char* standard) {
  const std::string value = reader.Choice("value", standard, {"mean", "best", "mixed"});
  if (value == "best") return NodeValue::kBest;
  return value == "mean" ? NodeValue::kMean : NodeValue::kMixed;
}

// Returns nullopt (no limit) if `branching` is 0.
std::optional<Widening> ReadWidening(RangedReader& ranged, double branching, double growth) {
  Widening widening;
  widening.factor = ranged.Number("branching", branching, 0, 1000);
  widening.exponent = ranged.Number("growth", growth, 0, 1);
  return widening.factor > 0 ? std::optional(widening) : std::nullopt;
}

// Reads the options of uct and puct, for any source of values.
TreeOptions ReadTree(SpecReader& reader, RangedReader& ranged, const Defaults& defaults,
                     TreeActions actions, bool is_puct) {
  TreeOptions tree;
  tree.selection.kind = is_puct ? SelectionKind::kPuct : SelectionKind::kAdditive;
  tree.selection.constant = ranged.Number("constant", defaults.constant, 0, 1000);
  // Priors decide when children are opened.
  if (!is_puct) tree.widening = ReadWidening(ranged, defaults.branching, defaults.growth);
  tree.value = ReadValue(reader, defaults.value);
  tree.scale = reader.Flag("scaled", true) ? ValueScale::kRange : ValueScale::kNone;
  if (tree.scale == ValueScale::kRange) {
    tree.floor = ranged.Number("floor", defaults.floor, 0, 0.99);
  }
  tree.joins = reader.Flag("joins", defaults.joins);
  if (actions == TreeActions::kDecisions) tree.depth = ranged.Integer("depth", 0, 0, kMostDepth);
  tree.virtual_loss = ranged.Integer("virtual_loss", 1, 0, 1000);
  return tree;
}

// Walks have a depth limit, and no order of decisions.
void ReadActions(SpecReader& reader, RangedReader& ranged, MctsOptions& options) {
  const std::string actions =
      reader.Choice("actions", "decisions", {"decisions", "modify", "construct"});
  if (actions == "decisions") {
    options.order = ReadDecisionOrder(reader);
    return;
  }
  const bool is_modify = actions == "modify";
  options.actions = is_modify ? TreeActions::kModify : TreeActions::kConstruct;
  options.depth =
      ranged.Integer("depth", is_modify ? kModifyDepth : kConstructDepth, 1, kMostDepth);
}

void ReadGuided(SpecReader& reader, RangedReader& ranged, const Defaults& defaults,
                MctsOptions& options) {
  TreeVisitorOptions& visitor = options.visitor;
  visitor.iterations = ranged.Integer("iterations", visitor.iterations, 1, kMostIterations);
  visitor.reuse = reader.Flag("reuse", visitor.reuse);
  TreeEnsembleOptions& ensemble = visitor.ensemble;
  ensemble.trees = ranged.Integer("trees", defaults.trees, 1, 1000);
  ensemble.greedy =
      ranged.Integer("greedy", std::min(defaults.greedy, ensemble.trees - 1), 0, ensemble.trees);
  ensemble.leaves = ranged.Integer("leaves", 64, 1, 1000);
  ensemble.near = ranged.Number("near", defaults.near, 0, 0.9);
  options.round.round = ranged.Integer("round", options.round.round, 1, 100'000);
  options.round.epsilon = ranged.Number("epsilon", defaults.epsilon, 0, 1);
  options.round.doubted = ranged.Number("doubted", defaults.doubted, 0, 1);
}

// Limit of units of a layer, as for the agent that trains policies.
constexpr int kMostHidden = 4096;

PolicyFile ReadPolicyFile(const Spec& spec, TreeActions actions) {
  SpecReader reader(spec, "prior");
  RangedReader ranged(reader, "prior policy");
  PolicyFile file = {reader.Word("file", "")};
  file.hidden = ranged.Integer("hidden", file.hidden, 1, kMostHidden);
  reader.Finish();
  if (file.path.empty()) throw InputError("agent mcts: found prior=policy without file=FILE");
  if (actions == TreeActions::kModify) return file;
  throw InputError("agent mcts: found prior=policy of other actions, expected actions=modify");
}

// Returns whether the prior is the model's. Reads the policy file if one is named.
bool ReadPrior(SpecReader& reader, bool is_puct, MctsOptions& options) {
  const std::optional<Spec> prior = reader.OptionalSpec("prior");
  if (!prior) return is_puct;
  if (prior->name == "policy") {
    options.policy = ReadPolicyFile(*prior, options.actions);
    return false;
  }
  const bool is_word = prior->options.empty();
  if (is_word && (prior->name == "model" || prior->name == "uniform")) {
    return prior->name == "model";
  }
  throw InputError("agent mcts: prior: found " + prior->ToText() +
                   ", expected one of uniform, model, policy(file=FILE)");
}

void ReadUct(SpecReader& reader, RangedReader& ranged, const Spec& spec, bool is_puct,
             MctsOptions& options) {
  const bool improved = reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
  Defaults defaults = improved ? ImprovedDefaults() : Defaults();
  const bool by_model = reader.Choice("reward", "model", {"model", "measured"}) == "model";
  if (improved && by_model && !is_puct) SharpenByModel(defaults, options.actions);
  // In uct the prior only orders the first visits.
  const bool model_prior = ReadPrior(reader, is_puct, options);
  const TreeOptions tree = ReadTree(reader, ranged, defaults, options.actions, is_puct);
  const double local = ranged.Number("local", defaults.local, 0, 1);
  if (by_model || model_prior) {
    options.agent.model = ReadStagedModel(reader, spec);
    options.round.waits = options.measured.waits = reader.Flag("waits", defaults.waits);
  }
  if (by_model) {
    ReadGuided(reader, ranged, defaults, options);
    options.visitor.ensemble.tree = tree;
    options.visitor.model_prior = model_prior;
    options.round.local = local;
    return;
  }
  options.form = MctsForm::kMeasured;
  options.measured.tree = tree;
  options.measured.local = local;
  options.measured.model_prior = model_prior;
}

// tinygrad's (extra/mcts_search.py): a node's value is the best below it, as a share of the best of
// all; the constant is sqrt 2 (4 and 3 were tried, too); one child is drawn, at a temperature of
// 0.5.
void ReadMeasured(RangedReader& ranged, MctsOptions& options) {
  options.form = MctsForm::kMeasured;
  TreeOptions& tree = options.measured.tree;
  tree.selection.kind = SelectionKind::kSoftmax;
  tree.selection.constant = ranged.Number("constant", kRootOfTwo, 0, 1000);
  tree.selection.temperature = ranged.Number("temperature", 0.5, 1e-6, 1000);
  tree.value = NodeValue::kBest;
  tree.scale = ValueScale::kHighest;
  tree.drops = true;
  options.measured.takes_speeds = true;
}

RootRule ReadRoot(SpecReader& reader) {
  const std::string rule = reader.Choice("root", "best", {"best", "mean", "visits"});
  if (rule == "mean") return RootRule::kMean;
  return rule == "visits" ? RootRule::kVisits : RootRule::kBest;
}

void ReadProtuner(SpecReader& reader, RangedReader& ranged, const Spec& spec,
                  MctsOptions& options) {
  options.form = MctsForm::kProtuner;
  options.agent.model = ReadStagedModel(reader, spec);
  options.agent.model->label = BoostedLabel::kLogSeconds;  // its costs are seconds
  ProtunerOptions& protuner = options.protuner;
  protuner.seconds = ranged.Number("seconds", 0, 0, kMostSeconds);
  // The clock alone ends a decision, unless an option sets another limit.
  const int iterations = protuner.seconds > 0 ? kMostIterations : protuner.iterations;
  protuner.iterations = ranged.Integer("iterations", iterations, 1, kMostIterations);
  protuner.root = ReadRoot(reader);
  protuner.measured = ranged.Integer("measure", protuner.measured, 0, 1000);
  TreeEnsembleOptions& ensemble = protuner.ensemble;
  ensemble.trees = ranged.Integer("trees", ensemble.trees, 1, 1000);
  ensemble.greedy = ranged.Integer("greedy", ensemble.greedy, 0, ensemble.trees);
  const std::string selection =
      reader.Choice("selection", "multiplicative", {"multiplicative", "additive"});
  if (selection == "multiplicative") return;
  ensemble.tree.selection.kind = SelectionKind::kAdditive;
  ensemble.tree.selection.constant = ranged.Number("constant", kRootOfTwo, 0, 1000);
}

SpecValue Word(const char* word) { return {Spec{word, {}}}; }

const char* WordOf(NodeValue value) {
  if (value == NodeValue::kMixed) return "mixed";
  return value == NodeValue::kMean ? "mean" : "best";
}

const char* WordOf(TreeActions actions) {
  if (actions == TreeActions::kDecisions) return "decisions";
  return actions == TreeActions::kModify ? "modify" : "construct";
}

SpecValue WordOf(const StagedModelOptions& model) {
  if (!model.file.empty()) return {model.file};
  if (model.spec) return {*model.spec};
  if (model.kind == StagedModelOptions::Kind::kBoosted) return Word("boosted");
  return Word(model.kind == StagedModelOptions::Kind::kRandom ? "random" : "analytical");
}

void AddTree(const TreeOptions& tree, std::vector<SpecOption>& all) {
  all.push_back({"constant", {tree.selection.constant}});
  if (tree.selection.kind != SelectionKind::kPuct) {
    all.push_back({"branching", {tree.widening ? tree.widening->factor : 0.0}});
    if (tree.widening) all.push_back({"growth", {tree.widening->exponent}});
  }
  all.push_back({"value", Word(WordOf(tree.value))});
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

MctsOptions ReadMctsOptions(const Spec& spec) {
  SpecReader reader(spec, "agent");
  RangedReader ranged(reader, kWho);
  MctsOptions options;
  options.agent.who = kWho;
  options.agent.tree_file = reader.Word("tree", "");
  ReadActions(reader, ranged, options);
  const std::string form = reader.Choice("form", "uct", {"uct", "protuner", "measured", "puct"});
  if (form == "protuner") {
    ReadProtuner(reader, ranged, spec, options);
  } else if (form == "measured") {
    ReadMeasured(ranged, options);
  } else {
    ReadUct(reader, ranged, spec, form == "puct", options);
  }
  reader.Finish();
  return options;
}

std::vector<SpecOption> MctsParameters(const MctsOptions& options) {
  SG_CHECK(options.form == MctsForm::kModel && options.agent.model, "a model tells the trees");
  const TreeOptions& tree = options.visitor.ensemble.tree;
  const bool is_puct = tree.selection.kind == SelectionKind::kPuct;
  std::vector<SpecOption> all = {{"form", Word(is_puct ? "puct" : "uct")},
                                 {"reward", Word("model")},
                                 {"model", WordOf(*options.agent.model)}};
  if (options.agent.model->kind == StagedModelOptions::Kind::kBoosted) {
    const bool is_ansor = options.agent.model->features == ModelFeatures::kAnsor;
    all.push_back({"features", Word(is_ansor ? "ansor" : "estimated")});
  }
  const bool is_decisions = options.actions == TreeActions::kDecisions;
  all.push_back({"actions", Word(WordOf(options.actions))});
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
