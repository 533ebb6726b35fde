#include "experiments/cli/evaluate/offline_model.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "agents/cost/program_states.h"
#include "agents/cost/staged_cost_model.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/model_state_file.h"
#include "env/base/option_range.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/program/workloads/program_split.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

struct TreesSpec {
  BoostingOptions boosting;
  ModelFeatures features = ModelFeatures::kEstimated;
  BoostedLabel label = BoostedLabel::kSpeed;
  std::string file;  // "" for trees to be trained
};

// What the columns of saved trees mean, as BoostedCostModel writes it.
void ReadMeaning(TreesSpec& spec, const std::string& text) {
  const std::string meaning = Forest::FromXgboost(text).meaning();
  const auto has = [&](const char* part) { return meaning.find(part) != std::string::npos; };
  if (!meaning.empty() && !has("estimate")) spec.features = ModelFeatures::kAnsor;
  if (has("log-seconds")) spec.label = BoostedLabel::kLogSeconds;
}

OfflineModel MakeTrees(const std::string& name, TreesSpec spec, const std::string& trees,
                       const StopToken& stop) {
  if (!trees.empty()) ReadMeaning(spec, trees);
  auto model = std::make_unique<BoostedCostModel>(TrainingCadence::kAdaptive, spec.boosting,
                                                  spec.features, stop, spec.label);
  BoostedCostModel* untrained = model.get();
  if (!trees.empty()) {
    model->LoadText(trees);
    untrained = nullptr;
  }
  return {name, std::move(model), untrained};
}

OfflineModel LoadTrees(const std::string& name, const TreesSpec& spec, const StopToken& stop) {
  if (spec.file.empty()) return MakeTrees(name, spec, "", stop);
  const std::string text = ReadModelState(spec.file, kModelFile, {kBoostedKind}).text;
  try {
    return MakeTrees(name, spec, text, stop);
  } catch (const InputError& fault) {
    throw InputError("cost model '" + spec.file + "': " + fault.what());
  }
}

// TenSet's (xgb_model.py), with splits at the borders of 256 bins.
BoostingOptions OfflineBoosting() {
  BoostingOptions options;
  options.max_depth = 6;
  options.gamma = 0.003;
  options.min_child_weight = 2;
  options.eta = 0.2;
  options.bins = true;
  options.most_rounds = 300;
  options.patience = 100;
  return options;
}

TreesSpec ReadTrees(const Spec& spec) {
  SpecReader reader(spec, "model");
  RangedReader ranged(reader, "model boosted");
  TreesSpec trees{.boosting = OfflineBoosting()};
  trees.file = reader.Word("file", "");
  if (reader.Choice("features", "estimated", {"estimated", "ansor"}) == "ansor") {
    trees.features = ModelFeatures::kAnsor;
  }
  if (reader.Choice("label", "speed", {"speed", "log_seconds"}) == "log_seconds") {
    trees.label = BoostedLabel::kLogSeconds;
  }
  trees.boosting.max_depth = ranged.Integer("depth", trees.boosting.max_depth, 1, 20);
  trees.boosting.most_rounds = ranged.Integer("rounds", trees.boosting.most_rounds, 1, 100'000);
  reader.Finish();
  return trees;
}

bool IsSameOrNear(const TaskInfo& a, const TaskInfo& b) {
  if (a.dag == b.dag) return true;
  const Result<Spec> spec_a = ParseWorkload(a.workload), spec_b = ParseWorkload(b.workload);
  return spec_a && spec_b && !spec_a->options.empty() && IsNear(*spec_a, *spec_b);
}

OfflineModel MakeStaged(const std::string& name, StagedModelOptions::Kind kind, Rng rng) {
  return {name, std::make_unique<StagedCostModel>(StagedModelOptions{.kind = kind}, rng)};
}

}  // namespace

OfflineModel MakeOfflineModel(const std::string& word, Rng rng, const StopToken& stop) {
  const Result<Spec> spec = ParseSpec(word);
  const std::string name = spec ? spec->name : word;
  if (name == "boosted") return LoadTrees(word, ReadTrees(*spec), stop);
  if (name == "analytical" || name == "random") {
    SpecReader(*spec, "model").Finish();
    const bool is_random = name == "random";
    return MakeStaged(
        word, is_random ? StagedModelOptions::Kind::kRandom : StagedModelOptions::Kind::kAnalytical,
        rng);
  }
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return LoadTrees(word, {.file = word}, stop);
  throw InputError(UnknownName("model", word, {"analytical", "boosted", "random"}) +
                   ", or a file of tune --save-model or train");
}

std::string TrainTrees(std::span<const TaskPrograms> tasks, BoostedCostModel& untrained,
                       const StopToken& stop) {
  for (const TaskPrograms& programs : tasks) {
    const auto task = TaskOfTexts(programs.info.workload, programs.info.dag, programs.info.target);
    std::vector<std::string> traces;
    std::vector<std::optional<double>> seconds;
    for (const MeasuredProgram& program : programs.successes) {
      traces.push_back(program.trace);
      seconds.emplace_back(program.seconds);
    }
    for (const MeasuredProgram& program : programs.failures) {
      traces.push_back(program.trace);
      seconds.emplace_back(std::nullopt);
    }
    std::vector<KeyedState> states = ReplayTraces(task, traces, stop);
    std::vector<MeasuredState> measured;
    for (size_t i = 0; i < states.size(); ++i) {
      measured.push_back({std::move(states[i].state), states[i].key, seconds[i]});
    }
    untrained.Learn(measured);
  }
  untrained.TrainNow();
  return untrained.ToText().value_or("");
}

OfflineModel WithTrees(const std::string& word, const std::string& trees) {
  return MakeTrees(word, {}, trees, {});
}

std::optional<std::string> FindOverlap(std::span<const TaskPrograms> trained,
                                       std::span<const TaskPrograms> tested) {
  for (const TaskPrograms& test : tested) {
    for (const TaskPrograms& train : trained) {
      if (IsSameOrNear(train.info, test.info)) {
        return test.info.workload + ", trained on " + train.info.workload;
      }
    }
  }
  return std::nullopt;
}

void RefuseTestTasks(std::span<const TaskPrograms> trained) {
  std::vector<std::string> workloads;
  for (const TaskPrograms& task : trained) workloads.push_back(task.info.workload);
  const std::optional<std::string> leak = FindLeak(workloads);
  if (leak) throw InputError("train: found " + *leak + ", expected no task that is tested on");
}

}  // namespace schedulegym
