#include "agents/plan/portfolio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using enum Acquisition;
using testing::ElementsAre;

NamedRound Values(double ei, double poi, double lcb) {
  return {{kImprovement, ei}, {kProbability, poi}, {kLowerBound, lcb}};
}

TEST(PortfolioTest, DiscountedSumsOfThree) {
  EXPECT_DOUBLE_EQ(DiscountedSum(std::vector<double>{4, 3}, 0.65), 5.6);
  EXPECT_DOUBLE_EQ(DiscountedSum(std::vector<double>{5, 2}, 0.65), 5.25);
  EXPECT_DOUBLE_EQ(DiscountedSum(std::vector<double>{3, 3}, 0.65), 4.95);
}

// EI and PoI propose the same five times; PoI was faster before.
TEST(PortfolioTest, OfThoseThatAgreeTheBetterStays) {
  std::vector<NamedRound> rounds = {Values(4, 1, 3)};
  for (int i = 0; i < 5; ++i) {
    rounds.push_back({{kImprovement, 2, true}, {kProbability, 2, true}, {kLowerBound, 3}});
    const std::vector<Acquisition> active = ActiveAfter(PortfolioRule::kMulti, rounds);
    EXPECT_EQ(active.size(), i < 4 ? 3u : 2u);
  }
  EXPECT_THAT(ActiveAfter(PortfolioRule::kMulti, rounds), ElementsAre(kProbability, kLowerBound));
}

TEST(PortfolioTest, AnotherNameBetweenForgivesDuplicates) {
  std::vector<NamedRound> rounds;
  for (int i = 0; i < 9; ++i) {
    rounds.push_back(i == 4 ? Values(1, 2, 3)
                            : NamedRound{{kImprovement, 2, true}, {kProbability, 2, true}});
  }
  EXPECT_EQ(ActiveAfter(PortfolioRule::kMulti, rounds).size(), 3u);
}

// With 10, 10 and 13 the last is 18 % above the mean of 11, the others 9 % below it.
TEST(PortfolioTest, TheSlowestLeavesAfterFiveRounds) {
  std::vector<NamedRound> rounds(4, Values(10, 10, 13));
  EXPECT_EQ(ActiveAfter(PortfolioRule::kAdvanced, rounds).size(), 3u);
  rounds.push_back(rounds[0]);
  EXPECT_THAT(ActiveAfter(PortfolioRule::kAdvanced, rounds),
              ElementsAre(kImprovement, kProbability));
}

// With 10, 10 and 7 the last is 22 % below the mean of 9, the others 11 % above it.
TEST(PortfolioTest, AClearBestStaysAlone) {
  const std::vector<NamedRound> rounds(5, Values(10, 10, 7));
  EXPECT_THAT(ActiveAfter(PortfolioRule::kAdvanced, rounds), ElementsAre(kLowerBound));
}

// With a margin of 10 % the sums of 10, 10 and 13 differ, with 20 % they do not.
TEST(PortfolioTest, AWiderMarginKeepsAll) {
  const std::vector<NamedRound> rounds(5, Values(10, 10, 13));
  EXPECT_EQ(ActiveAfter(PortfolioRule::kAdvanced, rounds, {.margin = 0.2}).size(), 3u);
}

// A first value of 100 makes the others better five times, unless it is discounted at once.
TEST(PortfolioTest, ADiscountOfZeroForgetsTheFirstRound) {
  std::vector<NamedRound> rounds(5, Values(10, 10, 10));
  rounds[0] = Values(10, 10, 100);
  EXPECT_EQ(ActiveAfter(PortfolioRule::kAdvanced, rounds).size(), 1u);
  EXPECT_EQ(ActiveAfter(PortfolioRule::kAdvanced, rounds, {.discount = 0}).size(), 3u);
}

TEST(PortfolioTest, FastKeepsAll) {
  const std::vector<NamedRound> rounds(50, Values(10, 10, 7));
  EXPECT_EQ(ActiveAfter(PortfolioRule::kFast, rounds).size(), 3u);
}

}  // namespace
}  // namespace schedulegym
