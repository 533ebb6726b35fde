#include "agents/search_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/tuner_fixture.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

class SearchRunTest : public TunerFixture {
 protected:
  SearchRunTest() {
    for (int extent : {97, 61}) {
      agents_.push_back(std::make_unique<ListeningAgent>(space_));
      tasks_.push_back({VectorTask(extent), *agents_.back()});
    }
  }

  std::vector<TunerTask> tasks_;
  std::unique_ptr<TaskScheduler> made_ =
      MakeTaskScheduler(ParseSpec(scheduler_).value(), {.tasks = {{}, {}}});
  TunerParts parts_{measurer_, *store_, *made_, witness_, clock_, calendar_};
};

TEST_F(SearchRunTest, NothingHappensBetweenTurns) {
  SearchRun search(tasks_, options_, parts_);
  search.Start();
  EXPECT_THAT(witness_.starts, ElementsAre("vector97", "vector61"));
  EXPECT_EQ(search.trials(), 0);
  EXPECT_TRUE(search.TakeTurn());
  EXPECT_EQ(search.trials(), 8);
  EXPECT_TRUE(search.TakeTurn());
  EXPECT_THAT(witness_.turns, ElementsAre(0, 1));
  EXPECT_EQ(search.runs()[1].done.trials, 8);
  EXPECT_EQ(search.Elapsed(), 16);
  EXPECT_TRUE(witness_.dones.empty());
}

TEST_F(SearchRunTest, ATurnKeepsToTheLimit) {
  SearchRun search(tasks_, options_, parts_);
  search.Start();
  EXPECT_EQ(search.ReasonToStop(), std::nullopt);
  search.Limit(10, std::nullopt);
  search.TakeTurn();
  search.TakeTurn();
  EXPECT_EQ(search.trials(), 10);
  EXPECT_EQ(search.ReasonToStop(), StopReason::kTrials);
  search.Limit(20, 10);
  EXPECT_EQ(search.ReasonToStop(), StopReason::kSeconds);
  search.Limit(20, 11);
  EXPECT_EQ(search.ReasonToStop(), std::nullopt);
}

TEST_F(SearchRunTest, NoTurnWhereTheSchedulerNamesNone) {
  SearchRun search(tasks_, options_, parts_);
  search.Start();
  made_->Finish(0);
  made_->Finish(1);
  EXPECT_FALSE(search.TakeTurn());
  EXPECT_EQ(measurer_.count, 0);
  EXPECT_TRUE(witness_.turns.empty());
}

TEST_F(SearchRunTest, ATaskWithNothingLeftIsFinished) {
  agents_.push_back(std::make_unique<ListeningAgent>(space_));
  SearchRun search({{VectorTask(1), *agents_.back()}, tasks_[0]}, options_, parts_);
  search.Start();
  for (int i = 0; i < 4; ++i) search.TakeTurn();
  EXPECT_THAT(witness_.turns, ElementsAre(0, 1, 0, 1));
  search.TakeTurn();
  EXPECT_EQ(witness_.turns.back(), 1);
  EXPECT_EQ(search.runs()[0].done.stopped, StopReason::kExhausted);
}

}  // namespace
}  // namespace schedulegym
