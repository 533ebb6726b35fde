// Prediction metrics: how well a model's scores order the measured programs of one task.
#pragma once

#include <span>
#include <vector>

namespace schedulegym {

// The programs of one task that succeeded; all vectors have one size. The best of several programs
// is chosen by some of their samples and valued by the others: a value by which it was chosen is
// partly luck. Without samples both are the measured seconds.
struct TaskPredictions {
  std::vector<double> scores;          // of a model: the higher, the faster
  std::vector<double> choose_seconds;  // the best of several has the least of these
  std::vector<double> value_seconds;   // what it takes

  int size() const { return static_cast<int>(scores.size()); }
};

// A task's part of a ratio of sums: numerators of all tasks over their denominators.
struct MetricTerm {
  double numerator = 0;
  double denominator = 0;

  bool operator==(const MetricTerm&) const = default;
};
// 0 where the denominators are.
double RatioOfSums(std::span<const MetricTerm> terms);

// Positions, the highest value first; of equal values in their order.
std::vector<int> DescendingOrder(std::span<const double> values);

// Value seconds of the best of the `count` programs that the model puts first, at least one.
double BestOfFirst(const TaskPredictions& task, int count);

// Top-k of a network (TenSet, Zheng et al., NeurIPS 2021 Datasets, section 5.1): the weighted sum
// of its tasks' least seconds over that of BestOfFirst(k).
MetricTerm TopTerm(const TaskPredictions& task, int count, double weight);

// Average peak at k (TenSet, the same place): the mean over i = 1 .. k of the least seconds over
// BestOfFirst(i). Of fewer than k programs over as many as there are.
double AveragePeak(const TaskPredictions& task, int count);

// The share of pairs that scores order as speeds do; a tie is "not faster" on both sides (TenSet's
// code, metric_pairwise_comp_accuracy). 0.5 where there is no pair. O(size^2).
double PairwiseAccuracy(std::span<const double> scores, std::span<const double> seconds);

// Spearman's rank correlation; equal values share the mean of their ranks. 0 where one side is
// constant.
double RankCorrelation(std::span<const double> a, std::span<const double> b);
// Of scores and speeds, over all programs, and over the `count` that are best by choose_seconds.
double RankCorrelation(const TaskPredictions& task);
double RankCorrelationOfBest(const TaskPredictions& task, int count);

// The share of the `count` best programs by value that are among the model's first `count`.
double RecallOfBest(const TaskPredictions& task, int count);

// The largest over each: 1 for the highest score, not below 0. All 0 where none is positive.
std::vector<double> SharesOfBest(std::span<const double> scores);
double MeanSquaredError(std::span<const double> predicted, std::span<const double> actual);

// In percent. `floor` is added to the actual values (1e-5 in TenSet's code).
double MeanAbsolutePercentageError(std::span<const double> predicted,
                                   std::span<const double> actual, double floor = 0);

// Medians of the earlier and the later half of a program's samples, at least two.
struct SampleHalves {
  double first = 0;
  double second = 0;
};
SampleHalves HalvesOf(std::span<const float> samples);

}  // namespace schedulegym
