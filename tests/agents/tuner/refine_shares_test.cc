#include "agents/tuner/refinement_gain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Task and trials of each share, in order.
std::vector<std::pair<int, int64_t>> Deal(const std::vector<double>& parts, int64_t trials) {
  std::vector<std::pair<int, int64_t>> shares;
  for (const RefineShare& share : DealTrials(parts, trials)) {
    shares.emplace_back(share.task, share.trials);
  }
  return shares;
}

TEST(RefineSharesTest, OneTaskGetsAll) {
  EXPECT_THAT(Deal({0.5}, 100), ElementsAre(std::pair(0, 100)));
}

TEST(RefineSharesTest, AreInProportionTheLargestFirst) {
  EXPECT_THAT(Deal({1, 6, 3}, 100),
              ElementsAre(std::pair(1, 60), std::pair(2, 30), std::pair(0, 10)));
}

TEST(RefineSharesTest, AShareIsWorthSomethingOrNothing) {
  EXPECT_THAT(Deal({1, 97, 1, 1}, 100), ElementsAre(std::pair(1, 97), std::pair(0, 3)));
  EXPECT_THAT(Deal({1, 1, 1, 1}, 20),
              ElementsAre(std::pair(0, 8), std::pair(1, 8), std::pair(2, 4)));
}

TEST(RefineSharesTest, NothingIsLeftOver) {
  for (int64_t trials : {1, 7, 99, 1000}) {
    int64_t dealt = 0;
    for (const RefineShare& share : DealTrials(std::vector{0.1, 0.2, 0.7, 1.3}, trials)) {
      dealt += share.trials;
    }
    EXPECT_EQ(dealt, trials);
  }
}

TEST(RefineSharesTest, WhatCannotBeRefinedGetsNone) {
  EXPECT_THAT(Deal({0, 2, 0}, 10), ElementsAre(std::pair(1, 10)));
  EXPECT_THAT(Deal({0, 0}, 10), IsEmpty());
  EXPECT_THAT(Deal({}, 10), IsEmpty());
  EXPECT_THAT(Deal({1}, 0), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
