#include "env/gym/evaluators/observed_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/gym/evaluators/evaluate.h"
#include "env/gym/vector_environment.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Counts its calls, and throws before turn `last_turn`.
struct CountingObserver : MeasuredObserver {
  void OnTurn() override {
    if (turns++ == last_turn) throw std::runtime_error("interrupted");
  }
  void OnMeasured(std::span<const Candidate> candidates,
                  std::span<const Measurement> measurements) override {
    EXPECT_EQ(candidates.size(), measurements.size());
    told.push_back(static_cast<int>(candidates.size()));
  }
  void OnControls(std::span<const ControlMeasurement> some) override {
    controls += static_cast<int>(some.size());
  }

  int turns = 0, controls = 0;
  int last_turn = 1000;
  std::vector<int> told;
};

class ObservedMeasurerTest : public testing::Test {
 protected:
  ObservedMeasurerTest() {
    for (int i = 0; i < 5; ++i) {
      places_.emplace_back(SmallParts(), i);
      places_.back().Reset(0);
    }
  }
  std::vector<EvaluationResult> Ask() {
    std::vector<const EpisodeState*> episodes;
    for (const Environment& place : places_) episodes.push_back(&place.episode());
    return Evaluate(episodes, *observed_);
  }

  std::vector<Environment> places_;
  FakeClock clock_;
  std::unique_ptr<ScriptedMeasurer> made_ = std::make_unique<ScriptedMeasurer>(clock_);
  ScriptedMeasurer& measurer_ = *made_;
  std::shared_ptr<CountingObserver> shared_observer_ = std::make_shared<CountingObserver>();
  CountingObserver& observer_ = *shared_observer_;
  std::shared_ptr<ObservedMeasurer> observed_ =
      std::make_shared<ObservedMeasurer>(std::move(made_), shared_observer_);
};

TEST_F(ObservedMeasurerTest, AllAreAnnouncedAndSomeMeasuredAtATime) {
  measurer_.width = 2;
  measurer_.script = [](int i) { return i == 3 ? Failure(Outcome::kRunTimeout) : Success(i + 1); };
  const std::vector<EvaluationResult> evaluations = Ask();
  EXPECT_THAT(measurer_.expected, ElementsAre(5));
  EXPECT_THAT(measurer_.sizes, ElementsAre(2, 2, 1));
  EXPECT_THAT(observer_.told, ElementsAre(2, 2, 1));
  EXPECT_EQ(evaluations[2].speed.median, 3);
  EXPECT_EQ(evaluations[3], FailedEvaluationResult(Outcome::kRunTimeout));
  EXPECT_EQ(evaluations[4].speed.median, 5);
}

TEST_F(ObservedMeasurerTest, WhatFitsAtOnceIsOneBatch) {
  measurer_.width = 8;
  EXPECT_EQ(Ask().size(), 5u);
  EXPECT_THAT(measurer_.sizes, ElementsAre(5));
  EXPECT_THAT(measurer_.expected, IsEmpty());  // one batch: nothing to announce
  EXPECT_EQ(observer_.turns, 2);               // before it, and after
}

TEST_F(ObservedMeasurerTest, TheObserverMayEndItBetweenTurns) {
  observer_.last_turn = 2;
  EXPECT_THROW(Ask(), std::runtime_error);
  EXPECT_THAT(measurer_.sizes, ElementsAre(1, 1));
  EXPECT_EQ(Ask().size(), 5u);
}

TEST_F(ObservedMeasurerTest, ControlMeasurementsAreTold) {
  measurer_.deferred_results.controls.resize(3);
  Ask();
  EXPECT_EQ(observer_.controls, 3);
}

TEST_F(ObservedMeasurerTest, AVectorIsOneBatchOfTheMeasurer) {
  measurer_.width = 8;
  auto parts = SmallParts(RewardKind::kFinal);
  parts->measurer = observed_;
  VectorEnvironment vector(parts, {4, Autoreset::kNextStep, 1, std::nullopt});
  vector.Reset({});
  vector.Step(std::vector<int>(4, 1), {});
  EXPECT_THAT(measurer_.sizes, IsEmpty());  // no reward needs a measurement yet
  vector.Step(std::vector<int>(4, kStopAction), {});
  EXPECT_THAT(measurer_.sizes, ElementsAre(4));
}

TEST_F(ObservedMeasurerTest, WhatEndsAStepLeavesEnvironmentsAsTheyWere) {
  auto parts = SmallParts(RewardKind::kDifference);
  parts->measurer = observed_;
  VectorEnvironment vector(parts, {3, Autoreset::kSameStep, 1, std::nullopt});
  Environment single(parts, 5);
  vector.Reset({});
  single.Reset();
  std::vector<std::string> before;
  for (int i = 0; i < 3; ++i) before.push_back(vector.environment(i).ToText());
  const std::string before_alone = single.ToText();
  const int action = LegalActions(*parts->actions, single.episode()).at(1);
  // The turn is in the ends, or in the beginnings that follow in the same step.
  for (int turn : {0, 1, 2}) {
    observer_.turns = 0;
    observer_.last_turn = turn;
    EXPECT_THROW(vector.Step(std::vector<int>(3, kStopAction), {}), std::runtime_error);
    for (int first : {turn, turn - 1}) {  // before the one place is measured, and after it
      if (first < 0) continue;
      observer_.turns = first;
      EXPECT_THROW(single.Step(action), std::runtime_error);
      observer_.turns = first;
      EXPECT_THROW(single.Reset(), std::runtime_error);
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(vector.environment(i).ToText(), before[i]);
    EXPECT_EQ(single.ToText(), before_alone);
  }
}

}  // namespace
}  // namespace schedulegym
