#include "agents/tuner/known_best.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/tuner/tuner_fixture.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

class KnownBestTest : public TunerFixture {};

TEST_F(KnownBestTest, TheBestIsMeasuredAgainUntilItIsOneThatWas) {
  options_.finalists = 5;
  options_.request.trials = 40;
  measurer_.script = [](int i) {
    return Success(i == 3 ? 9 : i == 7 ? 8 : i == 40 ? 2 : i == 41 ? 7.5 : 1 + 0.01 * i);
  };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 42);
  EXPECT_EQ(done[0].trials, 40);
  EXPECT_EQ(done[0].finalists, 2);
  EXPECT_EQ(done[0].best->state_key, witness_.trials[7].state_key);
  EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 7.5);
  EXPECT_EQ(done[0].best->index, 7);
  EXPECT_EQ(store_->Best(done[0].task->key), done[0].best);
  EXPECT_THAT(std::vector<bool>(measurer_.finalist.end() - 3, measurer_.finalist.end()),
              ElementsAre(false, true, true));
  EXPECT_TRUE(measurer_.anew.back());
  EXPECT_NEAR(done[0].time.measure, 42 * 0.3, 1e-9);
}

TEST_F(KnownBestTest, NoMoreAreMeasuredAgainThanAskedFor) {
  options_.finalists = 2;
  options_.request.trials = 40;
  measurer_.script = [](int i) { return Success(i < 40 ? 5 + 0.1 * i : 1); };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 42);
  EXPECT_EQ(done[0].finalists, 2);
  EXPECT_EQ(done[0].best->index, 37) << "of those that were not measured again";
}

TEST_F(KnownBestTest, MeasuringAgainTakesATenthOfTheTimeAtMost) {
  options_.finalists = 9;
  measurer_.script = [](int i) { return Success(i < 20 ? 5 + 0.1 * i : 1); };
  Run();
  EXPECT_EQ(measurer_.count, 20 + 2) << "a second each";
}

TEST_F(KnownBestTest, AFinalistOfWhichNothingIsFoundOutStaysTheBest) {
  options_.finalists = 2;
  measurer_.script = [](int i) { return i < 20 ? Success(1 + i) : Failure(Outcome::kNoisy); };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 21);
  EXPECT_EQ(done[0].finalists, 0);
  EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 20);
}

TEST_F(KnownBestTest, AFinalistThatFailsIsNotTheBest) {
  options_.finalists = 2;
  measurer_.script = [](int i) {
    return i == 20 ? Failure(Outcome::kWrongOutput) : Success(i < 20 ? 1 + i : 19);
  };
  const auto done = Run();
  EXPECT_EQ(done[0].best->index, 18);
  EXPECT_EQ(store_->Best(done[0].task->key)->index, 18);
}

TEST_F(KnownBestTest, TheBestKnownIsThatOfAllSearches) {
  measurer_.script = [](int i) { return Success(i == 3 ? 9 : 1); };
  const auto first = Run();
  EXPECT_EQ(first[0].best_known, first[0].best);
  EXPECT_FALSE(IsKnownBetter(first[0]));
  const Record best = witness_.trials[3];
  for (const bool resume : {true, false}) {
    witness_.trials.clear();
    calendar_.Advance(100);
    options_.request.resume = resume;
    options_.request.seed += 5;
    options_.request.trials = 2;
    measurer_.script = [](int) { return Success(2); };
    const auto done = Run();
    for (const Record& trial : witness_.trials) {
      ASSERT_NE(trial.state_key, best.state_key) << "drawn again it would be known anew";
    }
    EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 2);
    EXPECT_EQ(done[0].best_known, best) << "whether the search was told of it or not";
    EXPECT_EQ(done[0].best_known, store_->Best(best.task->key));
    EXPECT_TRUE(IsKnownBetter(done[0]));
    EXPECT_GT(done[0].best_known_gflops, done[0].best_gflops);
  }
}

TEST_F(KnownBestTest, TheBestKnownIsWhatMeasuringItAgainGives) {
  measurer_.script = [](int i) { return Success(i == 3 ? 9 : 1); };
  Run();
  const Record best = witness_.trials[3];
  witness_.trials.clear();
  calendar_.Advance(100);
  options_.finalists = 1;
  const int before = measurer_.count;
  measurer_.script = [=](int i) { return Success(i == before + 20 ? 4 : 2); };
  const auto done = Run();
  EXPECT_EQ(done[0].known_best, best);
  EXPECT_EQ(done[0].best_known->trace, best.trace);
  EXPECT_EQ(done[0].best_known->measurement.timing->ratio.median, 4);
  ASSERT_EQ(witness_.revised.size(), 1u) << "it is slower than what was told at the start";
  const RevisedEvent& revised = witness_.revised[0];
  EXPECT_EQ(revised.before, best);
  EXPECT_EQ(revised.best, done[0].best_known);
  EXPECT_EQ(revised.why, "measured again, longer and in fresh processes");
  EXPECT_EQ(revised.elapsed, 21);
}

TEST_F(KnownBestTest, ABestThatStandsIsNotRevised) {
  options_.finalists = 1;
  measurer_.script = [](int i) { return Success(i == 3 || i == 20 ? 9 : 1); };
  EXPECT_EQ(Run()[0].finalists, 1);
  EXPECT_TRUE(witness_.revised.empty());
}

TEST_F(KnownBestTest, AForeignTraceIsNoFinalist) {
  Record foreign;
  foreign.task = DescribeTask(*VectorTask(97));
  foreign.trace = "trace 1\nsplit(stage=Z, loop=0, lengths=[2])\n";
  foreign.measurement = Success(99);
  foreign.id = RecordId(foreign);
  store_->Append(std::vector<Record>{foreign});
  options_.request.resume = false;
  options_.finalists = 2;
  EXPECT_EQ(Run()[0].finalists, 0);
  EXPECT_EQ(measurer_.finalist.size(), 20u);
}

TEST_F(KnownBestTest, AfterAnInterruptNothingIsMeasuredAgain) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  options_.finalists = 2;
  witness_.on_trial = [&] { stop = witness_.trials.size() == 5; };
  EXPECT_EQ(Run()[0].finalists, 0);
  EXPECT_EQ(measurer_.finalist.size(), 5u);
}

// A result of a measurer with this toolchain.
Measurement MadeBy(const std::string& toolchain, double ratio) {
  Measurement measurement = Success(ratio);
  MeasuringSession session;
  session.toolchain = toolchain;
  measurement.session = std::make_shared<const MeasuringSession>(std::move(session));
  return measurement;
}

TEST_F(KnownBestTest, ABestOfAnotherToolchainIsMeasuredAgainBeforeTheSearch) {
  options_.toolchain = "generator 1";
  measurer_.script = [](int i) { return MadeBy("generator 1", i == 4 ? 9 : 1); };
  options_.request.trials = 8;
  Run();
  const Record old = witness_.trials[4];
  witness_.trials.clear();
  calendar_.Advance(100);
  options_.toolchain = "generator 2";
  measurer_.script = [](int i) { return MadeBy("generator 2", i == 8 ? 3 : 1); };
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 8) << "outside of the budget";
  EXPECT_TRUE(measurer_.anew[8]);
  ASSERT_EQ(agents_[1]->before.size(), 1u) << "of the others' ratios none compares";
  const Record& renewed = agents_[1]->before[0];
  EXPECT_EQ(renewed.trace, old.trace);
  EXPECT_EQ(renewed.index, old.index);
  EXPECT_EQ(renewed.measurement.timing->ratio.median, 3);
  EXPECT_EQ(done[0].known, 1);
  EXPECT_EQ(done[0].known_best, renewed);
  EXPECT_EQ(store_->Best(old.task->key), renewed);
}

TEST_F(KnownBestTest, ABestThatFailsUnderAnotherToolchainIsForgotten) {
  options_.toolchain = "generator 1";
  measurer_.script = [](int) { return MadeBy("generator 1", 1); };
  options_.request.trials = 2;
  Run();
  witness_.trials.clear();
  calendar_.Advance(100);
  options_.toolchain = "generator 2";
  measurer_.script = [](int i) {
    return i == 2 ? Failure(Outcome::kWrongOutput) : MadeBy("generator 2", 0.5);
  };
  const auto done = Run();
  EXPECT_EQ(done[0].known_best, std::nullopt);
  EXPECT_EQ(done[0].trials, 2);
  EXPECT_EQ(store_->Best(done[0].task->key), done[0].best);
}

}  // namespace
}  // namespace schedulegym
