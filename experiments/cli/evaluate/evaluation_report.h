// Evaluation report: metrics of models on measured programs, as JSON events, a table and CSV.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/cost/offline_metrics.h"
#include "experiments/cli/common/json.h"
#include "experiments/cli/evaluate/offline_evaluation.h"

namespace schedulegym {

// Metrics over some tasks.
struct TaskGroupMetrics {
  std::string network;  // "" of all tasks
  std::vector<OfflineMetric> metrics;
};

// A model, or the noise ceiling.
struct ModelReport {
  std::string model;
  std::vector<TaskGroupMetrics> groups;  // all tasks first
  std::vector<PredictionCost> costs;     // empty of the ceiling
};

inline constexpr const char* kCeilingName = "ceiling";

// One metric of one model.
struct EvaluationRow {
  std::string model;
  std::string metric;
  std::string network;
  double value = 0;
  std::optional<double> low, high;  // none of costs
  std::optional<double> ceiling;    // the metric of the noise ceiling
  std::vector<MetricTerm> terms;    // of each task; empty of networks and costs
};
// Of each report in order; costs are the metrics `features-us-N` and `predict-us-N`. The ceiling's
// rows come last.
std::vector<EvaluationRow> RowsOf(std::span<const ModelReport> reports,
                                  const std::optional<ModelReport>& ceiling);

// Of the event `row`. `of_ceiling` is the value over the ceiling's.
JsonObject RowFields(const EvaluationRow& row);
std::string RowsToCsv(std::span<const EvaluationRow> rows);

// A line for each metric of all tasks and a column for each model, the ceiling last; then top-1 of
// each network, and the costs.
std::string EvaluationText(std::span<const EvaluationRow> rows);

}  // namespace schedulegym
