#include "agents/schedulers/builtin_schedulers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Turns of four trials of a second each, until none are left; a task has at most `most` turns.
std::vector<int> Turns(ScheduledSearch& search, size_t most = 1000) {
  std::vector<int> turns;
  while (search.trials_left > 0 && search.seconds_left.value_or(1) > 0) {
    const std::optional<int> task = search.Next();
    if (!task) break;
    if (search.curves[*task].turns.size() == most) {
      search.Finish(*task);
      continue;
    }
    turns.push_back(*task);
    search.Report(*task, std::vector(std::min<size_t>(4, search.trials_left), Success(1)), 1);
  }
  return turns;
}

ScheduledSearch Linear(size_t tasks, int64_t trials) {
  ScheduledSearch search("linear", {.tasks = std::vector<ScheduledTask>(tasks), .batch = 4});
  search.trials_left = trials;
  return search;
}

TEST(LinearTest, OneTaskAfterTheOtherHasItsShare) {
  ScheduledSearch search = Linear(3, 24);
  EXPECT_THAT(Turns(search), ElementsAre(0, 0, 1, 1, 2, 2));
}

// Shares of six trials: one turn, then two to compensate.
TEST(LinearTest, TurnsThatDoNotFitAreTheNextOnes) {
  ScheduledSearch search = Linear(4, 24);
  EXPECT_THAT(Turns(search), ElementsAre(0, 1, 1, 2, 3, 3));
}

TEST(LinearTest, EveryTaskHasATurn) {
  ScheduledSearch search = Linear(3, 12);
  search.seconds_left = 2.5;
  EXPECT_THAT(Turns(search), ElementsAre(0, 1, 2));
}

TEST(LinearTest, SharesAreOfSecondsToo) {
  ScheduledSearch search = Linear(2, 1000);
  search.seconds_left = 6;
  EXPECT_THAT(Turns(search), ElementsAre(0, 0, 0, 1, 1, 1));
}

TEST(LinearTest, WhatATaskLeavesIsForThoseAfterIt) {
  ScheduledSearch search = Linear(3, 36);
  search.Finish(0);
  EXPECT_THAT(Turns(search), ElementsAre(1, 1, 1, 1, 1, 1, 2, 2, 2));
}

TEST(LinearTest, WhatTheLastLeavesIsSpentWhereLeastWas) {
  ScheduledSearch search = Linear(3, 36);
  search.Finish(2);
  EXPECT_THAT(Turns(search), ElementsAre(0, 0, 0, 1, 1, 1, 0, 1, 0));
  ScheduledSearch small = Linear(2, 100);
  EXPECT_THAT(Turns(small, 2), ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(small.Next(), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
