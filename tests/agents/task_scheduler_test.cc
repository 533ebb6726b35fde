#include "agents/task_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

SchedulerContext Tasks(size_t count) { return {.tasks = std::vector<ScheduledTask>(count)}; }

TEST(RoundRobinTest, TakesTurnsAndLeavesOutTheFinished) {
  const auto scheduler = MakeTaskScheduler(ParseSpec("round_robin").value(), Tasks(3));
  std::vector<int> turns;
  for (int i = 0; i < 4; ++i) turns.push_back(scheduler->Next().value());
  EXPECT_THAT(turns, testing::ElementsAre(0, 1, 2, 0));
  scheduler->Finish(1);
  turns.clear();
  for (int i = 0; i < 3; ++i) turns.push_back(scheduler->Next().value());
  EXPECT_THAT(turns, testing::ElementsAre(2, 0, 2));
  scheduler->Finish(2);
  EXPECT_EQ(scheduler->Next(), 0);
  EXPECT_EQ(scheduler->Next(), 0);
  scheduler->Finish(0);
  EXPECT_EQ(scheduler->Next(), std::nullopt);
}

TEST(RoundRobinTest, WithoutTasksThereIsNoNext) {
  EXPECT_EQ(MakeTaskScheduler(ParseSpec("round_robin").value(), Tasks(0))->Next(), std::nullopt);
}

TEST(TaskSchedulersTest, EachCanBeMadeAndOthersAreRefused) {
  for (const SchedulerEntry& entry : BuiltinTaskSchedulers()) {
    EXPECT_NE(MakeTaskScheduler(ParseSpec(entry.name).value(), Tasks(1)), nullptr);
  }
  EXPECT_THROW(MakeTaskScheduler(ParseSpec("robin").value(), Tasks(1)), InputError);
  EXPECT_THROW(MakeTaskScheduler(ParseSpec("round_robin(x=1)").value(), Tasks(1)), InputError);
}

}  // namespace
}  // namespace schedulegym
