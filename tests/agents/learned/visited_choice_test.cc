#include "agents/learned/track_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Key KeyOf(uint64_t number) { return {0, number}; }

std::vector<VisitedSchedule> Visited(std::vector<std::pair<uint64_t, std::optional<double>>> all) {
  std::vector<VisitedSchedule> visited;
  for (const auto& [key, score] : all) visited.push_back({KeyOf(key), score});
  return visited;
}

VisitedChoice Best(const std::vector<VisitedSchedule>& visited, int count,
                   const std::set<Key>& known = {}) {
  Rng rng(1);
  return ChooseVisited(visited, known, count, 0, rng);
}

TEST(ChooseVisitedTest, TheBestComeFirst) {
  const auto visited = Visited({{10, 1}, {11, 5}, {12, -3}, {13, 4}});
  EXPECT_THAT(Best(visited, 3).best, ElementsAre(1, 3, 0));
  EXPECT_THAT(Best(visited, 3).stray, IsEmpty());
  EXPECT_THAT(Best(visited, 9).best, ElementsAre(1, 3, 0, 2)) << "no more are left";
  EXPECT_THAT(Best(visited, 0).best, IsEmpty());
  EXPECT_THAT(Best({}, 3).best, IsEmpty());
}

TEST(ChooseVisitedTest, OfEqualsTheFirstAndNoneLast) {
  EXPECT_THAT(Best(Visited({{13, {}}, {12, 2}, {11, 2}, {10, -1e300}}), 4).best,
              ElementsAre(1, 2, 3, 0));
}

TEST(ChooseVisitedTest, EachKeyOnceAtItsBestScore) {
  EXPECT_THAT(Best(Visited({{10, 1}, {11, 3}, {10, 5}, {11, {}}, {10, 4}}), 4).best,
              ElementsAre(2, 1));
}

TEST(ChooseVisitedTest, WhatIsKnownIsLeftOut) {
  EXPECT_THAT(Best(Visited({{10, 1}, {11, 3}, {12, 5}}), 2, {KeyOf(12)}).best, ElementsAre(1, 0));
}

TEST(ChooseVisitedTest, StraysAreDrawnFromTheOthers) {
  std::vector<VisitedSchedule> visited;
  for (uint64_t i = 0; i < 20; ++i) visited.push_back({KeyOf(i), static_cast<double>(i)});
  std::vector<int> counts(20);
  Rng rng(3);
  for (int draw = 0; draw < 3000; ++draw) {
    const VisitedChoice choice = ChooseVisited(visited, {}, 10, 0.2, rng);
    ASSERT_THAT(choice.best, ElementsAre(19, 18, 17, 16, 15, 14, 13, 12));
    ASSERT_EQ(choice.stray.size(), 2U);
    ASSERT_NE(choice.stray[0], choice.stray[1]);
    for (const int stray : choice.stray) ++counts[static_cast<size_t>(stray)];
  }
  // Two of twelve, 500 times each; five standard deviations are about 100.
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(counts[static_cast<size_t>(i)], 500, 100);
}

TEST(ChooseVisitedTest, ASmallShareOfFewIsNotAlwaysNone) {
  const auto visited = Visited({{10, 1}, {11, 3}, {12, 5}, {13, 6}, {14, 7}});
  Rng rng(4);
  int strays = 0;
  for (int draw = 0; draw < 10000; ++draw) {
    const VisitedChoice choice = ChooseVisited(visited, {}, 2, 0.05, rng);
    EXPECT_EQ(choice.best.size() + choice.stray.size(), 2U);
    strays += static_cast<int>(choice.stray.size());
  }
  EXPECT_NEAR(strays, 1000, 150) << "two times 5 %";
}

TEST(ChooseVisitedTest, WhereFewAreLeftTheBestYield) {
  const auto visited = Visited({{10, 1}, {11, 3}});
  Rng rng(5);
  const VisitedChoice choice = ChooseVisited(visited, {}, 10, 0.1, rng);
  EXPECT_EQ(choice.best.size() + choice.stray.size(), 2U);
  EXPECT_EQ(choice.stray.size(), 1U);
}

TEST(ChooseVisitedTest, TheSameSeedChoosesTheSame) {
  std::vector<VisitedSchedule> visited;
  for (uint64_t i = 0; i < 50; ++i) visited.push_back({KeyOf(i), 1});
  Rng a(6), b(6);
  EXPECT_EQ(ChooseVisited(visited, {}, 20, 0.5, a).stray,
            ChooseVisited(visited, {}, 20, 0.5, b).stray);
}

TEST(ChooseVisitedTest, RefusesWhatMakesNoSense) {
  Rng rng(1);
  EXPECT_THROW(ChooseVisited({}, {}, -1, 0, rng), std::logic_error);
  EXPECT_THROW(ChooseVisited({}, {}, 1, 1.5, rng), std::logic_error);
  EXPECT_THROW(ChooseVisited(Visited({{1, std::nan("")}}), {}, 1, 0, rng), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
