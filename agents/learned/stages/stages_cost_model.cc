#include "agents/learned/stages/stages_cost_model.h"

#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "agents/learned/scorer/scorer_cost_model.h"
#include "agents/learned/scorer/stage_prefixes.h"
#include "agents/parallel.h"
#include "env/base/fault.h"
#include "env/program/task.h"

namespace schedulegym {
namespace {

class StagesCostModel : public CostModel {
 public:
  StagesCostModel(ScorerModel model, std::vector<std::shared_ptr<const SearchSpace>> spaces,
                  const StopToken& stop)
      : model_(std::move(model)), spaces_(std::move(spaces)), stop_(stop) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions(states.size());
    if (states.empty()) return predictions;
    const KnownTask& task = Known(states[0].state().shared_task());
    const int threads = SearchThreads(states[0].task());
    std::vector<std::optional<ProgramValues>> described(states.size());
    crew_.For(
        static_cast<int>(states.size()), threads,
        [&](int i) {
          const auto at = static_cast<size_t>(i);
          described[at] = Describe(task, states[at].state());
        },
        stop_);
    ProgramRows rows = task.rows;
    std::vector<size_t> places;
    for (size_t i = 0; i < described.size(); ++i) {
      if (!described[i]) continue;
      AddProgram(*described[i], 0, 0, &rows);
      places.push_back(i);
    }
    std::vector<int> all(places.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<float> scores =
        ScorePrograms(*model_.scorer, rows, all, model_.scale, threads, stop_);
    for (size_t i = 0; i < scores.size(); ++i) {
      predictions[places[i]] = PredictionOf(model_, scores[i]);
    }
    return predictions;
  }

  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  struct KnownTask {
    ProgramRows rows;  // of the task, without a program
    std::vector<StagePrefixes> prefixes;
  };

  const KnownTask& Known(const std::shared_ptr<const Task>& task) {
    const auto known = tasks_.find(TaskKey(*task));
    if (known != tasks_.end()) return known->second;
    KnownTask made = {EmptyRows(model_.options), {}};
    made.rows.targets = model_.targets;
    AddTask(*task, model_.options, /*may_add_head=*/false, &made.rows);
    for (const auto& space : spaces_) {
      try {
        made.prefixes.emplace_back(*space, task, model_.options.inputs);
      } catch (const InputError&) {
        continue;  // it has no sketches of this task or its target
      }
    }
    return tasks_.emplace(TaskKey(*task), std::move(made)).first->second;
  }

  static std::optional<ProgramValues> Describe(const KnownTask& task, const ScheduleState& state) {
    for (const StagePrefixes& prefixes : task.prefixes) {
      const std::optional<StagePrefix> whole = prefixes.Whole(state);
      if (!whole) continue;
      StagePrefixes::Rows known;
      return prefixes.Describe(*whole, known);
    }
    return std::nullopt;
  }

  ScorerModel model_;
  std::vector<std::shared_ptr<const SearchSpace>> spaces_;
  StopToken stop_;
  std::map<Key, KnownTask> tasks_;
  WaitingThreads crew_;
};

}  // namespace

std::unique_ptr<CostModel> MakeStagesCostModel(
    ScorerModel model, std::vector<std::shared_ptr<const SearchSpace>> spaces,
    const StopToken& stop) {
  return std::make_unique<StagesCostModel>(std::move(model), std::move(spaces), stop);
}

std::unique_ptr<CostModel> ReadAnyScorerCostModel(
    const std::string& path, std::vector<std::shared_ptr<const SearchSpace>> spaces,
    const StopToken& stop) {
  ScorerModel model = ReadScorer(ReadScorerFile(path));
  if (model.options.network != ScorerNetwork::kStages) {
    return MakeScorerCostModel(std::move(model), stop);
  }
  return MakeStagesCostModel(std::move(model), std::move(spaces), stop);
}

}  // namespace schedulegym
