// Every metric is a ratio of sums over tasks, or its root: top-k and drafts weigh a task's seconds
// by how often the network runs it, all others a task's mean by its programs (TenSet, Zheng et al.,
// NeurIPS 2021 Datasets, section 5.1). Drafts are Pruner's first eighth of the candidates (Qiao et
// al., ASPLOS 2025). So a resample of the tasks (Efron, 1979) only repeats the sums.
// Cost: O(metrics * resamples * tasks), and that of the terms (prediction_metrics.h).
#include "agents/cost/offline_metrics.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"
#include "env/base/rng.h"

namespace schedulegym {
namespace {

constexpr int kFirstShare = 8;
constexpr int kBestShare = 10;
// Fewest programs in the best tenth for a rank correlation.
constexpr int kLeastBest = 10;

int FirstEighth(const TaskPredictions& programs) {
  return std::max(1, programs.size() / kFirstShare);
}

int BestCount(const TaskPredictions& programs) {
  return std::max(programs.size() / kBestShare, std::min(programs.size(), kLeastBest));
}

// A task's mean, weighted by its number of programs.
MetricTerm MeanTerm(const TaskPredictions& programs, double mean) {
  const double count = programs.size();
  return {mean * count, count};
}

MetricTerm ErrorTerm(const TaskPredictions& programs) {
  std::vector<double> speeds;
  for (const double seconds : programs.value_seconds) speeds.push_back(1 / seconds);
  return MeanTerm(programs, MeanSquaredError(SharesOfBest(programs.scores), SharesOfBest(speeds)));
}

struct MetricEntry {
  OfflineMetricInfo info;
  MetricTerm (*term)(const EvaluatedTask& task);
  bool is_root = false;        // of the ratio
  bool needs_seconds = false;  // predicted ones
};

// Metrics that are sums of seconds.
std::vector<MetricEntry> ChoiceEntries() {
  return {{{"top-1", "least seconds of the network over those of the model's first choices"},
           [](const EvaluatedTask& task) { return TopTerm(task.programs, 1, task.weight); }},
          {{"top-5", "the same of the best of its first five"},
           [](const EvaluatedTask& task) { return TopTerm(task.programs, 5, task.weight); }},
          {{"drafts", "the same of the best of its first eighth"},
           [](const EvaluatedTask& task) {
             return TopTerm(task.programs, FirstEighth(task.programs), task.weight);
           }},
          {{"peak@1", "least seconds over those of the first choice, mean over programs"},
           [](const EvaluatedTask& task) {
             return MeanTerm(task.programs, AveragePeak(task.programs, 1));
           }},
          {{"peak@5", "the same of the best of the first 1 to 5, mean over these"},
           [](const EvaluatedTask& task) {
             return MeanTerm(task.programs, AveragePeak(task.programs, 5));
           }}};
}

// Metrics over all programs, or the best tenth.
std::vector<MetricEntry> OrderEntries() {
  return {{{"pairs", "share of pairs in the right order"},
           [](const EvaluatedTask& task) {
             const TaskPredictions& programs = task.programs;
             return MeanTerm(programs, PairwiseAccuracy(programs.scores, programs.value_seconds));
           }},
          {{"rank", "Spearman's rank correlation of scores and speeds"},
           [](const EvaluatedTask& task) {
             return MeanTerm(task.programs, RankCorrelation(task.programs));
           }},
          {{"rank-best", "the same over the best tenth, at least ten programs"},
           [](const EvaluatedTask& task) {
             const int best = BestCount(task.programs);
             return MeanTerm(task.programs, RankCorrelationOfBest(task.programs, best));
           }},
          {{"recall", "share of the best tenth that is in the model's first tenth"},
           [](const EvaluatedTask& task) {
             const int best = BestCount(task.programs);
             return MeanTerm(task.programs, RecallOfBest(task.programs, best));
           }}};
}

std::vector<MetricEntry> ErrorEntries() {
  return {{{"rmse", "root mean squared error of scores and speeds, each over the task's largest"},
           [](const EvaluatedTask& task) { return ErrorTerm(task.programs); },
           true},
          {{"mape", "mean absolute error of predicted seconds, in percent"},
           [](const EvaluatedTask& task) {
             return MeanTerm(
                 task.programs,
                 MeanAbsolutePercentageError(task.predicted_seconds, task.programs.value_seconds));
           },
           false,
           true}};
}

std::vector<MetricEntry> Entries() {
  std::vector<MetricEntry> all;
  for (const auto& some : {ChoiceEntries(), OrderEntries(), ErrorEntries()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

double ValueOf(const MetricEntry& entry, std::span<const MetricTerm> terms) {
  const double ratio = RatioOfSums(terms);
  return entry.is_root ? std::sqrt(ratio) : ratio;
}

double Quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

OfflineMetric WithInterval(const MetricEntry& entry, std::span<const MetricTerm> terms,
                           const OfflineMetricOptions& options) {
  Rng rng(options.seed);
  std::vector<double> values;
  std::vector<MetricTerm> drawn(terms.size());
  for (int i = 0; i < options.resamples; ++i) {
    for (MetricTerm& term : drawn) term = terms[rng.Below(std::ssize(terms))];
    values.push_back(ValueOf(entry, drawn));
  }
  std::ranges::sort(values);
  const double tail = (1 - options.level) / 2;
  return {entry.info.name,
          ValueOf(entry, terms),
          Quantile(values, tail),
          Quantile(values, 1 - tail),
          {terms.begin(), terms.end()}};
}

}  // namespace

std::vector<OfflineMetric> OfflineMetricsOf(std::span<const EvaluatedTask> tasks,
                                            const OfflineMetricOptions& options) {
  SG_CHECK(!tasks.empty() && options.resamples > 0, "metrics are those of tasks");
  const bool has_seconds = std::ranges::none_of(
      tasks, [](const EvaluatedTask& task) { return task.predicted_seconds.empty(); });
  std::vector<OfflineMetric> metrics;
  for (const MetricEntry& entry : Entries()) {
    if (entry.needs_seconds && !has_seconds) continue;
    std::vector<MetricTerm> terms;
    for (const EvaluatedTask& task : tasks) terms.push_back(entry.term(task));
    metrics.push_back(WithInterval(entry, terms, options));
  }
  return metrics;
}

std::vector<OfflineMetricInfo> OfflineMetricInfos() {
  std::vector<OfflineMetricInfo> infos;
  for (const MetricEntry& entry : Entries()) infos.push_back(entry.info);
  return infos;
}

std::vector<EvaluatedTask> NoiseCeiling(std::span<const EvaluatedTask> tasks) {
  std::vector<EvaluatedTask> ceiling(tasks.begin(), tasks.end());
  for (EvaluatedTask& task : ceiling) {
    task.predicted_seconds = task.programs.choose_seconds;
    for (size_t i = 0; i < task.predicted_seconds.size(); ++i) {
      task.programs.scores[i] = 1 / task.predicted_seconds[i];
    }
  }
  return ceiling;
}

}  // namespace schedulegym
