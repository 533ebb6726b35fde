// Models by their specs, for `evaluate` and `train`. Trees learn from tasks one after another, each
// replayed once. A network's file names the label of its scores, so that seconds can follow
// from those of a task's reference. Cost: of a training a replay and features of each program.
#include "experiments/cli/evaluate/offline_model.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "agents/cost/model_registry.h"
#include "agents/cost/network_model.h"
#include "agents/cost/program_states.h"
#include "agents/cost/shipped_models.h"
#include "agents/learned/checkpoint.h"
#include "agents/learned/scorer/scorer_options.h"
#include "assembly/processes/hosted_models.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/program/workloads/program_split.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

// The best values for thousands of programs, for options that the spec leaves out.
Spec WithDefaults(Spec spec) {
  const auto names = [&](const char* key) {
    return std::ranges::any_of(spec.options,
                               [&](const SpecOption& option) { return option.key == key; });
  };
  if (spec.name != "boosted" || names("file")) return spec;
  const bool corrects = !names("label") && !names("features");
  if (!names("trees")) spec.options.push_back({"trees", SpecValue{Spec{"large", {}}}});
  if (corrects) spec.options.push_back({"label", SpecValue{Spec{"correction", {}}}});
  return spec;
}

// Whether the network of a file learned labels of that kind.
bool IsOverReference(const std::string& path) {
  const Checkpoint checkpoint = ParseCheckpoint(ReadSavedModel(path, {"scorer 1"}).text, path);
  const ProgramLabel label =
      ReadScorerOptions(RequireSpec("model", checkpoint.Text("model"))).label;
  return label == ProgramLabel::kReference || label == ProgramLabel::kLogarithm;
}

bool IsSameOrNear(const TaskInfo& a, const TaskInfo& b) {
  if (a.dag == b.dag) return true;
  const Result<Spec> spec_a = ParseWorkload(a.workload), spec_b = ParseWorkload(b.workload);
  return spec_a && spec_b && !spec_a->options.empty() && IsNear(*spec_a, *spec_b);
}

}  // namespace

OfflineModel MakeOfflineModel(const std::string& word, Rng rng, const StopToken& stop) {
  const Result<Spec> spec = ParseSpec(word);
  if (HoldsNetwork(word) || (spec && IsScorer(spec->name))) {
    const Spec network = HoldsNetwork(word) ? Spec{word, {}} : *spec;
    return {.name = word,
            .model = MakeAnyCostModel({network, rng, stop}),
            .is_over_reference = HoldsNetwork(word) && IsOverReference(word)};
  }
  MadeModel made = MakeModel({spec ? WithDefaults(*spec) : Spec{word, {}}, rng, stop});
  OfflineModel offline = {.name = word};
  if (auto* learns = std::get_if<std::unique_ptr<LearningModel>>(&made)) {
    if (!(*learns)->progress().is_trained) offline.untrained = learns->get();
    offline.model = std::move(*learns);
  } else {
    offline.model = std::move(std::get<std::unique_ptr<CostModel>>(made));
  }
  return offline;
}

std::string TrainTrees(std::span<const TaskPrograms> tasks, LearningModel& untrained,
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
  return untrained.memory()->Save().value_or("");
}

OfflineModel WithTrees(const std::string& word, const std::string& trees) {
  OfflineModel offline = MakeOfflineModel(word, Rng(0));
  SG_CHECK(offline.untrained != nullptr, "a model that is to be trained");
  std::exchange(offline.untrained, nullptr)->memory()->Load(trees);
  return offline;
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

void RefuseForeignTasks(const std::string& model, std::span<const TaskPrograms> tasks) {
  for (const TaskPrograms& task : tasks) {
    if (!IsForeign(task.info)) continue;
    throw InputError("model '" + model + "': found a log of Ansor's, whose computations are not " +
                     "known; expected tlp, which sees their steps alone, or a file of records pack "
                     "LOG --computation HASH=WORKLOAD");
  }
}

void RefuseTestTasks(std::span<const TaskPrograms> trained) {
  std::vector<TrainedTask> known;
  for (const TaskPrograms& task : trained) known.push_back({task.info.workload, task.info.dag});
  const std::optional<std::string> leak = FindLeak(known);
  if (leak) throw InputError("train: found " + *leak + ", expected no task that is tested on");
}

}  // namespace schedulegym
