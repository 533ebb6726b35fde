// A trained network as a cost model. Schedules, or the traces of a foreign task, become rows of the
// network's columns, on several threads; the network maps rows to scores. A task's rows are made
// once. Cost: program_rows.h, then a forward pass for each schedule.
#include "agents/learned/scorer/scorer_cost_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "agents/cost/network_model.h"
#include "agents/cost/program_states.h"
#include "agents/cost/residual_model.h"
#include "agents/learned/scorer/adapting_model.h"
#include "agents/learned/scorer/program_rows.h"
#include "agents/parallel.h"
#include "env/base/fault.h"
#include "env/measure/store/ansor_programs.h"
#include "env/program/task.h"

namespace schedulegym {
namespace {

// Limit of the logarithm, so that scores are positive and finite for any output of the network.
constexpr double kMostLogarithm = 60;
class ScorerCostModel : public CostModel, public TraceModel {
 public:
  ScorerCostModel(ScorerModel model, const StopToken& stop)
      : model_(std::move(model)), stop_(stop) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    if (states.empty()) return {};
    const int threads = SearchThreads(states[0].task());
    std::vector<ProgramValues> described(states.size());
    crew_.For(
        static_cast<int>(states.size()), threads,
        [&](int i) {
          const auto at = static_cast<size_t>(i);
          described[at] = DescribeState(states[at], model_.options);
        },
        stop_);
    return ScoreAll(described, RowsFor(states[0].task()), threads);
  }

  std::vector<std::optional<Prediction>> PredictTraces(
      const std::string& target, std::span<const std::string> traces) override {
    ProgramRows rows = EmptyRows(model_.options);
    rows.targets = model_.targets;
    AddForeignTask(target, model_.options, /*may_add_head=*/false, &rows);
    std::vector<ProgramValues> described;
    for (const std::string& text : traces) {
      const Result<Trace> trace = ParseNumberedTrace(text);
      if (!trace) throw InputError(trace.error().message);
      described.push_back(DescribeTrace(*trace, model_.options));
    }
    return ScoreAll(described, std::move(rows), ReplayThreads());
  }

  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }
  TraceModel* traces() override { return this; }

 private:
  std::vector<std::optional<Prediction>> ScoreAll(const std::vector<ProgramValues>& described,
                                                  ProgramRows rows, int threads) {
    for (const ProgramValues& program : described) AddProgram(program, 0, 0, &rows);
    std::vector<int> all(described.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::optional<Prediction>> predictions;
    for (const float score :
         ScorePrograms(*model_.scorer, rows, all, model_.scale, threads, stop_)) {
      predictions.push_back(PredictionOf(model_, score));
    }
    return predictions;
  }

  // Returns rows without a program for this task; analyses each task once.
  const ProgramRows& RowsFor(const Task& task) {
    const auto [known, is_new] = rows_.try_emplace(TaskKey(task));
    if (!is_new) return known->second;
    ProgramRows rows = EmptyRows(model_.options);
    rows.targets = model_.targets;
    try {
      AddTask(task, model_.options, /*may_add_head=*/false, &rows);
    } catch (const InputError&) {
      rows_.erase(known);
      throw;
    }
    return known->second = std::move(rows);
  }

  ScorerModel model_;
  StopToken stop_;
  std::map<Key, ProgramRows> rows_;
  WaitingThreads crew_;
};

}  // namespace

std::optional<Prediction> PredictionOf(const ScorerModel& model, float score) {
  double logarithm = model.line.slope * score + model.line.offset;
  if (model.options.label == ProgramLabel::kLogarithm) logarithm = score;
  if (model.options.label == ProgramLabel::kReference) {
    // Keeps the order of scores below the least label, and the result above 0.
    logarithm = score > kLeastSpeed ? std::log(static_cast<double>(score))
                                    : std::log(kLeastSpeed) + (score / kLeastSpeed - 1);
  }
  if (!std::isfinite(logarithm)) return std::nullopt;
  const double speed = std::exp(std::clamp(logarithm, -kMostLogarithm, kMostLogarithm));
  return Prediction{.score = speed, .speed = speed};
}

std::unique_ptr<CostModel> MakeScorerCostModel(ScorerModel model, const StopToken& stop) {
  return std::make_unique<ScorerCostModel>(std::move(model), stop);
}

std::unique_ptr<CostModel> ReadScorerCostModel(const std::string& path,
                                               std::span<const std::shared_ptr<const Task>> tasks,
                                               const StopToken& stop) {
  ScorerModel scorer = ReadScorer(ReadScorerFile(path));
  if (scorer.options.network == ScorerNetwork::kStages) {
    throw InputError(path + ": it is of stages, which values partial schedules; expected another " +
                     "network here, or the agent value(model=FILE)");
  }
  ProgramRows rows = EmptyRows(scorer.options);
  rows.targets = scorer.targets;
  for (const auto& task : tasks) AddTask(*task, scorer.options, /*may_add_head=*/false, &rows);
  if (scorer.options.adaptation == NetworkAdaptation::kResidual) {
    return std::make_unique<ResidualModel>(MakeScorerCostModel(std::move(scorer), stop), stop);
  }
  if (scorer.options.adaptation != NetworkAdaptation::kTrees) {
    return MakeAdaptingModel(std::move(scorer), stop);
  }
  return MakeScorerCostModel(std::move(scorer), stop);
}

}  // namespace schedulegym
