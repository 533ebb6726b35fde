// Costs are medians over tasks of two calls in a row with the same StateFeatures: the first makes
// the features and predicts, the second only predicts. Calls with one state are repeated for many
// states of a task, and their mean is taken.
#include "experiments/cli/evaluate/offline_evaluation.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "env/features/state_features.h"

namespace schedulegym {
namespace {

// States of a task that are predicted one by one.
constexpr int kSingles = 64;

double MedianOf(std::vector<double> values) {
  const size_t middle = values.size() / 2;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(middle));
  return values[middle];
}

double MedianOfSamples(std::span<const float> samples) {
  return MedianOf({samples.begin(), samples.end()});
}

// Fresh ones, of `count` states from `begin` on, which are taken in turn.
std::vector<StateFeatures> Fresh(std::span<const KeyedState> states, int begin, int count) {
  std::vector<ScheduleState> taken;
  for (int i = 0; i < count; ++i) taken.push_back(states[(begin + i) % states.size()].state);
  return WithFeatures(taken);
}

// Of one call with `count` states.
PredictionCost CostOf(std::span<const StateFeatures> states, CostModel& model, const Clock& clock) {
  const double begin = clock.Now();
  model.Predict(states);
  const double first = clock.Now();
  model.Predict(states);
  const double second = clock.Now();
  const double scale = 1e6 / static_cast<double>(states.size());
  return {static_cast<int>(states.size()),
          std::max(0.0, (first - begin) - (second - first)) * scale, (second - first) * scale};
}

// A program without a prediction is ranked last.
void FillIn(std::span<const std::optional<Prediction>> predictions, EvaluatedTask* task) {
  double least = 0;
  for (const std::optional<Prediction>& one : predictions) {
    if (one) least = std::min(least, one->score);
  }
  task->programs.scores.clear();
  task->predicted_seconds.clear();
  for (const std::optional<Prediction>& one : predictions) {
    task->programs.scores.push_back(one ? one->score : least - 1);
    if (one && one->seconds) task->predicted_seconds.push_back(*one->seconds);
  }
  if (task->predicted_seconds.size() != predictions.size()) task->predicted_seconds.clear();
}

}  // namespace

std::vector<KeyedState> ReplaySuccesses(const TaskPrograms& programs, const StopToken& stop) {
  const auto task = TaskOfTexts(programs.info.workload, programs.info.dag, programs.info.target);
  std::vector<std::string> traces;
  for (const MeasuredProgram& program : programs.successes) traces.push_back(program.trace);
  return ReplayTraces(task, traces, stop);
}

EvaluatedTask MeasuredTask(const TaskPrograms& programs) {
  EvaluatedTask task;
  double least = programs.successes.front().seconds;
  for (const MeasuredProgram& program : programs.successes) {
    SampleHalves halves = {program.seconds, program.seconds};
    if (program.samples.size() >= 2) {
      halves = HalvesOf(program.samples);
      const double scale = program.seconds / MedianOfSamples(program.samples);
      halves = {halves.first * scale, halves.second * scale};
    }
    task.programs.choose_seconds.push_back(halves.first);
    task.programs.value_seconds.push_back(halves.second);
    least = std::min(least, program.seconds);
  }
  task.weight = 1 / least;
  return task;
}

double ShareWithHalves(std::span<const TaskPrograms> tasks) {
  int64_t all = 0, with = 0;
  for (const TaskPrograms& task : tasks) {
    for (const MeasuredProgram& program : task.successes) {
      ++all;
      with += program.samples.size() >= 2 ? 1 : 0;
    }
  }
  return all == 0 ? 0 : static_cast<double>(with) / static_cast<double>(all);
}

void Predict(std::span<const KeyedState> states, CostModel& model, EvaluatedTask* task) {
  std::vector<ScheduleState> plain;
  for (const KeyedState& one : states) plain.push_back(one.state);
  FillIn(model.Predict(WithFeatures(plain)), task);
}

void AddSeconds(const TaskPrograms& programs, EvaluatedTask* task) {
  std::vector<double> references;
  bool is_known = false;
  for (const MeasuredProgram& program : programs.successes) {
    is_known |= program.ratio != RatioInterval{};
    references.push_back(program.seconds * program.ratio.median);
  }
  const std::vector<double>& speeds = task->programs.scores;
  if (!is_known || std::ranges::any_of(speeds, [](double speed) { return speed <= 0; })) return;
  const double reference = MedianOf(std::move(references));
  for (const double speed : speeds) task->predicted_seconds.push_back(reference / speed);
}

void PredictTraces(const TaskPrograms& programs, TraceModel& model, EvaluatedTask* task) {
  std::vector<std::string> traces;
  for (const MeasuredProgram& program : programs.successes) traces.push_back(program.trace);
  FillIn(model.PredictTraces(programs.info.target, traces), task);
}

PredictionCost MeasureCost(std::span<const std::vector<KeyedState>> tasks, int count,
                           CostModel& model, const Clock& clock) {
  std::vector<double> features, predictions;
  for (const std::vector<KeyedState>& states : tasks) {
    const int calls = count == 1 ? std::min<int>(kSingles, std::ssize(states)) : 1;
    double feature_sum = 0, prediction_sum = 0;
    for (int call = 0; call < calls; ++call) {
      const PredictionCost cost = CostOf(Fresh(states, call, count), model, clock);
      feature_sum += cost.features;
      prediction_sum += cost.prediction;
    }
    features.push_back(feature_sum / calls);
    predictions.push_back(prediction_sum / calls);
  }
  return {count, MedianOf(std::move(features)), MedianOf(std::move(predictions))};
}

std::vector<EvaluatedTask> TasksOfNetwork(std::span<const EvaluatedTask> tasks,
                                          std::span<const int64_t> counts) {
  std::vector<EvaluatedTask> own;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (counts[i] == 0) continue;
    own.push_back(tasks[i]);
    own.back().weight = static_cast<double>(counts[i]);
  }
  return own;
}

}  // namespace schedulegym
