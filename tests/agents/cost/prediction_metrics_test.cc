#include "agents/cost/prediction_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;

// Without measurement noise.
TaskPredictions Task(std::vector<double> scores, const std::vector<double>& seconds) {
  return {std::move(scores), seconds, seconds};
}

// Labels in predicted order: 0.5, 1, 0.25.
TaskPredictions SecondIsBest() { return Task({3, 2, 1}, {2, 1, 4}); }

TEST(RatioOfSumsTest, SumsBothSides) {
  const std::vector<MetricTerm> terms = {{2, 4}, {3, 3}};
  EXPECT_THAT(RatioOfSums(terms), DoubleEq(5.0 / 7));
  EXPECT_EQ(RatioOfSums({}), 0);
}

TEST(DescendingOrderTest, KeepsTheOrderOfEqualValues) {
  EXPECT_THAT(DescendingOrder(std::vector<double>{1, 3, 1, 2}), ElementsAre(1, 3, 0, 2));
}

TEST(TopTermTest, IsThatOfANetworkOfTwoTasks) {
  const TaskPredictions wrong = Task({1, 2}, {1, 2}), right = Task({2, 1}, {3, 6});
  const std::vector<MetricTerm> first = {TopTerm(wrong, 1, 2), TopTerm(right, 1, 1)};
  EXPECT_THAT(RatioOfSums(first), DoubleNear(0.714286, 1e-6));
  const std::vector<MetricTerm> two = {TopTerm(wrong, 2, 2), TopTerm(right, 2, 1)};
  EXPECT_THAT(RatioOfSums(two), DoubleEq(1));
}

TEST(BestOfFirstTest, IsChosenByOneHalfAndValuedByTheOther) {
  // The second looks best by the half of the samples that chooses, and is not.
  const TaskPredictions task = {{3, 2, 1}, {2, 1, 4}, {2, 3, 1}};
  EXPECT_EQ(BestOfFirst(task, 1), 2);
  EXPECT_EQ(BestOfFirst(task, 2), 3);
  EXPECT_EQ(BestOfFirst(task, 9), 3);
  EXPECT_EQ(TopTerm(task, 2, 2).numerator, 2);
  EXPECT_EQ(TopTerm(task, 2, 2).denominator, 6);
}

TEST(AveragePeakOfTaskTest, IsTheMeanOfRunningMaxima) {
  EXPECT_THAT(AveragePeak(SecondIsBest(), 3), DoubleNear(0.8333, 1e-4));
  EXPECT_THAT(AveragePeak(SecondIsBest(), 1), DoubleEq(0.5));
  EXPECT_THAT(AveragePeak(SecondIsBest(), 5), DoubleNear(0.8333, 1e-4));
}

TEST(PairwiseAccuracyTest, CountsPairsInTheRightOrder) {
  const TaskPredictions task = SecondIsBest();
  EXPECT_THAT(PairwiseAccuracy(task.scores, task.value_seconds), DoubleNear(0.6667, 1e-4));
}

TEST(PairwiseAccuracyTest, TakesTiesAsNotFaster) {
  const std::vector<double> equal = {1, 1}, rising = {1, 2}, one = {1};
  EXPECT_EQ(PairwiseAccuracy(equal, equal), 1);
  EXPECT_EQ(PairwiseAccuracy(equal, rising), 0);  // the first is faster
  EXPECT_EQ(PairwiseAccuracy(rising, equal), 1);
  EXPECT_EQ(PairwiseAccuracy(one, one), 0.5);
}

TEST(RankCorrelationTest, IsOneMinusSixTimesSquaredDistances) {
  // Ranks 1, 2, 3 and 2, 1, 3: 1 - 6 * 2 / (3 * 8).
  const std::vector<double> a = {1, 5, 6}, b = {20, 10, 30};
  EXPECT_THAT(RankCorrelation(a, b), DoubleEq(0.5));
}

TEST(RankCorrelationTest, SharesRanksOfEqualValues) {
  // Ranks 1.5, 1.5, 3 and 1, 2, 3: 1.5 / sqrt(1.5 * 2).
  const std::vector<double> a = {1, 1, 2}, b = {1, 2, 3}, constant = {4, 4, 4};
  EXPECT_THAT(RankCorrelation(a, b), DoubleNear(0.8660254, 1e-7));
  EXPECT_EQ(RankCorrelation(constant, b), 0);
}

TEST(RankCorrelationTest, OfATaskIsThatOfSpeeds) {
  EXPECT_THAT(RankCorrelation(Task({3, 2, 1}, {1, 2, 3})), DoubleEq(1));
  EXPECT_THAT(RankCorrelation(SecondIsBest()), DoubleEq(0.5));
}

TEST(RankCorrelationTest, OfTheBestLooksAtNoOther) {
  const TaskPredictions task = Task({1, 2, 9, 8}, {1, 2, 3, 4});
  EXPECT_THAT(RankCorrelationOfBest(task, 2), DoubleEq(-1));
  EXPECT_THAT(RankCorrelationOfBest(task, 4), DoubleEq(RankCorrelation(task)));
}

TEST(RecallOfBestTest, IsTheShareOfTheBestThatIsFound) {
  const TaskPredictions task = Task({4, 1, 3, 2}, {1, 2, 3, 4});
  EXPECT_EQ(RecallOfBest(task, 1), 1);
  EXPECT_EQ(RecallOfBest(task, 2), 0.5);
  EXPECT_EQ(RecallOfBest(task, 4), 1);
}

TEST(SharesOfBestTest, AreOverTheLargest) {
  EXPECT_THAT(SharesOfBest(std::vector<double>{1, 4, -2}), ElementsAre(0.25, 1, 0));
  EXPECT_THAT(SharesOfBest(std::vector<double>{-1, -2}), ElementsAre(0, 0));
}

TEST(ErrorsTest, AreThoseOfTheNotes) {
  const std::vector<double> predicted = {1, 1.5}, actual = {2, 1};
  EXPECT_THAT(MeanSquaredError(predicted, actual), DoubleEq(0.625));
  EXPECT_THAT(MeanAbsolutePercentageError(predicted, actual), DoubleEq(50));
  EXPECT_THAT(MeanAbsolutePercentageError(predicted, actual, 1e-5), DoubleNear(49.9996, 1e-4));
}

TEST(HalvesOfTest, AreMediansOfEarlierAndLaterSamples) {
  const std::vector<float> five = {1, 3, 8, 4, 6}, two = {5, 7};
  EXPECT_EQ(HalvesOf(five).first, 2);
  EXPECT_EQ(HalvesOf(five).second, 6);
  EXPECT_EQ(HalvesOf(two).first, 5);
  EXPECT_EQ(HalvesOf(two).second, 7);
}

}  // namespace
}  // namespace schedulegym
