// Offline metrics: a model's metrics over the tasks of a data set, with intervals over tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/cost/prediction_metrics.h"

namespace schedulegym {

// A model's predictions for a task.
struct EvaluatedTask {
  TaskPredictions programs;               // at least two
  std::vector<double> predicted_seconds;  // empty where the model predicts none
  double weight = 1;                      // of its seconds in top-k and drafts
};

// One metric over all tasks. The interval is that of the percentile bootstrap over tasks.
struct OfflineMetric {
  std::string name;
  double value = 0;
  double low = 0;
  double high = 0;
  std::vector<MetricTerm> terms;  // of each task; the value is their ratio of sums, or its root

  bool operator==(const OfflineMetric&) const = default;
};

struct OfflineMetricOptions {
  int resamples = 1000;
  double level = 0.95;
  uint64_t seed = 1;  // equal draws of tasks for every model and metric
};

// In the order of OfflineMetricInfos. Metrics that need seconds are left out where a task has none.
std::vector<OfflineMetric> OfflineMetricsOf(std::span<const EvaluatedTask> tasks,
                                            const OfflineMetricOptions& options = {});

struct OfflineMetricInfo {
  std::string name;
  std::string description;  // one line
};
std::vector<OfflineMetricInfo> OfflineMetricInfos();

// The noise ceiling as a model: it predicts the seconds by which the best is chosen. Its metrics
// are what a second measurement of the same programs would reach.
std::vector<EvaluatedTask> NoiseCeiling(std::span<const EvaluatedTask> tasks);

}  // namespace schedulegym
