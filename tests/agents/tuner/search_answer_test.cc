#include "agents/tuner/task_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "tests/agents/tuner/tuner_fixture.h"

namespace schedulegym {
namespace {

// The answer of a search whose best is slower than the reference.
class ReferenceTest : public TunerFixture {
 protected:
  ReferenceTest() {
    options_.reference = [](std::shared_ptr<const Task> task) {
      return ScheduleState::Initial(std::move(task));
    };
  }
};

TEST_F(ReferenceTest, TakesThePlaceOfASlowerBest) {
  measurer_.script = [](int i) { return Success(i == 3 ? 0.8 : 0.5); };
  const auto done = Run();
  EXPECT_EQ(done[0].source, BestSource::kReference);
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_EQ(done[0].best->trace, "trace 1\n");
  EXPECT_EQ(BestRecordId(done[0]), std::nullopt) << "nobody measured it as a candidate";
  EXPECT_EQ(FaultOf(*done[0].best), "");
  EXPECT_EQ(done[0].best->measurement.timing->ratio, RatioInterval());
  EXPECT_NEAR(done[0].best->measurement.timing->seconds, 1e-6, 1e-15);
  EXPECT_NEAR(done[0].best_gflops.value(), 97 / 1e-6 * 1e-9, 1e-9);
  EXPECT_EQ(store_->ForTask(done[0].task->key).size(), 20u) << "nothing is recorded of it";
}

TEST_F(ReferenceTest, LosesToWhatIsAsFast) {
  const auto done = Run();
  EXPECT_EQ(done[0].source, BestSource::kSearch);
  EXPECT_EQ(BestRecordId(done[0]), witness_.trials[0].id);
}

TEST_F(ReferenceTest, HasItsRecordWhereTheSearchMeasuredIt) {
  measurer_.script = [](int) { return Success(0.5); };
  options_.reference = [this](const std::shared_ptr<const Task>& task) {
    return ReplayText(task, witness_.trials[2].trace).value();
  };
  const auto done = Run();
  EXPECT_EQ(BestRecordId(done[0]), witness_.trials[2].id);
  EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 1);
}

// The reference is timed once, in addition to the trials.
TEST_F(ReferenceTest, IsTheBestWhereNothingSucceeded) {
  measurer_.script = [](int i) { return i < 20 ? Failure(Outcome::kWrongOutput) : Success(0.5); };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 21);
  EXPECT_EQ(done[0].trials, 20);
  EXPECT_EQ(done[0].ok, 0);
  EXPECT_EQ(done[0].source, BestSource::kReference);
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_EQ(done[0].best->trace, "trace 1\n");
  EXPECT_NEAR(done[0].best->measurement.timing->seconds, 1e-6, 1e-15);
  EXPECT_EQ(BestRecordId(done[0]), std::nullopt);
  EXPECT_EQ(store_->ForTask(done[0].task->key).size(), 20u);
}

TEST_F(ReferenceTest, IsNotTimedWhereNoTimeIsLeft) {
  options_.request.seconds = 2;
  measurer_.takes = [](int) { return 100; };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 1);
  EXPECT_EQ(done[0].source, BestSource::kReference);
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_EQ(done[0].best->trace, "trace 1\n");
  EXPECT_FALSE(done[0].best->measurement.timing.has_value());
  EXPECT_EQ(done[0].best_gflops, std::nullopt);
}

TEST_F(ReferenceTest, IsNotTimedEither) {
  measurer_.script = [](int) { return Failure(Outcome::kNoisy); };
  const auto done = Run();
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_FALSE(done[0].best->measurement.timing.has_value());
}

TEST_F(ReferenceTest, LosesToWhatAnEarlierSearchKnew) {
  measurer_.script = [](int) { return Success(2); };
  Run();
  witness_.trials.clear();
  measurer_.script = [](int) { return Failure(Outcome::kWrongOutput); };
  const auto done = Run();
  EXPECT_EQ(done[0].best, std::nullopt);
  EXPECT_TRUE(done[0].known_best.has_value());
}

// The earlier best is timed against the reference.
TEST_F(ReferenceTest, HasTheTimeThatAnEarlierBestTellsWhenItIsMeasuredAgain) {
  measurer_.script = [](int) { return Success(0.5); };
  Run();
  witness_.trials.clear();
  options_.finalists = 1;
  const int before = measurer_.count;
  measurer_.script = [=](int i) {
    return i < before + 20 ? Failure(Outcome::kWrongOutput) : Success(0.6);
  };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, before + 21) << "not measured alone";
  EXPECT_EQ(done[0].source, BestSource::kReference);
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_NEAR(done[0].best->measurement.timing->seconds, 1e-6, 1e-15);
}

TEST_F(ReferenceTest, LosesUntimedToASlowerOneThatAnEarlierSearchTimed) {
  measurer_.script = [](int) { return Success(0.5); };
  Run();
  witness_.trials.clear();
  options_.request.seconds = 2;
  measurer_.script = [](int) { return Failure(Outcome::kWrongOutput); };
  measurer_.takes = [](int) { return 100; };
  const auto done = Run();
  EXPECT_EQ(done[0].best, std::nullopt);
  EXPECT_TRUE(done[0].known_best.has_value());
}

// The ending of the store's best record.
class EndingTest : public TunerFixture {
 protected:
  std::optional<std::string> EndingOfTheBest() const {
    return store_->Ending(store_->Best(TaskKey(*VectorTask(97))).value().id);
  }
};

TEST_F(EndingTest, IsThatOfTheLatestSearch) {
  options_.request.seconds = 4.5;
  Run();
  EXPECT_EQ(EndingOfTheBest(), "seconds");
  options_.request.seconds.reset();
  options_.request.trials = 1;
  witness_.trials.clear();
  Run();
  EXPECT_EQ(EndingOfTheBest(), "trials");
}

TEST_F(ReferenceTest, IsLeftWhereAllIsInDoubt) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  options_.request.trials = options_.batch = 1;
  measurer_.script = [&](int) {
    measurer_.deferred_results.suspects = {{agents_[0]->proposed[0].state}};
    stop = true;
    return Success(4);
  };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 1);
  EXPECT_EQ(done[0].source, BestSource::kReference);
  EXPECT_NEAR(done[0].best->measurement.timing->seconds, 1e-6, 1e-15);
}

TEST_F(EndingTest, ASearchThatMeasuredNothingLeavesTheEndingOfTheBest) {
  const std::string best = Run()[0].best->id;
  EXPECT_EQ(store_->Ending(best), "trials");
  options_.request.seconds = 4.5;
  options_.is_measured = false;
  witness_.trials.clear();
  Run();
  EXPECT_EQ(store_->Ending(best), "trials") << "no candidate ran";
  options_.is_measured = true;
  measurer_.script = [](int) { return Failure(Outcome::kInvalidSchedule); };
  witness_.trials.clear();
  EXPECT_EQ(Run()[0].stopped, StopReason::kSeconds);
  EXPECT_EQ(store_->Ending(best), "trials") << "nothing succeeded";
}

}  // namespace
}  // namespace schedulegym
