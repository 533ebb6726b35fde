#include "env/gym/evaluators/buildable_measurer.h"

#include <gtest/gtest.h>

#include "env/gym/evaluators/evaluate.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

// A store with one addition counts 1.5, a loop counts 2.
class BuildableMeasurerTest : public testing::Test {
 protected:
  BuildableMeasurerTest() { limits_.Set(task_, 96); }

  std::vector<EvaluationResult> Ask(const std::vector<FixedEpisode>& episodes) {
    std::vector<const EpisodeState*> places;
    for (const FixedEpisode& episode : episodes) places.push_back(&episode);
    BuildableMeasurer measurer(std::make_unique<StepsMeasurer>(true), limits_);
    return Evaluate(places, measurer);
  }
  Outcome OutcomeOf(const std::string& steps) {
    return Ask({FixedEpisode(StateAfter(task_, steps))}).at(0).outcome;
  }

  std::shared_ptr<const Task> task_ = TaskOf("input X[80, 64]\nA[i:80, j:64] = X[i, j] + 1\n");
  CodeLimits limits_;
};

TEST_F(BuildableMeasurerTest, WhatIsShortEnoughIsTheOthers) {
  const std::vector<EvaluationResult> evaluations =
      Ask({FixedEpisode(StateAfter(task_, "")),
           FixedEpisode(StateAfter(task_, "unroll(stage=A, loop=1)"))});
  EXPECT_EQ(evaluations.at(0), ExactEvaluationResult(1, 1.0));
  EXPECT_EQ(evaluations.at(1).outcome, Outcome::kCompileError) << "64 stores and a loop";
  limits_.Set(task_, 98);
  EXPECT_EQ(Ask({FixedEpisode(StateAfter(task_, "unroll(stage=A, loop=1)"))}).at(0),
            ExactEvaluationResult(2, 1.0));
}

TEST_F(BuildableMeasurerTest, AnswersStandWhereTheirPlacesDo) {
  const FixedEpisode good(StateAfter(task_, "reorder(stage=A, order=[1, 0])"));
  const FixedEpisode plain(StateAfter(task_, ""));
  const FixedEpisode longer(StateAfter(task_, "unroll(stage=A, loop=1)"));
  const std::vector<EvaluationResult> evaluations =
      Ask({longer, good, FixedEpisode(Illegal("no schedule")), longer, plain});
  EXPECT_EQ(evaluations,
            (std::vector<EvaluationResult>{
                FailedEvaluationResult(Outcome::kCompileError), ExactEvaluationResult(2, 1.0),
                FailedEvaluationResult(Outcome::kInvalidSchedule),
                FailedEvaluationResult(Outcome::kCompileError), ExactEvaluationResult(1, 1.0)}));
}

// 1024 * 64 copies of a select that unrolling takes apart: beyond the limit of programs, for any
// limit on code.
TEST_F(BuildableMeasurerTest, WhatCannotBeLoweredIsInvalid) {
  task_ = TaskOf(
      "input X[1024, 64]\n"
      "A[i:1024, j:64] = select(i % 2 == 0 && j % 2 == 0, X[i, j], 1)\n");
  const std::string unrolled = "unroll(stage=A, loop=0)\nunroll(stage=A, loop=1)";
  limits_.Set(task_, 1e4);
  EXPECT_EQ(OutcomeOf(unrolled), Outcome::kCompileError);
  limits_.Set(task_, 1e6);
  EXPECT_EQ(OutcomeOf(unrolled), Outcome::kInvalidSchedule);
  EXPECT_EQ(OutcomeOf(""), Outcome::kOk);
}

TEST_F(BuildableMeasurerTest, FailuresSayWhatWasFound) {
  BuildableMeasurer measurer(std::make_unique<StepsMeasurer>(), limits_);
  const Candidate longer = {.state = StateAfter(task_, "unroll(stage=A, loop=1)")};
  const Measurement measurement = measurer.Measure({&longer, 1}).at(0);
  EXPECT_EQ(measurement.outcome, Outcome::kCompileError);
  EXPECT_NE(measurement.message, "");
  EXPECT_FALSE(measurement.timing);
}

TEST_F(BuildableMeasurerTest, IsSharedAsTheOtherIs) {
  const BuildableMeasurer shared(std::make_unique<StepsMeasurer>(true), limits_);
  const BuildableMeasurer own(std::make_unique<StepsMeasurer>(false), limits_);
  EXPECT_TRUE(shared.is_shared());
  EXPECT_FALSE(own.is_shared());
}

}  // namespace
}  // namespace schedulegym
