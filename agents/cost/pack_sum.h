// Pack-sum: a program's score is the sum of what is predicted for each of its rows of features.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace schedulegym {

// Programs one after another; rows of program i run from begin[i] to begin[i + 1].
struct Packs {
  std::vector<int> begin = {0};
  // By program: in (0, 1], the best time known of its task over its own; 0 for a failure. Also its
  // weight.
  std::vector<double> labels;

  int size() const { return static_cast<int>(labels.size()); }
  int rows() const { return begin.back(); }
  void Add(int rows, double label);
};

// Ansor's label (TVM 0.16, xgb_model): of programs of one task, by their seconds; none failed.
std::vector<double> LabelsOf(std::span<const std::optional<double>> seconds);

// By program, from what is predicted by row.
std::vector<double> ScoresOf(const Packs& packs, std::span<const float> predictions);

// First and second derivatives of the weighted squared error by row: every row of a program has
// its program's, (score - label) * weight and weight.
struct Derivatives {
  std::vector<float> gradient;
  std::vector<float> hessian;
};
Derivatives DerivativesOf(const Packs& packs, std::span<const float> predictions);

// Root of the mean squared error of scores, unweighted.
double RootMeanSquare(const Packs& packs, std::span<const float> predictions);

// How good the choice of the n best-scored programs is, averaged over n = 1 .. most: the best label
// among them over the best of all. Nothing to choose from is 0.
double AveragePeak(const Packs& packs, std::span<const float> predictions, int most);

}  // namespace schedulegym
