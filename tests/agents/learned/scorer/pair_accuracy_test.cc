#include "agents/learned/scorer/pair_accuracy.h"

#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

using Floats = std::vector<float>;

TEST(PairAccuracyTest, IsWorkedByHand) {
  // The first is predicted best: one of three pairs is wrong.
  EXPECT_NEAR(*PairAccuracy(Floats{2, 1, 0}, Floats{0.5, 1, 0.25}), 2 / 3.0, 1e-12);
  EXPECT_EQ(PairAccuracy(Floats{1, 1}, Floats{1, 0}), 0.5);
  EXPECT_EQ(PairAccuracy(Floats{1, 2}, Floats{1, 1}), std::nullopt);
  EXPECT_EQ(PairAccuracy(Floats{}, Floats{}), std::nullopt);
}

TEST(PairAccuracyTest, TasksCountAlike) {
  const Floats scores = {2, 1, 0, 1, 0, 3}, labels = {0.5, 1, 0.25, 1, 0, 1};
  const std::vector<int> tasks = {4, 4, 4, 9, 9, 5};
  EXPECT_NEAR(*MeanPairAccuracy(scores, labels, tasks), (2 / 3.0 + 1) / 2, 1e-12);
  EXPECT_EQ(MeanPairAccuracy(Floats{1}, Floats{1}, std::vector<int>{0}), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
