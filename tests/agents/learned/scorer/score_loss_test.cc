#include "agents/learned/scorer/score_loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

using Floats = std::vector<float>;
using Loss = ScoreLoss (*)(std::span<const float>, std::span<const float>);

double LambdaRank(const Floats& scores, const Floats& labels) {
  return LambdaRankLoss(scores, labels).loss;
}

// By hand: ideal DCG of the first two 1 + (2^0.5 - 1) / log2(3) + (2^0.25 - 1) / 2 = 1.355943; of
// the others 1, with |1 - 1 / log2(3)| = 0.369070 as the weight of their one pair.
TEST(LambdaRankLossTest, IsWorkedByHand) {
  EXPECT_NEAR(LambdaRank({2, 1, 0}, {0.5, 1, 0.25}), 0.352663, 1e-6);
  EXPECT_NEAR(LambdaRank({0, 2, 1}, {0.5, 1, 0.25}), 0.180457, 1e-6);
  EXPECT_NEAR(LambdaRank({0, 0}, {1, 0}), 0.369070, 1e-6);
  EXPECT_NEAR(LambdaRank({1, 0}, {1, 0}), 0.166798, 1e-6);
}

TEST(LambdaRankLossTest, NothingToRankIsNothing) {
  EXPECT_EQ(LambdaRank({}, {}), 0);
  EXPECT_EQ(LambdaRank({3, 1}, {0.5, 0.5}), 0);
  EXPECT_EQ(LambdaRankLoss(Floats{3, 1}, Floats{0, 0}).gradient, Floats({0, 0}));
}

// Probabilities are clamped to at least 1e-10, where the gradient is 0.
TEST(LambdaRankLossTest, HopelessPairsAreClamped) {
  const ScoreLoss loss = LambdaRankLoss(Floats{0, 100}, Floats{1, 0});
  EXPECT_NEAR(loss.loss, 0.369070 * std::log2(1e10), 1e-4);
  EXPECT_EQ(loss.gradient, Floats({0, 0}));
}

TEST(RankNetLossTest, IsTheMeanOverPairs) {
  EXPECT_NEAR(RankNetLoss(Floats{0, 0}, Floats{1, 0}).loss, std::log(2), 1e-7);
  // Correctly ordered pairs that differ by 1, 2 and 1.
  const double near = std::log1p(std::exp(-1)), far = std::log1p(std::exp(-2));
  EXPECT_NEAR(RankNetLoss(Floats{2, 1, 0}, Floats{1, 0.5, 0.25}).loss, (2 * near + far) / 3, 1e-7);
  EXPECT_EQ(RankNetLoss(Floats{1}, Floats{1}).loss, 0);
}

TEST(SquaredLossTest, SeesScoresThroughASigmoid) {
  EXPECT_NEAR(SquaredLoss(Floats{0, 0}, Floats{1, 0.5}).loss, 0.125, 1e-9);
}

// (1^2 + 2^2) / 2, with slopes 2 * 1 / 2 and 2 * -2 / 2.
TEST(PlainSquaredLossTest, SeesScoresAsTheyAre) {
  const ScoreLoss loss = PlainSquaredLoss(Floats{0, -3}, Floats{-1, -1});
  EXPECT_NEAR(loss.loss, 2.5, 1e-9);
  EXPECT_EQ(loss.gradient, Floats({1, -2}));
}

TEST(RelativeLossTest, IsInPercentAndLeavesFailuresOut) {
  // 1 / 2.00001 and 0.5 / 1.00001.
  EXPECT_NEAR(RelativeLoss(Floats{1, 1.5}, Floats{2, 1}).loss, 49.9996, 1e-4);
  EXPECT_NEAR(RelativeLoss(Floats{1, 1.5, 7}, Floats{2, 1, 0}).loss, 49.9996, 1e-4);
  EXPECT_EQ(RelativeLoss(Floats{7}, Floats{0}).loss, 0);
}

class LossGradientTest : public testing::TestWithParam<Loss> {};

TEST_P(LossGradientTest, AgreesWithDifferences) {
  constexpr float kStep = 1e-2F;
  Rng rng(3);
  Floats scores, labels;
  for (int i = 0; i < 9; ++i) {
    // Differences exceed the step: where two scores meet, their positions change.
    scores.push_back(static_cast<float>(0.21 * ((i * 4) % 9) - 0.8));
    labels.push_back(i % 4 == 0 ? 0 : static_cast<float>(rng.Uniform()));
  }
  const ScoreLoss loss = GetParam()(scores, labels);
  for (size_t i = 0; i < scores.size(); ++i) {
    Floats up = scores, down = scores;
    up[i] += kStep;
    down[i] -= kStep;
    const double expected = (GetParam()(up, labels).loss - GetParam()(down, labels).loss) /
                            (static_cast<double>(up[i]) - down[i]);
    EXPECT_NEAR(loss.gradient[i], expected, 1e-3 * std::max(1.0, std::abs(expected))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossGradientTest,
                         testing::Values(LambdaRankLoss, RankNetLoss, SquaredLoss, RelativeLoss));

TEST(LossOfTest, ListsDoNotSeeOneAnother) {
  const Floats scores = {2, 0, 1, 0, 0}, labels = {0.5, 1, 1, 0.25, 0};
  const std::vector<int> lists = {7, 3, 7, 7, 3};
  const ScoreLoss loss = LossOf(LossKind::kLambdaRank, scores, labels, lists);
  EXPECT_NEAR(loss.loss, 0.352663 + 0.369070, 1e-6);
  const ScoreLoss first = LambdaRankLoss(Floats{2, 1, 0}, Floats{0.5, 1, 0.25});
  EXPECT_EQ(loss.gradient[0], first.gradient[0]);
  EXPECT_EQ(loss.gradient[2], first.gradient[1]);
  EXPECT_EQ(loss.gradient[3], first.gradient[2]);
  EXPECT_THROW(LossOf(LossKind::kSquared, scores, labels, std::vector<int>{1}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
