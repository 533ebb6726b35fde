#include "agents/schedulers/builtin_schedulers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

SchedulerContext Tasks(size_t count) {
  return {.tasks = std::vector<ScheduledTask>(count), .batch = 2};
}

// Turns of two trials and a second.
std::vector<int> Turns(ScheduledSearch& search, int count) {
  std::vector<int> turns;
  for (int i = 0; i < count; ++i) {
    turns.push_back(search.Next().value());
    search.Report(turns.back(), std::vector(2, Success(1)), 1);
  }
  return turns;
}

TEST(DynamicRoundRobinTest, GivesSlotsInTurn) {
  ScheduledSearch turns("dynamic_round_robin", Tasks(3));
  EXPECT_THAT(Turns(turns, 4), ElementsAre(0, 1, 2, 0));
  ScheduledSearch trials("dynamic_round_robin(slot=trials(n=3))", Tasks(2));
  EXPECT_THAT(Turns(trials, 5), ElementsAre(0, 0, 1, 1, 0));
  ScheduledSearch seconds("dynamic_round_robin(slot=seconds(s=2.5))", Tasks(2));
  EXPECT_THAT(Turns(seconds, 7), ElementsAre(0, 0, 0, 1, 1, 1, 0));
}

TEST(DynamicRoundRobinTest, TheSlotsOfAFinishedTaskAreTheOthers) {
  ScheduledSearch search("dynamic_round_robin(slot=trials(n=4))", Tasks(3));
  EXPECT_THAT(Turns(search, 3), ElementsAre(0, 0, 1));
  search.Finish(1);
  EXPECT_THAT(Turns(search, 4), ElementsAre(2, 2, 0, 0));
  search.Finish(0);
  search.Finish(2);
  EXPECT_EQ(search.Next(), std::nullopt);
}

TEST(DynamicRoundRobinTest, ATaskWithoutAGainRetires) {
  ScheduledSearch search("dynamic_round_robin(task_patience=3)", Tasks(2));
  // Each task gains in its first trial, and not in the next three.
  EXPECT_THAT(Turns(search, 4), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(search.Next(), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
