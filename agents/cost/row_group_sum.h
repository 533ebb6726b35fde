// Pack-sum: a program's score is the sum of what is predicted for each of its rows of features.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace schedulegym {

// Programs one after another; rows of program i run from begin[i] to begin[i + 1].
struct RowGroups {
  std::vector<int> begin = {0};
  std::vector<double> labels;   // by program
  std::vector<double> weights;  // by program: of its error; 0 for a failure
  std::vector<int> tasks = {};  // by program: only those of one task make pairs; empty: all are

  int size() const { return static_cast<int>(labels.size()); }
  int rows() const { return begin.back(); }
  void Add(int rows, double label, double weight);
  void Add(int rows, double label) { Add(rows, label, label); }  // of Ansor's
};

// Ansor's label (TVM 0.16, xgb_model), which is its weight, too: of programs of one task, by their
// seconds; none failed. In (0, 1], the best time over its own; 0 for a failure.
std::vector<double> LabelsOf(std::span<const std::optional<double>> seconds);

// The logarithms of these, at most 0: minus log-seconds, with the best of the task as the unit. Of
// failures, which say nothing, the lowest.
std::vector<double> LogLabelsOf(std::span<const double> labels);

// By program, from what is predicted by row.
std::vector<double> ScoresOf(const RowGroups& row_groups, std::span<const float> predictions);

// First and second derivatives of the weighted squared error by row: every row of a program has
// its program's, (score - label) * weight and weight.
struct Derivatives {
  std::vector<float> gradient;
  std::vector<float> hessian;
};
Derivatives DerivativesOf(const RowGroups& row_groups, std::span<const float> predictions);

// Root of the mean squared error of scores, unweighted.
double RootMeanSquare(const RowGroups& row_groups, std::span<const float> predictions);

// How good the choice of the n best-scored programs is, averaged over n = 1 .. most: the best label
// among them over the best of all. Nothing to choose from is 0.
double AveragePeak(const RowGroups& row_groups, std::span<const float> predictions, int most);

}  // namespace schedulegym
