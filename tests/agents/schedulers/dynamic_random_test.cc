#include "agents/schedulers/builtin_schedulers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

ScheduledSearch Search(const std::string& spec, uint64_t seed) {
  return {spec, {.tasks = std::vector<ScheduledTask>(3), .rng = Rng(seed)}};
}

std::vector<int> Turns(ScheduledSearch& search, int count) {
  std::vector<int> turns;
  for (int i = 0; i < count; ++i) {
    turns.push_back(search.Next().value());
    search.Report(turns.back(), std::vector{Success(1)});
  }
  return turns;
}

TEST(DynamicRandomTest, ChanceChoosesAmongAll) {
  ScheduledSearch search = Search("dynamic_random", 1);
  const std::vector<int> turns = Turns(search, 600);
  // Expected 200; the standard deviation is sqrt(600 * 2 / 9) = 11.5.
  for (int task : {0, 1, 2}) EXPECT_NEAR(std::count(turns.begin(), turns.end(), task), 200, 55);
  ScheduledSearch same = Search("dynamic_random", 1), other = Search("dynamic_random", 2);
  EXPECT_EQ(Turns(same, 600), turns);
  EXPECT_NE(Turns(other, 600), turns);
}

TEST(DynamicRandomTest, ASlotIsSpentBeforeAnotherIsGiven) {
  ScheduledSearch search = Search("dynamic_random(slot=trials(n=5))", 4);
  const std::vector<int> turns = Turns(search, 100);
  for (size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(turns[i], turns[i - i % 5]) << i;
}

TEST(DynamicRandomTest, FinishedAndRetiredTasksHaveNone) {
  ScheduledSearch search = Search("dynamic_random(task_patience=6)", 4);
  search.Finish(1);
  // Two tasks: one gain and six trials without a gain.
  const std::vector<int> turns = Turns(search, 14);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 0), 7);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 2), 7);
  EXPECT_EQ(search.Next(), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
