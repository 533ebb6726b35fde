#include "agents/schedulers/builtin_schedulers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/base/fault.h"
#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A turn of one trial for the next task, with its current seconds.
template <typename Speeds>
std::vector<int> Turns(ScheduledSearch& search, int count, const Speeds& seconds_of) {
  std::vector<int> turns;
  while (std::ssize(turns) < count) {
    turns.push_back(search.Next().value());
    const int had = search.curves[turns.back()].own_rounds();
    const Measurement measurement = Success(1 / seconds_of(turns.back(), had));
    search.Report(turns.back(), {&measurement, 1});
  }
  return turns;
}

SchedulerContext Tasks(size_t count) { return {.tasks = std::vector<ScheduledTask>(count)}; }

TEST(SwucbTest, TriesEachTaskFirst) {
  ScheduledSearch search("swucb", Tasks(3));
  EXPECT_THAT(Turns(search, 3, [](int, int) { return 1.0; }), ElementsAre(0, 1, 2));
}

// One task is a hundred times as slow as the others, so that it can gain most.
TEST(SwucbTest, GivesMostToTheTaskThatMayGainMost) {
  ScheduledSearch search("swucb", Tasks(3));
  const std::vector<int> turns =
      Turns(search, 60, [](int task, int had) { return (task == 1 ? 100 : 1) / (1.0 + had); });
  EXPECT_GT(std::count(turns.begin(), turns.end(), 1), 40);
  EXPECT_GT(std::count(turns.begin(), turns.end(), 0), 1) << "looked at again";
}

TEST(SwucbTest, AWeightCountsAsTheTimesThatANetworkRunsIt) {
  SchedulerContext context = Tasks(2);
  context.tasks[0].counts = {50};
  ScheduledSearch search("swucb", context);
  const std::vector<int> turns = Turns(search, 40, [](int, int had) { return 1 / (1.0 + had); });
  EXPECT_GT(std::count(turns.begin(), turns.end(), 0), 28);
}

TEST(SwucbTest, WhoeverOnlyDoubtsTakesTurns) {
  ScheduledSearch search("swucb(exploration=100)", Tasks(2));
  const std::vector<int> turns =
      Turns(search, 30, [](int task, int) { return task == 0 ? 50.0 : 1.0; });
  EXPECT_NEAR(std::count(turns.begin(), turns.end(), 0), 15, 1);
}

TEST(SwucbTest, FinishedTasksGetNothing) {
  ScheduledSearch search("swucb", Tasks(2));
  search.Finish(0);
  const std::vector<int> turns = Turns(search, 5, [](int, int) { return 1.0; });
  EXPECT_THAT(turns, testing::Each(1));
  search.Finish(1);
  EXPECT_EQ(search.Next(), std::nullopt);
}

TEST(SwucbTest, SaysWhatSpokeForATask) {
  ScheduledSearch search("swucb", Tasks(2));
  Turns(search, 3, [](int, int) { return 1.0; });
  search.Next();
  EXPECT_THAT(search.scheduler->Why(0), HasSubstr("score "));
}

// A store keeps the curves without the window: a resumed search tries each task again.
TEST(SwucbTest, OfTheCurvesAloneItBeginsAnew) {
  const auto seconds_of = [](int task, int had) { return (task == 1 ? 100 : 1) / (1.0 + had); };
  ScheduledSearch living("swucb", Tasks(3)), anew("swucb", Tasks(3));
  Turns(living, 60, seconds_of);
  anew.curves = living.curves;
  EXPECT_THAT(Turns(living, 3, seconds_of), testing::Not(ElementsAre(0, 1, 2)));
  EXPECT_THAT(Turns(anew, 3, seconds_of), ElementsAre(0, 1, 2));
}

TEST(SwucbTest, OptionsHaveRanges) {
  for (const char* bad : {"swucb(window=0)", "swucb(exploration=-1)", "swucb(alpha=2)",
                          "swucb(beta=0.5)", "swucb(rounds=0)", "swucb(tau=1)"}) {
    EXPECT_THROW(ScheduledSearch(bad, Tasks(1)), InputError) << bad;
  }
  const std::string_view defaults(kSwucbParameters,
                                  std::string_view(kSwucbParameters).find(", model"));
  EXPECT_NO_THROW(ScheduledSearch("swucb(" + std::string(defaults) + ")", Tasks(1)));
}

}  // namespace
}  // namespace schedulegym
