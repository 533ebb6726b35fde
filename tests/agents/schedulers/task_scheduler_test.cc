#include "agents/task_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

SchedulerContext Tasks(size_t count) { return {.tasks = std::vector<ScheduledTask>(count)}; }

int TakeTurn(ScheduledSearch& search) {
  const int task = search.Next().value();
  search.Report(task, std::vector{Success(1)});
  return task;
}

TEST(RoundRobinTest, TakesTurnsAndLeavesOutTheFinished) {
  ScheduledSearch search("round_robin", Tasks(3));
  std::vector<int> turns;
  for (int i = 0; i < 4; ++i) turns.push_back(TakeTurn(search));
  EXPECT_THAT(turns, testing::ElementsAre(0, 1, 2, 0));
  EXPECT_EQ(search.Next(), 1);
  search.Finish(1);
  turns.clear();
  for (int i = 0; i < 3; ++i) turns.push_back(TakeTurn(search));
  EXPECT_THAT(turns, testing::ElementsAre(2, 0, 2));
  search.Finish(2);
  EXPECT_EQ(TakeTurn(search), 0);
  EXPECT_EQ(TakeTurn(search), 0);
  search.Finish(0);
  EXPECT_EQ(search.Next(), std::nullopt);
}

TEST(RoundRobinTest, WhatEarlierSearchesDidIsNoTurn) {
  ScheduledSearch search("round_robin", Tasks(2));
  search.Resume(0, std::vector<Record>(3));
  EXPECT_EQ(TakeTurn(search), 0);
  EXPECT_EQ(TakeTurn(search), 1);
}

TEST(RoundRobinTest, WithoutTasksThereIsNoNext) {
  EXPECT_EQ(ScheduledSearch("round_robin", Tasks(0)).Next(), std::nullopt);
}

TEST(ScheduledTaskTest, WeighsWhatAllNetworksRun) {
  EXPECT_EQ(ScheduledTask().weight(), 1);
  EXPECT_EQ((ScheduledTask{.counts = {2, 0, 3}}).weight(), 5);
}

TEST(TaskSchedulersTest, EachCanBeMadeAndOthersAreRefused) {
  for (const auto& entry : BuiltinTaskSchedulers()) {
    EXPECT_NE(MakeTaskScheduler(ParseSpec(entry.name).value(), Tasks(1)), nullptr);
  }
  EXPECT_THROW(MakeTaskScheduler(ParseSpec("robin").value(), Tasks(1)), InputError);
  EXPECT_THROW(MakeTaskScheduler(ParseSpec("round_robin(x=1)").value(), Tasks(1)), InputError);
}

}  // namespace
}  // namespace schedulegym
