#include "agents/cost/offline_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::DoubleNear;
using testing::Ge;
using testing::Le;

EvaluatedTask TaskOf(std::vector<double> scores, const std::vector<double>& seconds,
                     double weight = 1) {
  return {{std::move(scores), seconds, seconds}, {}, weight};
}

OfflineMetric Find(std::span<const OfflineMetric> metrics, const std::string& name) {
  const auto found = std::ranges::find(metrics, name, &OfflineMetric::name);
  return found == metrics.end() ? OfflineMetric{"none", 0, 0, 0, {}} : *found;
}

// The network of the notes: top-1 is 5 / 7.
std::vector<EvaluatedTask> Network() {
  return {TaskOf({1, 2}, {1, 2}, 2), TaskOf({2, 1}, {3, 6}, 1)};
}

TEST(OfflineMetricsTest, WeighTasksByTheirNetwork) {
  const auto metrics = OfflineMetricsOf(Network());
  EXPECT_THAT(Find(metrics, "top-1").value, DoubleNear(0.714286, 1e-6));
  EXPECT_EQ(Find(metrics, "top-5").value, 1);
  EXPECT_EQ(Find(metrics, "pairs").value, 0.5);
  EXPECT_EQ(Find(metrics, "rank").value, 0);
}

TEST(OfflineMetricsTest, TermsAreThoseOfEachTask) {
  // Weights 2 and 1: least seconds 1 and 3, those of the first choices 2 and 3.
  const OfflineMetric top = Find(OfflineMetricsOf(Network()), "top-1");
  ASSERT_EQ(top.terms.size(), 2u);
  EXPECT_EQ(top.terms[0], (MetricTerm{2, 4}));
  EXPECT_EQ(top.terms[1], (MetricTerm{3, 3}));
}

TEST(OfflineMetricsTest, WeighMeansByPrograms) {
  // Pairs: all six of four programs right, the single pair of two wrong.
  const std::vector<EvaluatedTask> tasks = {TaskOf({4, 3, 2, 1}, {1, 2, 3, 4}),
                                            TaskOf({1, 2}, {1, 2})};
  const auto metrics = OfflineMetricsOf(tasks);
  EXPECT_THAT(Find(metrics, "pairs").value, DoubleEq(4.0 / 6));
  EXPECT_THAT(Find(metrics, "peak@1").value, DoubleEq((4 * 1 + 2 * 0.5) / 6));
}

TEST(OfflineMetricsTest, ErrorsAreOfSharesOfTheBest) {
  // Speeds 1, 0.5; shares of the scores 0.25, 1.
  const std::vector<EvaluatedTask> tasks = {TaskOf({1, 4}, {1, 2})};
  EXPECT_THAT(Find(OfflineMetricsOf(tasks), "rmse").value,
              DoubleEq(std::sqrt((0.75 * 0.75 + 0.5 * 0.5) / 2)));
}

TEST(OfflineMetricsTest, AskForSecondsOnlyWhereTheyAre) {
  std::vector<EvaluatedTask> tasks = {TaskOf({1, 2}, {2, 1})};
  EXPECT_EQ(Find(OfflineMetricsOf(tasks), "mape").name, "none");
  tasks[0].predicted_seconds = {1, 1.5};
  EXPECT_THAT(Find(OfflineMetricsOf(tasks), "mape").value, DoubleEq(50));
  EXPECT_EQ(OfflineMetricsOf(tasks).size(), OfflineMetricInfos().size());
}

TEST(OfflineMetricsTest, IntervalsHoldTheValueAndRepeat) {
  std::vector<EvaluatedTask> tasks = Network();
  for (int i = 1; i < 20; ++i) tasks.push_back(TaskOf({1, 2.0 + i % 3}, {1, 1.0 + i % 2}));
  const auto metrics = OfflineMetricsOf(tasks);
  for (const OfflineMetric& metric : metrics) {
    EXPECT_THAT(metric.value, AllOf(Ge(metric.low), Le(metric.high))) << metric.name;
  }
  EXPECT_EQ(metrics, OfflineMetricsOf(tasks));
}

TEST(OfflineMetricsTest, OfOneTaskHaveNoWidth) {
  const auto metric = Find(OfflineMetricsOf(std::vector{Network()[0]}), "top-1");
  EXPECT_EQ(metric.value, 0.5);
  EXPECT_EQ(metric.low, metric.high);
}

TEST(NoiseCeilingTest, IsWhatASecondMeasurementReaches) {
  // The one predicted best takes 3 s, the true best 2 s.
  std::vector<EvaluatedTask> tasks = {{{{9, 8, 7}, {2, 1, 4}, {2, 3, 4}}, {}, 1}};
  const auto ceiling = OfflineMetricsOf(NoiseCeiling(tasks));
  EXPECT_THAT(Find(ceiling, "top-1").value, DoubleEq(2.0 / 3));
  EXPECT_THAT(Find(ceiling, "pairs").value, DoubleEq(2.0 / 3));
  EXPECT_THAT(Find(ceiling, "mape").value, DoubleEq(100 * (0 + 2.0 / 3 + 0) / 3));
}

TEST(NoiseCeilingTest, IsOneWithoutNoise) {
  const auto ceiling = OfflineMetricsOf(NoiseCeiling(Network()));
  EXPECT_EQ(Find(ceiling, "top-1").value, 1);
  EXPECT_EQ(Find(ceiling, "rank").value, 1);
  EXPECT_EQ(Find(ceiling, "rmse").value, 0);
}

}  // namespace
}  // namespace schedulegym
