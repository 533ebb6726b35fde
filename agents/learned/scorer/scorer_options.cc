// Reads the options of networks. mode=faithful sets published values: TenSet's perceptron
// (Zheng et al., NeurIPS 2021 Datasets, and its code tlc-pack/tenset: 256 wide, two blocks, batch
// 512, Adam 7e-4 with L2 1e-6, gradients cut at 0.5, 50 epochs, patience 8) and TLP (Zhai et al.,
// ASPLOS 2023, and its code: 25 tokens of 22 numbers, 256 wide, 8 heads, batch 1,024). In a search
// they learn as published: TLP's, Tiramisu's and One-Shot Tuner's do not learn. Options of another
// network are refused as unknown. Errors: InputError "model NAME: ...".
#include "agents/learned/scorer/scorer_options.h"

#include <algorithm>
#include <array>
#include <utility>

#include "env/base/fault.h"
#include "env/base/option_range.h"
#include "env/base/text.h"
#include "env/features/ansor_features.h"
#include "env/features/curve_row.h"
#include "env/features/dataflow_rows.h"
#include "env/features/program_tree.h"
#include "env/features/state_features.h"
#include "env/features/task_numbers.h"

namespace schedulegym {
namespace {

// Version of the order of decisions and rows (stage_prefixes.h); changes with the rows.
constexpr int kStagesVersion = 1;

// Values of an enum by their words.
template <typename T, size_t kCount>
T ReadNamed(SpecReader& reader, const char* key, T value,
            const std::array<std::pair<const char*, T>, kCount>& names) {
  std::vector<std::string> words;
  std::string usual;
  for (const auto& [word, named] : names) {
    words.emplace_back(word);
    if (named == value) usual = word;
  }
  const std::string chosen = reader.Choice(key, usual, words);
  for (const auto& [word, named] : names) {
    if (chosen == word) return named;
  }
  return value;
}

ScorerOptions MlpDefaults(bool is_improved) {
  ScorerOptions options;
  options.is_improved = is_improved;
  if (is_improved) return options;
  options.inputs = ProgramInputs::kAnsor;
  options.task = TaskInputs::kWords;
  options.normalised = true;
  options.order.by_task = false;
  options.held_out = 0;
  options.adaptation = NetworkAdaptation::kTune;
  options.tuning = {.steps = 10,
                    .least_new = 64,  // measured in a round
                    .part = 0,
                    .method = TuningMethod::kSgd,
                    .rate = 4e-2};
  return options;
}

ScorerOptions TlpDefaults(bool is_improved) {
  ScorerOptions options;
  options.network = ScorerNetwork::kTlp;
  options.is_improved = is_improved;
  options.inputs = ProgramInputs::kTokens;
  options.width = 64;
  if (is_improved) return options;
  options.task = TaskInputs::kNone;
  options.width = 256;
  options.length = 25;
  options.fields = 11;  // beside TLP's 11 kinds
  options.scale = TokenScale::kPlain;
  options.keeps_last = options.masked = options.order.by_task = false;
  options.order.batch = 1024;
  options.patience = options.epochs;
  options.held_out = 0;
  options.adaptation = NetworkAdaptation::kNone;
  return options;
}

// Pruner's code: as TenSet's, with a patience of 16 epochs. In a search: momentum 0.99 at each
// fourth round of 10 schedules, with the epochs and rate of its fine-tuning.
ScorerOptions PacmDefaults(bool is_improved) {
  ScorerOptions options = MlpDefaults(is_improved);
  options.network = ScorerNetwork::kPacm;
  if (is_improved) return options;
  options.patience = 16;
  options.adaptation = NetworkAdaptation::kMomentum;
  options.momentum = 0.99;
  options.tuning = {.least_new = 40, .part = 0, .method = TuningMethod::kSgd, .rate = 7e-4};
  return options;
}

// Tiramisu's code: speeds over the unoptimised schedule (here over the reference), MAPE, batches of
// 2,048 equal trees whose losses are weighted by their size, one cycle of the rate up to 1e-3,
// dropout 0.05, and the epoch of least held-out loss.
ScorerOptions RecursiveDefaults(bool is_improved) {
  ScorerOptions options;
  options.network = ScorerNetwork::kRecursive;
  options.is_improved = is_improved;
  options.width = 64;
  if (is_improved) return options;
  options.inputs = ProgramInputs::kAnsor;
  options.task = TaskInputs::kNone;
  options.width = 180;
  options.zero_start = true;
  options.loss = LossKind::kRelative;
  options.label = ProgramLabel::kReference;
  options.loss_batch = 1024;
  options.order = {.batch = 2048, .by_task = false, .list = 64, .by_tree = true};
  options.sees_accesses = options.chooses_by_loss = true;
  options.dropout = 0.05;
  options.adaptation = NetworkAdaptation::kNone;
  options.rate = 1e-3;
  options.rates = RatePlan::kOneCycle;
  options.decay = options.longest_gradient = 0;
  options.patience = options.epochs;
  return options;
}

// Steiner's widths, rates and number of value iterations are not published; TenSet's widths and
// rates are used. The value is a logarithm of time, learned by its squared error, here of speed
// over the reference. Inputs: operator and schedule, no estimate.
ScorerOptions StagesDefaults(bool is_improved) {
  ScorerOptions options;
  options.network = ScorerNetwork::kStages;
  options.is_improved = is_improved;
  options.by_decisions = is_improved;
  if (is_improved) return options;
  options.inputs = ProgramInputs::kAnsor;
  options.label = ProgramLabel::kLogarithm;
  options.loss = LossKind::kPlainSquared;
  options.order.by_task = false;
  options.iterations = 3;
  return options;
}

// One-Shot Tuner's code: three layers 1,024 wide within, MSE, Adam 1e-4 with L2 2e-4, batches of
// 4,096 from 100 bins of the label, 200 epochs, a cosine of the rate, dropout 0.25. The label is
// FLOP/s standardised over all programs. The code keeps the epoch of least validation loss on the
// training programs: here that of least training loss.
ScorerOptions OneshotDefaults(bool is_improved) {
  ScorerOptions options;
  options.network = ScorerNetwork::kOneshot;
  options.is_improved = is_improved;
  options.blocks = 3;
  options.attention_heads = 4;
  if (is_improved) return options;
  options.label = ProgramLabel::kAbsolute;
  options.loss = LossKind::kPlainSquared;
  options.chooses_by_loss = true;
  options.adaptation = NetworkAdaptation::kNone;
  options.order = {.batch = 4096, .by_task = false, .list = 64, .bins = 100};
  options.rate = 1e-4;
  options.rates = RatePlan::kCosine;
  options.dropout = 0.25;
  options.decay = 2e-4;
  options.longest_gradient = 0;
  options.epochs = options.patience = 200;
  options.held_out = 0;
  return options;
}

ScorerOptions DefaultsOf(const std::string& name, bool is_improved) {
  if (name == "mlp") return MlpDefaults(is_improved);
  if (name == "tlp") return TlpDefaults(is_improved);
  if (name == "stages") return StagesDefaults(is_improved);
  if (name == "oneshot_net") return OneshotDefaults(is_improved);
  return name == "pacm" ? PacmDefaults(is_improved) : RecursiveDefaults(is_improved);
}

void ReadFeatures(SpecReader& reader, ScorerOptions& options) {
  using Inputs = std::pair<const char*, ProgramInputs>;
  options.inputs = ReadNamed(reader, "features", options.inputs,
                             std::array<Inputs, 2>{Inputs{"estimated", ProgramInputs::kEstimated},
                                                   Inputs{"ansor", ProgramInputs::kAnsor}});
}

void ReadPacm(SpecReader& reader, ScorerOptions& options) {
  options.sees_statements = reader.Flag("statements", options.sees_statements);
  options.sees_dataflow = reader.Flag("dataflow", options.sees_dataflow);
  if (options.sees_statements || options.sees_dataflow) return;
  throw InputError(
      "model pacm: found statements=false and dataflow=false, expected one of the two at least");
}

void ReadRecursive(SpecReader& reader, RangedReader& ranged, ScorerOptions& options) {
  options.sees_accesses = reader.Flag("accesses", options.sees_accesses);
  options.dropout = ranged.Number("dropout", options.dropout, 0, 0.9);
  options.loss_batch = ranged.Integer("loss_batch", options.loss_batch, 0, 65'536);
  options.sees_tree = reader.Flag("tree", options.sees_tree);
  options.sees_loops = reader.Flag("loops", options.sees_loops);
  options.zero_start = reader.Flag("zero_start", options.zero_start);
}

// `attention_heads` must divide the width.
void ReadHeads(RangedReader& ranged, const std::string& name, ScorerOptions& options) {
  options.attention_heads = ranged.Integer("attention_heads", options.attention_heads, 1, 64);
  if (options.width % options.attention_heads == 0) return;
  throw InputError("model " + name +
                   ": attention_heads=" + std::to_string(options.attention_heads) +
                   ", expected a divisor of width=" + std::to_string(options.width));
}

void ReadTlp(SpecReader& reader, RangedReader& ranged, ScorerOptions& options) {
  options.length = ranged.Integer("length", options.length, 1, 512);
  options.fields = ranged.Integer("fields", options.fields, 1, 64);
  using Scale = std::pair<const char*, TokenScale>;
  options.scale = ReadNamed(
      reader, "scale", options.scale,
      std::array<Scale, 3>{Scale{"shares", TokenScale::kShares}, Scale{"plain", TokenScale::kPlain},
                           Scale{"log", TokenScale::kLog}});
  options.has_positions = reader.Flag("positions", options.has_positions);
  options.keeps_last =
      reader.Choice("kept", options.keeps_last ? "last" : "first", {"last", "first"}) == "last";
  options.masked = reader.Flag("masked", options.masked);
  using Mixing = std::pair<const char*, TokenMixing>;
  options.mixing = ReadNamed(reader, "mixing", options.mixing,
                             std::array<Mixing, 3>{Mixing{"attention", TokenMixing::kAttention},
                                                   Mixing{"lstm", TokenMixing::kLstm},
                                                   Mixing{"none", TokenMixing::kNone}});
  ReadHeads(ranged, "tlp", options);
}

void ReadStages(SpecReader& reader, RangedReader& ranged, ScorerOptions& options) {
  ReadFeatures(reader, options);
  options.sees_order = reader.Flag("order", options.sees_order);
  options.sees_acquired = reader.Flag("acquired", options.sees_acquired);
  options.cuts_stages = reader.Choice("cuts", "stages", {"stages", "decisions"}) == "stages";
  options.prefixes = ranged.Integer("prefixes", options.prefixes, 1, 1000);
  using Targets = std::pair<const char*, StageTargets>;
  options.targets = ReadNamed(reader, "targets", options.targets,
                              std::array<Targets, 2>{Targets{"best", StageTargets::kBest},
                                                     Targets{"own", StageTargets::kOwn}});
  options.iterations = ranged.Integer("iterations", options.iterations, 0, 100);
  using Named = std::pair<const char*, StageEvaluator>;
  options.evaluator =
      ReadNamed(reader, "evaluator", options.evaluator,
                std::array<Named, 2>{Named{"pretrained", StageEvaluator::kPretrained},
                                     Named{"analytical", StageEvaluator::kAnalytical}});
}

// Reads the options that only some networks have.
void ReadOwn(SpecReader& reader, RangedReader& ranged, ScorerOptions& options) {
  if (options.network == ScorerNetwork::kTlp) return ReadTlp(reader, ranged, options);
  if (options.network == ScorerNetwork::kStages) return ReadStages(reader, ranged, options);
  if (options.network == ScorerNetwork::kOneshot) {
    options.dropout = ranged.Number("dropout", options.dropout, 0, 0.9);
    return ReadHeads(ranged, "oneshot_net", options);
  }
  ReadFeatures(reader, options);
  if (options.network == ScorerNetwork::kRecursive) return ReadRecursive(reader, ranged, options);
  options.normalised = reader.Flag("normalised", options.normalised);
  if (options.network == ScorerNetwork::kPacm) ReadPacm(reader, options);
}

void ReadAdaptation(SpecReader& reader, RangedReader& ranged, ScorerOptions& options) {
  using Adaptation = std::pair<const char*, NetworkAdaptation>;
  options.adaptation =
      ReadNamed(reader, "adapt", options.adaptation,
                std::array<Adaptation, 5>{Adaptation{"trees", NetworkAdaptation::kTrees},
                                          Adaptation{"none", NetworkAdaptation::kNone},
                                          Adaptation{"tune", NetworkAdaptation::kTune},
                                          Adaptation{"momentum", NetworkAdaptation::kMomentum},
                                          Adaptation{"residual", NetworkAdaptation::kResidual}});
  options.momentum = ranged.Number("momentum", options.momentum, 0, 1);
  NetworkTuning& tuning = options.tuning;
  tuning.epochs = ranged.Integer("tune_epochs", tuning.epochs, 1, 1000);
  tuning.steps = ranged.Integer("tune_steps", tuning.steps, 0, 100'000);
  tuning.least_new = ranged.Integer("tune_new", tuning.least_new, 1, 100'000);
  tuning.part = ranged.Integer("tune_part", tuning.part, 0, 1000);
  using Method = std::pair<const char*, TuningMethod>;
  tuning.method = ReadNamed(reader, "tune_optimiser", tuning.method,
                            std::array<Method, 3>{Method{"same", TuningMethod::kSame},
                                                  Method{"adam", TuningMethod::kAdam},
                                                  Method{"sgd", TuningMethod::kSgd}});
  tuning.rate = ranged.Number("tune_rate", tuning.rate, 0, 1);
}

void ReadLists(SpecReader& reader, ScorerOptions& options) {
  std::vector<std::string> known = {"task", "batch"};
  if (options.network == ScorerNetwork::kStages) known.push_back("decisions");
  if (options.network == ScorerNetwork::kRecursive) known.push_back("tree");
  const std::string usual = options.by_decisions    ? "decisions"
                            : options.order.by_tree ? "tree"
                            : options.order.by_task ? "task"
                                                    : "batch";
  const std::string chosen = reader.Choice("lists", usual, known);
  options.by_decisions = chosen == "decisions";
  options.order.by_tree = chosen == "tree";
  options.order.by_task = chosen != "batch" && chosen != "tree";
}

// Labels that are not parts of 1 need a loss on numbers. In a search only seconds are known.
void CheckLabel(const ScorerOptions& options) {
  if (options.label == ProgramLabel::kTask) return;
  const bool fits =
      options.loss == LossKind::kPlainSquared ||
      (options.loss == LossKind::kRelative && options.label == ProgramLabel::kReference);
  if (!fits) {
    throw InputError(
        "model: found a label other than task, expected loss=plain_mse, or loss=mape with "
        "label=reference");
  }
  const bool learns = options.adaptation == NetworkAdaptation::kTune ||
                      options.adaptation == NetworkAdaptation::kMomentum;
  if (learns) {
    throw InputError(
        "model: found adapt=tune or momentum with a label other than task, which a search does not "
        "know; expected label=task, or adapt=none, residual or trees");
  }
  if (options.label == ProgramLabel::kAbsolute && options.iterations > 0) {
    throw InputError("model stages: found label=absolute with iterations, expected iterations=0");
  }
}

void ReadLabel(SpecReader& reader, ScorerOptions& options) {
  using Label = std::pair<const char*, ProgramLabel>;
  options.label = ReadNamed(reader, "label", options.label,
                            std::array<Label, 4>{Label{"task", ProgramLabel::kTask},
                                                 Label{"reference", ProgramLabel::kReference},
                                                 Label{"logarithm", ProgramLabel::kLogarithm},
                                                 Label{"absolute", ProgramLabel::kAbsolute}});
  using Loss = std::pair<const char*, LossKind>;
  options.loss =
      ReadNamed(reader, "loss", options.loss,
                std::array<Loss, 5>{
                    Loss{"lambdarank", LossKind::kLambdaRank}, Loss{"ranknet", LossKind::kRankNet},
                    Loss{"mse", LossKind::kSquared}, Loss{"plain_mse", LossKind::kPlainSquared},
                    Loss{"mape", LossKind::kRelative}});
  CheckLabel(options);
  options.chooses_by_loss = reader.Choice("choice", options.chooses_by_loss ? "loss" : "pairs",
                                          {"pairs", "loss"}) == "loss";
}

void ReadLearning(SpecReader& reader, RangedReader& ranged, ScorerOptions& options) {
  ReadLabel(reader, options);
  BatchOrderOptions& order = options.order;
  ReadLists(reader, options);
  order.batch = ranged.Integer("batch", order.batch, 2, 65'536);
  order.list = ranged.Integer("list", order.list, 2, 65'536);
  order.bins = ranged.Integer("bins", order.bins, 0, 65'536);
  if (order.bins > 0 && order.by_task) {
    throw InputError("model: found bins=" + std::to_string(order.bins) +
                     " with lists=task, expected lists=batch or bins=0");
  }
  options.uses_adam =
      reader.Choice("optimiser", options.uses_adam ? "adam" : "sgd", {"adam", "sgd"}) == "adam";
  options.rate = ranged.Number("rate", options.rate, 1e-8, 1);
  using Plan = std::pair<const char*, RatePlan>;
  options.rates = ReadNamed(
      reader, "rates", options.rates,
      std::array<Plan, 3>{Plan{"constant", RatePlan::kConstant}, Plan{"cosine", RatePlan::kCosine},
                          Plan{"onecycle", RatePlan::kOneCycle}});
  options.decay = ranged.Number("decay", options.decay, 0, 1);
  options.longest_gradient = ranged.Number("longest_gradient", options.longest_gradient, 0, 1e6);
  options.epochs = ranged.Integer("epochs", options.epochs, 1, 100'000);
  options.patience = ranged.Integer("patience", options.patience, 1, 100'000);
  options.held_out = ranged.Number("held_out", options.held_out, 0, 0.5);
}

std::string InputsMeaning(const ScorerOptions& options) {
  if (options.network == ScorerNetwork::kOneshot) return "curves " + std::to_string(kCurveVersion);
  const std::string ansor = "ansor " + std::to_string(kAnsorFeatureVersion);
  switch (options.inputs) {
    case ProgramInputs::kAnsor: return ansor;
    case ProgramInputs::kEstimated:
      return ansor + ", estimate " + std::to_string(kEstimatedFeatureVersion);
    case ProgramInputs::kTokens: return "tokens " + std::to_string(kTokenVersion);
  }
  return "";
}

}  // namespace

std::span<const ScorerText> ScorerTexts() {
  static constexpr ScorerText kTexts[] = {
      {"mlp",
       "mode=improved, features=estimated, task=numbers, heads=one, width=256, blocks=2, "
       "adapt=trees, momentum=0.9, label=task, loss=lambdarank, lists=task, epochs=50, patience=8, "
       "held_out=0.1",
       "a perceptron for each statement, summed (TenSet's); mode=faithful is the published one"},
      {"tlp",
       "mode=improved, length=48, task=numbers, heads=one, width=64, blocks=2, mixing=attention, "
       "positions=false, scale=shares, adapt=trees, momentum=0.9, label=task, loss=lambdarank, "
       "lists=task, epochs=50, patience=8, held_out=0.1",
       "attention over the primitives of a schedule, which is not lowered (TLP's); heads=target "
       "is MTL-TLP's"},
      {"pacm",
       "mode=improved, features=estimated, statements=true, dataflow=true, task=numbers, "
       "heads=one, width=256, blocks=2, adapt=trees, momentum=0.9, label=task, loss=lambdarank, "
       "lists=task, epochs=50, patience=8, held_out=0.1",
       "statements as mlp sees them, and attention over the accesses of the main reduction "
       "(Pruner's)"},
      {"recursive",
       "mode=improved, features=estimated, tree=true, loops=true, task=numbers, heads=one, "
       "accesses=false, dropout=0, width=64, adapt=trees, momentum=0.9, label=task, "
       "loss=lambdarank, lists=task, epochs=50, patience=8, held_out=0.1",
       "an embedding of the tree of loops, from the innermost out (TIRAMISU's)"},
      {"stages",
       "mode=improved, features=estimated, order=true, acquired=true, prefixes=4, cuts=stages, "
       "targets=best, iterations=0, evaluator=pretrained, task=numbers, heads=one, width=256, "
       "label=task, loss=lambdarank, lists=decisions, epochs=50, patience=8, held_out=0.1",
       "an LSTM over the stages of partial schedules, for the agent value (Steiner's)"},
      {"oneshot_net",
       "mode=improved, task=numbers, heads=one, width=256, blocks=3, dropout=0, bins=0, "
       "adapt=trees, momentum=0.9, label=task, loss=lambdarank, lists=task, epochs=50, patience=8, "
       "held_out=0.1",
       "transformer layers over one row of curves and knobs, for the agent oneshot (One-Shot "
       "Tuner's)"},
  };
  return kTexts;
}

bool IsScorer(std::string_view name) {
  return std::ranges::any_of(ScorerTexts(),
                             [&](const ScorerText& text) { return name == text.name; });
}

ScorerOptions ReadScorerOptions(const Spec& spec) {
  if (!IsScorer(spec.name)) {
    std::vector<std::string> names;
    for (const ScorerText& text : ScorerTexts()) names.emplace_back(text.name);
    throw InputError(UnknownName("model", spec.name, names));
  }
  SpecReader reader(spec, "model");
  RangedReader ranged(reader, "model " + spec.name);
  const bool is_improved =
      reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
  ScorerOptions options = DefaultsOf(spec.name, is_improved);
  using Task = std::pair<const char*, TaskInputs>;
  options.task = ReadNamed(
      reader, "task", options.task,
      std::array<Task, 3>{Task{"numbers", TaskInputs::kNumbers}, Task{"words", TaskInputs::kWords},
                          Task{"none", TaskInputs::kNone}});
  options.head_per_target = reader.Choice("heads", "one", {"one", "target"}) == "target";
  options.width = ranged.Integer("width", options.width, 1, 4096);
  if (options.network != ScorerNetwork::kRecursive && options.network != ScorerNetwork::kStages) {
    options.blocks = ranged.Integer("blocks", options.blocks, 0, 16);
  }
  ReadOwn(reader, ranged, options);
  if (options.network != ScorerNetwork::kStages) ReadAdaptation(reader, ranged, options);
  ReadLearning(reader, ranged, options);
  reader.Finish();
  return options;
}

std::string MeaningOf(const ScorerOptions& options) {
  std::string meaning = InputsMeaning(options);
  if (options.network == ScorerNetwork::kStages) {
    meaning += ", stages " + std::to_string(kStagesVersion);
  }
  if (options.network == ScorerNetwork::kPacm) {
    meaning += ", dataflow " + std::to_string(kDataflowVersion);
  }
  if (options.network == ScorerNetwork::kRecursive) {
    meaning += ", tree " + std::to_string(kProgramTreeVersion);
    if (options.sees_accesses) meaning += ", accesses 1";
  }
  if (options.task == TaskInputs::kNumbers) {
    meaning += ", task " + std::to_string(kTaskNumbersVersion);
  }
  if (options.task == TaskInputs::kWords) meaning += ", words 1";
  return meaning;
}

}  // namespace schedulegym
