#include "agents/plan/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::vector<int> FirstKnobs(const std::vector<ScoredPlace>& order) {
  std::vector<int> values;
  for (const ScoredPlace& one : order) values.push_back(one.place.point[0]);
  return values;
}

const std::vector<ScoredPlace> kBest = {
    {0.9, {0, {1, 1}}}, {0.85, {0, {2, 1}}}, {0.8, {0, {3, 4}}}};

// After the first pick the second adds one new value, the third two: 0.85 + 0.1 < 0.8 + 0.2.
TEST(CoverageTest, TheWeightChangesTheSecondPick) {
  EXPECT_THAT(FirstKnobs(Cover(kBest, 2, 1, 0)), ElementsAre(1, 2, 3));
  EXPECT_THAT(FirstKnobs(Cover(kBest, 2, 1, 0.1)), ElementsAre(1, 3, 2));
}

TEST(CoverageTest, PublishedScoresDoNotCount) {
  EXPECT_THAT(FirstKnobs(Cover({kBest[1], kBest[0], kBest[2]}, 3, 0, 1)), ElementsAre(2, 3, 1));
}

TEST(CoverageTest, ValuesOfOtherSketchesAreOthers) {
  const std::vector<ScoredPlace> best = {
      {0.9, {0, {1, 1}}}, {0.8, {0, {2, 1}}}, {0.7, {1, {3, 1}}}};
  EXPECT_THAT(FirstKnobs(Cover(best, 3, 1, 1)), ElementsAre(1, 3, 2));
}

}  // namespace
}  // namespace schedulegym
