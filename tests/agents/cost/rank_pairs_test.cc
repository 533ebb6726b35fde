#include "agents/cost/rank_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cost/boosted_trees.h"
#include "env/base/rng.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

RowGroups Singles(const std::vector<double>& labels) {
  RowGroups row_groups;
  for (const double label : labels) row_groups.Add(1, label);
  return row_groups;
}

// By hand: p of (1, 2) is 1 / (1 + e^0.1), of (1, 3) 1 / (1 + e^-0.2), of (2, 3) 1 / (1 + e^-0.3).
TEST(RankPairsTest, DerivativesOfThreePrograms) {
  const std::vector<float> scores = {0.2F, 0.1F, 0.4F};
  const Derivatives found = RankDerivativesOf(Singles({1, 0.5, 0}), scores);
  EXPECT_THAT(found.gradient,
              ElementsAre(FloatNear(-1.024855F, 1e-5F), FloatNear(-0.099422F, 1e-5F),
                          FloatNear(1.124277F, 1e-5F)));
  EXPECT_THAT(found.hessian, ElementsAre(FloatNear(0.496893F, 1e-5F), FloatNear(0.493834F, 1e-5F),
                                         FloatNear(0.491975F, 1e-5F)));
}

TEST(RankPairsTest, EqualLabelsMakeNoPair) {
  const Derivatives found =
      RankDerivativesOf(Singles({0, 0, 0.5, 0.5}), std::vector<float>{1.0F, 2.0F, 3.0F, 3.0F});
  EXPECT_EQ(found.gradient[0] + found.gradient[1], -2 * found.gradient[2]);
  EXPECT_EQ(RankLoss(Singles({0, 0}), std::vector<float>{1.0F, 2.0F}), 0);
}

TEST(RankPairsTest, ProgramsOfTwoTasksMakeNoPair) {
  RowGroups two = Singles({1, 0.5, 0.2, 0.1});
  two.tasks = {0, 0, 1, 1};
  const std::vector<float> scores = {0.2F, 0.1F, 0.4F, 0.8F};
  const double first = RankLoss(Singles({1, 0.5}), std::span(scores).first(2));
  const double second = RankLoss(Singles({0.2, 0.1}), std::span(scores).last(2));
  EXPECT_NEAR(RankLoss(two, scores), first + second, 1e-12);
  const Derivatives found = RankDerivativesOf(two, scores);
  EXPECT_EQ(found.gradient[0] + found.gradient[1], 0);
  EXPECT_EQ(found.gradient[2] + found.gradient[3], 0);
}

TEST(RankPairsTest, DerivativesAreDifferencesOfTheLoss) {
  Rng rng(1);
  RowGroups row_groups;
  std::vector<float> scores;
  for (int program = 0; program < 12; ++program) {
    const int rows = 1 + static_cast<int>(rng.Below(3));
    row_groups.Add(rows, static_cast<double>(rng.Below(6)) / 5);
    for (int row = 0; row < rows; ++row) scores.push_back(static_cast<float>(rng.Uniform()));
  }
  const Derivatives found = RankDerivativesOf(row_groups, scores);
  constexpr float kStep = 1.0F / 256;
  for (size_t row = 0; row < scores.size(); ++row) {
    std::vector<float> more = scores, less = scores;
    more[row] += kStep;
    less[row] -= kStep;
    const double slope = (RankLoss(row_groups, more) - RankLoss(row_groups, less)) / (2 * kStep);
    EXPECT_NEAR(found.gradient[row], slope, 1e-4);
  }
}

// The best two have labels 1 and 0.8. The top one by score is neither, the top two hold one.
TEST(RankPairsTest, RecallIsTheShareOfTheBestAmongTheBestScored) {
  const std::vector<float> scores = {0.5F, 0.1F, 0.9F};
  EXPECT_DOUBLE_EQ(AverageRecall(Singles({1, 0.8, 0.2}), scores, 2), (0 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(AverageRecall(Singles({1, 0.8, 0.2}), scores, 9), (0 + 0.5 + 1) / 3);
  EXPECT_EQ(AverageRecall(RowGroups(), {}, 4), 0);
}

TEST(RankPairsTest, TreesLearnTheOrder) {
  FeatureMatrix features{{}, 1, "test"};
  std::vector<double> labels;
  for (int i = 0; i < 32; ++i) {
    features.values.push_back(static_cast<float>(i));
    labels.push_back(static_cast<double>(i * 7 % 32) / 31);
  }
  BoostingOptions options;
  options.loss = BoostingLoss::kRankPairs;
  options.recall = 32;
  options.max_depth = 3;
  options.eta = 0.3;
  options.most_rounds = 400;
  const RowGroups row_groups = Singles(labels);
  const BoostedTrees trees = BoostedTrees::Train(features, row_groups, options);
  EXPECT_GT(AverageRecall(row_groups, trees.Predict(features), 32), 0.95);
}

}  // namespace
}  // namespace schedulegym
