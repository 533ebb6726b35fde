// ScoreLoss: how far the scores of programs are from their labels, and the loss's gradient.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace schedulegym {

struct ScoreLoss {
  double loss = 0;
  std::vector<float> gradient;  // of the loss, by score
};

enum class LossKind : uint8_t { kLambdaRank, kRankNet, kSquared, kRelative, kPlainSquared };

// Scores and labels of one list, as many of each; labels are at least 0, the higher the better, and
// 0 of a failure. Pure functions; a list without a pair or a program to learn from has loss 0.

// As TenSet, TLP and Pruner have it in code: the sum over pairs whose first label is higher of
// -w log2(sigmoid(s_i - s_j)), w = |1/D_i - 1/D_j| |G_i - G_j|, where D = log2(1 + position by
// score) and G = (2^label - 1) / ideal DCG. Not divided by the number of pairs. O(n^2).
ScoreLoss LambdaRankLoss(std::span<const float> scores, std::span<const float> labels);
// Burges et al., "Learning to rank using gradient descent", ICML 2005: the mean over such pairs of
// ln(1 + exp(s_j - s_i)). O(n^2).
ScoreLoss RankNetLoss(std::span<const float> scores, std::span<const float> labels);
// The mean of (sigmoid(s) - label)^2, as TenSet's code has it.
ScoreLoss SquaredLoss(std::span<const float> scores, std::span<const float> labels);
// The mean of (s - label)^2; labels may be below 0.
ScoreLoss PlainSquaredLoss(std::span<const float> scores, std::span<const float> labels);
// In percent: the mean of |s - label| / (label + 1e-5) over what did not fail.
ScoreLoss RelativeLoss(std::span<const float> scores, std::span<const float> labels);

// The sum of the losses of the lists; `lists` has the list's number of each program.
ScoreLoss LossOf(LossKind kind, std::span<const float> scores, std::span<const float> labels,
                 std::span<const int> lists);

}  // namespace schedulegym
