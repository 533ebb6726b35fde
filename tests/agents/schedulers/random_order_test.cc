#include "agents/schedulers/builtin_schedulers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

// Turns of four trials.
std::vector<int> Turns(const std::string& spec, size_t tasks, int64_t trials, uint64_t seed,
                       std::optional<int> finished = {}) {
  ScheduledSearch search(
      spec, {.tasks = std::vector<ScheduledTask>(tasks), .batch = 4, .rng = Rng(seed)});
  search.trials_left = trials;
  if (finished) search.Finish(*finished);
  std::vector<int> turns;
  while (search.trials_left > 0) {
    turns.push_back(search.Next().value());
    search.Report(turns.back(), std::vector(4, Success(1)));
  }
  return turns;
}

TEST(RandomOrderTest, GivesEachTaskAsMuchInAnyOrder) {
  std::vector<std::vector<int>> orders;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    orders.push_back(Turns("random", 3, 60, seed));
    for (int task : {0, 1, 2}) {
      EXPECT_EQ(std::count(orders.back().begin(), orders.back().end(), task), 5) << seed;
    }
  }
  std::sort(orders.begin(), orders.end());
  EXPECT_EQ(std::unique(orders.begin(), orders.end()), orders.end());
}

TEST(RandomOrderTest, TheSameSeedLeadsTheSameWay) {
  EXPECT_EQ(Turns("random", 3, 60, 7), Turns("random", 3, 60, 7));
}

TEST(RandomOrderTest, ASlotIsSpentBeforeAnotherIsGiven) {
  const std::vector<int> turns = Turns("random(slot=trials(n=12))", 4, 96, 1);
  ASSERT_EQ(turns.size(), 24u);
  for (size_t i = 0; i < turns.size(); i += 3) {
    EXPECT_EQ(turns[i + 1], turns[i]);
    EXPECT_EQ(turns[i + 2], turns[i]);
  }
}

TEST(RandomOrderTest, AShareEndsASlot) {
  const std::vector<int> turns = Turns("random(slot=trials(n=100))", 2, 40, 3);
  EXPECT_EQ(std::count(turns.begin(), turns.begin() + 5, turns[0]), 5);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), turns[0]), 5);
}

TEST(RandomOrderTest, WhatAFinishedTaskLeavesIsSpentByOthers) {
  const std::vector<int> turns = Turns("random", 3, 60, 5, 1);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 1), 0);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 0), 8);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 2), 7) << "the first of the least tried is next";
}

}  // namespace
}  // namespace schedulegym
