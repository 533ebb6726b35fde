#include "env/gym/evaluators/buildable_judge.h"

#include <gtest/gtest.h>

#include "tests/env/gym/fixed_walk.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

// A store with one addition counts one and a half, a loop two.
class BuildableJudgeTest : public testing::Test {
 protected:
  BuildableJudgeTest() { limits_.Set(task_, 96); }

  std::vector<Judgement> Ask(const std::vector<FixedWalk>& walks) {
    std::vector<const Walk*> places;
    for (const FixedWalk& walk : walks) places.push_back(&walk);
    auto steps = std::make_unique<StepsJudge>(true);
    BuildableJudge judge(std::move(steps), limits_);
    return judge.Ask(places);
  }
  Outcome OutcomeOf(const std::string& steps) {
    return Ask({FixedWalk(StateAfter(task_, steps))}).at(0).outcome;
  }

  std::shared_ptr<const Task> task_ = TaskOf("input X[80, 64]\nA[i:80, j:64] = X[i, j] + 1\n");
  CodeLimits limits_;
};

TEST_F(BuildableJudgeTest, WhatIsShortEnoughIsTheOthers) {
  const std::vector<Judgement> judgements = Ask(
      {FixedWalk(StateAfter(task_, "")), FixedWalk(StateAfter(task_, "unroll(stage=A, loop=1)"))});
  EXPECT_EQ(judgements.at(0), ExactJudgement(1, 1.0));
  EXPECT_EQ(judgements.at(1).outcome, Outcome::kCompileError) << "64 stores and a loop";
  limits_.Set(task_, 98);
  EXPECT_EQ(Ask({FixedWalk(StateAfter(task_, "unroll(stage=A, loop=1)"))}).at(0),
            ExactJudgement(2, 1.0));
}

TEST_F(BuildableJudgeTest, AnswersStandWhereTheirPlacesDo) {
  const FixedWalk good(StateAfter(task_, "reorder(stage=A, order=[1, 0])"));
  const FixedWalk plain(StateAfter(task_, ""));
  const FixedWalk longer(StateAfter(task_, "unroll(stage=A, loop=1)"));
  const std::vector<Judgement> judgements =
      Ask({longer, good, FixedWalk(Illegal("no schedule")), longer, plain});
  EXPECT_EQ(judgements, (std::vector<Judgement>{
                            FailedJudgement(Outcome::kCompileError), ExactJudgement(2, 1.0),
                            FailedJudgement(Outcome::kInvalidSchedule),
                            FailedJudgement(Outcome::kCompileError), ExactJudgement(1, 1.0)}));
}

// 1024 * 64 copies of a select that unrolling takes apart: more than programs may have, whatever
// code is allowed.
TEST_F(BuildableJudgeTest, WhatCannotBeLoweredIsInvalid) {
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

TEST_F(BuildableJudgeTest, TellsWhatTheOtherIs) {
  const BuildableJudge shared(std::make_unique<StepsJudge>(true), limits_);
  const BuildableJudge own(std::make_unique<StepsJudge>(false), limits_);
  EXPECT_EQ(shared.Name(), "steps");
  EXPECT_TRUE(shared.is_shared());
  EXPECT_FALSE(own.is_shared());
}

}  // namespace
}  // namespace schedulegym
