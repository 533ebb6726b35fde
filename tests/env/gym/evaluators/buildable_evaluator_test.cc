#include "env/gym/evaluators/buildable_evaluator.h"

#include <gtest/gtest.h>

#include "tests/env/gym/fixed_episode.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

// A store with one addition counts one and a half, a loop two.
class BuildableEvaluatorTest : public testing::Test {
 protected:
  BuildableEvaluatorTest() { limits_.Set(task_, 96); }

  std::vector<EvaluationResult> Ask(const std::vector<FixedEpisode>& episodes) {
    std::vector<const EpisodeState*> places;
    for (const FixedEpisode& episode : episodes) places.push_back(&episode);
    auto steps = std::make_unique<StepsEvaluator>(true);
    BuildableEvaluator evaluator(std::move(steps), limits_);
    return evaluator.Ask(places);
  }
  Outcome OutcomeOf(const std::string& steps) {
    return Ask({FixedEpisode(StateAfter(task_, steps))}).at(0).outcome;
  }

  std::shared_ptr<const Task> task_ = TaskOf("input X[80, 64]\nA[i:80, j:64] = X[i, j] + 1\n");
  CodeLimits limits_;
};

TEST_F(BuildableEvaluatorTest, WhatIsShortEnoughIsTheOthers) {
  const std::vector<EvaluationResult> evaluations =
      Ask({FixedEpisode(StateAfter(task_, "")),
           FixedEpisode(StateAfter(task_, "unroll(stage=A, loop=1)"))});
  EXPECT_EQ(evaluations.at(0), ExactEvaluationResult(1, 1.0));
  EXPECT_EQ(evaluations.at(1).outcome, Outcome::kCompileError) << "64 stores and a loop";
  limits_.Set(task_, 98);
  EXPECT_EQ(Ask({FixedEpisode(StateAfter(task_, "unroll(stage=A, loop=1)"))}).at(0),
            ExactEvaluationResult(2, 1.0));
}

TEST_F(BuildableEvaluatorTest, AnswersStandWhereTheirPlacesDo) {
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

// 1024 * 64 copies of a select that unrolling takes apart: more than programs may have, whatever
// code is allowed.
TEST_F(BuildableEvaluatorTest, WhatCannotBeLoweredIsInvalid) {
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

TEST_F(BuildableEvaluatorTest, TellsWhatTheOtherIs) {
  const BuildableEvaluator shared(std::make_unique<StepsEvaluator>(true), limits_);
  const BuildableEvaluator own(std::make_unique<StepsEvaluator>(false), limits_);
  EXPECT_EQ(shared.Name(), "steps");
  EXPECT_TRUE(shared.is_shared());
  EXPECT_FALSE(own.is_shared());
}

}  // namespace
}  // namespace schedulegym
