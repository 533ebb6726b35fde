#include "agents/cost/row_group_sum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

// Programs of 2, 1 and 3 rows.
RowGroups ThreePrograms() {
  RowGroups row_groups;
  row_groups.Add(2, 1.0);
  row_groups.Add(1, 0.5);
  row_groups.Add(3, 0.0);
  return row_groups;
}

const std::vector<float> kPredictions = {0.25f, 0.5f, 0.75f, 0.125f, 0.125f, 0.25f};

TEST(LabelsTest, AreTheBestTimeOverTheirOwn) {
  const std::vector<std::optional<double>> seconds = {2.0, std::nullopt, 1.0, 4.0};
  EXPECT_THAT(LabelsOf(seconds), ElementsAre(0.5, 0, 1, 0.25));
}

TEST(LabelsTest, OfFailuresAloneAreZero) {
  const std::vector<std::optional<double>> seconds(3);
  EXPECT_THAT(LabelsOf(seconds), ElementsAre(0, 0, 0));
  EXPECT_TRUE(LabelsOf({}).empty());
}

TEST(LabelsTest, LogarithmsOfThemAreMinusLogSeconds) {
  const std::vector<std::optional<double>> seconds = {2.0, std::nullopt, 1.0, 4.0};
  EXPECT_THAT(
      LogLabelsOf(LabelsOf(seconds)),
      ElementsAre(DoubleEq(-std::log(2)), DoubleEq(-std::log(4)), 0, DoubleEq(-std::log(4))));
  EXPECT_THAT(LogLabelsOf(std::vector<double>{0, 0}), ElementsAre(0, 0));
}

TEST(ScoresTest, AreSumsOverRows) {
  EXPECT_THAT(ScoresOf(ThreePrograms(), kPredictions), ElementsAre(0.75, 0.75, 0.5));
}

TEST(DerivativesTest, AreThoseOfTheProgramInEachRow) {
  const Derivatives derivatives = DerivativesOf(ThreePrograms(), kPredictions);
  // (0.75 - 1) * 1, (0.75 - 0.5) * 0.5; a failure has no weight.
  EXPECT_THAT(derivatives.gradient, ElementsAre(-0.25f, -0.25f, 0.125f, 0.0f, 0.0f, 0.0f));
  EXPECT_THAT(derivatives.hessian, ElementsAre(1.0f, 1.0f, 0.5f, 0.0f, 0.0f, 0.0f));
}

TEST(DerivativesTest, AWeightMayBeAnotherThanTheLabel) {
  RowGroups row_groups;
  row_groups.Add(2, -0.5, 1);
  const Derivatives derivatives = DerivativesOf(row_groups, std::vector<float>{0.25f, 0.5f});
  EXPECT_THAT(derivatives.gradient, ElementsAre(1.25f, 1.25f));
  EXPECT_THAT(derivatives.hessian, ElementsAre(1.0f, 1.0f));
}

// The gradient is the slope of the loss, half the weighted sum of squares.
TEST(DerivativesTest, AgreeWithSmallSteps) {
  const RowGroups row_groups = ThreePrograms();
  const auto loss = [&](const std::vector<float>& predictions) {
    const std::vector<double> scores = ScoresOf(row_groups, predictions);
    double sum = 0;
    for (int i = 0; i < row_groups.size(); ++i) {
      sum += 0.5 * row_groups.labels[i] * std::pow(scores[i] - row_groups.labels[i], 2);
    }
    return sum;
  };
  const Derivatives derivatives = DerivativesOf(row_groups, kPredictions);
  for (size_t row = 0; row < kPredictions.size(); ++row) {
    constexpr float kStep = 1.0f / 1024;
    std::vector<float> up = kPredictions, down = kPredictions;
    up[row] += kStep;
    down[row] -= kStep;
    EXPECT_NEAR((loss(up) - loss(down)) / (2 * kStep), derivatives.gradient[row], 1e-6);
  }
}

TEST(RootMeanSquareTest, CountsEachProgramOnce) {
  // Errors -0.25, 0.25 and 0.5: (0.0625 + 0.0625 + 0.25) / 3 = 0.125.
  EXPECT_THAT(RootMeanSquare(ThreePrograms(), kPredictions), DoubleEq(std::sqrt(0.125)));
  EXPECT_EQ(RootMeanSquare(RowGroups(), {}), 0);
}

TEST(AveragePeakTest, IsTheBestAmongTheChosenOverTheBest) {
  RowGroups row_groups;
  row_groups.Add(1, 0.5);
  row_groups.Add(1, 1.0);
  row_groups.Add(1, 0.25);
  const std::vector<float> predictions = {0.3f, 0.2f, 0.9f};
  // Chosen in order: labels 0.25, 0.5, 1: peaks 0.25, 0.5 and 1.
  EXPECT_THAT(AveragePeak(row_groups, predictions, 1), DoubleEq(0.25));
  EXPECT_THAT(AveragePeak(row_groups, predictions, 2), DoubleEq(0.375));
  EXPECT_THAT(AveragePeak(row_groups, predictions, 3), DoubleEq(1.75 / 3));
  EXPECT_THAT(AveragePeak(row_groups, predictions, 32), DoubleEq(1.75 / 3));
}

TEST(AveragePeakTest, OfNothingIsZero) {
  EXPECT_EQ(AveragePeak(RowGroups(), {}, 4), 0);
  RowGroups failed;
  failed.Add(1, 0);
  EXPECT_EQ(AveragePeak(failed, std::vector<float>{1.0f}, 4), 0);
}

}  // namespace
}  // namespace schedulegym
