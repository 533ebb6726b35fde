// Pack-sum: a program's score is the sum of the predictions for its rows of features.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace schedulegym {

// Rows of program i are begin[i] to begin[i + 1], exclusive.
struct RowGroups {
  std::vector<int> begin = {0};
  std::vector<double> labels;   // by program
  std::vector<double> weights;  // by program, in the loss; 0 for a failure
  std::vector<int> tasks = {};  // by program; pairs are within a task; empty: one task

  int size() const { return static_cast<int>(labels.size()); }
  int rows() const { return begin.back(); }
  void Add(int rows, double label, double weight);
  void Add(int rows, double label) { Add(rows, label, label); }  // as Ansor has it
};

// Ansor's labels, also used as weights (TVM 0.16, xgb_model): the best time of the task over the
// program's, in (0, 1]; 0 for a failure. `seconds`: programs of one task; nullopt: it failed.
std::vector<double> LabelsOf(std::span<const std::optional<double>> seconds);

// Logarithms of such labels, at most 0: minus log-seconds, with the task's best time as the unit.
// Failures get the lowest value, as a placeholder.
std::vector<double> LogLabelsOf(std::span<const double> labels);

// Scores by program from predictions by row.
std::vector<double> ScoresOf(const RowGroups& row_groups, std::span<const float> predictions);

// First and second derivatives of the weighted squared error, by row. Each row of a program has the
// values of its program: (score - label) * weight, and weight.
struct Derivatives {
  std::vector<float> gradient;
  std::vector<float> hessian;
};
Derivatives DerivativesOf(const RowGroups& row_groups, std::span<const float> predictions);

// Root of the mean squared error of scores, unweighted.
double RootMeanSquare(const RowGroups& row_groups, std::span<const float> predictions);

// The best label among the n best-scored programs over the best of all, averaged over n = 1 ..
// most. Returns 0 if no program succeeded.
double AveragePeak(const RowGroups& row_groups, std::span<const float> predictions, int most);

}  // namespace schedulegym
