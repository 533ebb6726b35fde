#include "env/gym/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

constexpr char kSplit[] = "split(stage=A, loop=0, lengths=[4])";
constexpr char kUnroll[] = "unroll(stage=A, loop=1)";
constexpr char kParallel[] = "parallel(stage=A, loop=0)";

Environment Begun(RewardKind reward) {
  Environment environment(SmallParts(reward), 1);
  environment.Reset(0);
  return environment;
}

StepResult Do(Environment& environment, std::string_view text) {
  return environment.Step(ActionOf(environment, text));
}

std::vector<float> Seen(const Environment& environment, size_t which = 0) {
  std::vector<float> numbers(environment.parts().observations[which]->size());
  environment.WriteObservation(which, numbers);
  return numbers;
}

TEST(EnvironmentTest, BeginsAtTheNaiveProgram) {
  const Environment environment = Begun(RewardKind::kFinal);
  EXPECT_TRUE(environment.has_begun());
  EXPECT_FALSE(environment.has_ended());
  EXPECT_EQ(environment.episode().state()->TraceText(), "trace 1\n");
  EXPECT_THAT(environment.actions(), testing::IsEmpty());
  EXPECT_FALSE(environment.evaluated().has_value());
}

TEST(EnvironmentTest, FinalRewardIsPaidAtTheEndAlone) {
  Environment environment = Begun(RewardKind::kFinal);
  EXPECT_EQ(Do(environment, kSplit).reward, 0);
  EXPECT_EQ(Do(environment, kUnroll).reward, 0);
  const StepResult last = environment.Step(kStopAction);
  EXPECT_TRUE(last.ended);
  EXPECT_DOUBLE_EQ(last.reward, 2 * std::log(2));
  EXPECT_TRUE(environment.has_ended());
  EXPECT_EQ(environment.evaluations().size(), 1u);
}

TEST(EnvironmentTest, DifferencesAddUpToTheWholeEpisode) {
  Environment environment = Begun(RewardKind::kDifference);
  EXPECT_EQ(environment.evaluations().size(), 1u);  // the beginning
  double sum = Do(environment, kSplit).reward;
  EXPECT_DOUBLE_EQ(sum, std::log(2));
  sum += Do(environment, kUnroll).reward + environment.Step(kStopAction).reward;
  EXPECT_DOUBLE_EQ(sum, 2 * std::log(2));
}

TEST(EnvironmentTest, ImprovementIsPaidBeyondTheBest) {
  Environment environment = Begun(RewardKind::kImprovement);
  EXPECT_DOUBLE_EQ(Do(environment, kSplit).reward, std::log(2));
  EXPECT_EQ(Do(environment, kParallel).reward, 0);  // it fails
  EXPECT_EQ(environment.evaluated()->outcome, Outcome::kWrongOutput);
  EXPECT_DOUBLE_EQ(environment.best()->speed.median, 2);
}

TEST(EnvironmentTest, AFailureIsPaidAsSuch) {
  Environment environment = Begun(RewardKind::kFinal);
  Do(environment, kParallel);
  EXPECT_EQ(environment.Step(kStopAction).reward, Reward().failure);
}

TEST(EnvironmentTest, IllegalActionsAreCountedAndChangeNothing) {
  Environment environment = Begun(RewardKind::kDifference);
  std::vector<int8_t> mask(environment.parts().actions->size());
  environment.WriteMask(mask);
  const int illegal = static_cast<int>(std::find(mask.begin(), mask.end(), 0) - mask.begin());
  const StepResult result = environment.Step(illegal);
  EXPECT_EQ(result.reward, 0);
  EXPECT_FALSE(result.ended);
  EXPECT_EQ(environment.illegal_actions(), 1);
  EXPECT_THAT(environment.reason(), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(environment.episode().state()->TraceText(), "trace 1\n");
  // An unchanged state is not evaluated again.
  EXPECT_EQ(environment.evaluations().size(), 1u);
  Do(environment, kSplit);
  EXPECT_EQ(environment.reason(), "");
  EXPECT_EQ(environment.illegal_actions(), 1);
}

TEST(EnvironmentTest, TheHorizonEndsAndPays) {
  Environment environment = Begun(RewardKind::kFinal);
  StepResult result = Do(environment, kSplit);
  for (int i = 1; i < 8; ++i) {
    EXPECT_FALSE(result.ended);
    result = environment.Step(static_cast<int>(environment.parts().actions->size()) - 1);
  }
  EXPECT_TRUE(result.ended);
  EXPECT_DOUBLE_EQ(result.reward, std::log(2));
}

TEST(EnvironmentTest, StepsOutsideOfAnEpisodeAreBugs) {
  Environment environment(SmallParts(), 1);
  EXPECT_THROW(environment.Step(0), std::logic_error);
  environment.Reset();
  environment.Step(kStopAction);
  EXPECT_THROW(environment.Step(0), std::logic_error);
  environment.Reset();
  EXPECT_THROW(environment.Step(-1), std::logic_error);
  EXPECT_THROW(environment.Step(environment.parts().actions->size()), std::logic_error);
}

TEST(EnvironmentTest, EpisodesDrawTheirTask) {
  Environment environment(SmallParts(), 3);
  std::set<int> tasks;
  for (int i = 0; i < 20; ++i) {
    environment.Reset();
    tasks.insert(environment.task_index());
  }
  EXPECT_THAT(tasks, testing::ElementsAre(0, 1));
}

TEST(EnvironmentTest, TheSeedDecidesWhatFollows) {
  const auto tasks = [](uint64_t seed) {
    Environment environment(SmallParts(), 99);
    environment.Seed(seed);
    std::vector<int> drawn;
    for (int i = 0; i < 20; ++i) {
      environment.Reset();
      drawn.push_back(environment.task_index());
    }
    return drawn;
  };
  EXPECT_EQ(tasks(5), tasks(5));
  EXPECT_NE(tasks(5), tasks(6));
}

TEST(EnvironmentTest, ACopyIsAnEpisodeOfItsOwn) {
  Environment environment = Begun(RewardKind::kDifference);
  Do(environment, kSplit);
  Environment fork = environment;
  Do(fork, kUnroll);
  EXPECT_EQ(environment.episode().state()->trace_size(), 1);
  EXPECT_EQ(fork.episode().state()->trace_size(), 2);
  EXPECT_EQ(environment.evaluations().size(), 2u);
  Do(environment, kUnroll);
  EXPECT_EQ(environment.ToText(), fork.ToText());
  EXPECT_EQ(Seen(environment), Seen(fork));
  // The next episodes are the same.
  environment.Reset();
  fork.Reset();
  EXPECT_EQ(environment.ToText(), fork.ToText());
}

TEST(EnvironmentTest, WritesEachObservation) {
  const Environment environment = Begun(RewardKind::kFinal);
  EXPECT_EQ(Seen(environment, 0).size(), 4u + 4 * kLoopNumbers);
  EXPECT_EQ(Seen(environment, 1).size(), 4u + 2 * kLoopNumbers);
  EXPECT_EQ(Seen(environment, 0)[4], 1);  // the first row holds a loop
}

TEST(EnvironmentTest, WithoutAJudgeRewardsAreZero) {
  auto parts = SmallParts(RewardKind::kDifference);
  parts->measurer = nullptr;
  Environment environment(parts, 1);
  environment.Reset(0);
  EXPECT_EQ(Do(environment, kSplit).reward, 0);
  EXPECT_EQ(environment.Step(kStopAction).reward, 0);
  EXPECT_FALSE(environment.best().has_value());
}

TEST(EnvironmentTest, TextsResumeAnEqualEpisode) {
  Environment environment = Begun(RewardKind::kDifference);
  Do(environment, kSplit);
  environment.Step(environment.parts().actions->size() - 1);  // illegal
  Do(environment, kParallel);
  Environment other(SmallParts(RewardKind::kDifference), 7);
  const Result<void> resumed = other.Resume(environment.ToText());
  ASSERT_TRUE(resumed.ok()) << resumed.error().message;
  EXPECT_EQ(other.ToText(), environment.ToText());
  EXPECT_EQ(other.evaluated(), environment.evaluated());
  EXPECT_EQ(other.best(), environment.best());
  EXPECT_EQ(Seen(other), Seen(environment));
  // From here on both behave the same.
  EXPECT_EQ(other.Step(kStopAction).reward, environment.Step(kStopAction).reward);
  other.Reset();
  environment.Reset();
  EXPECT_EQ(other.ToText(), environment.ToText());
}

TEST(EnvironmentTest, TextsOfNoEpisodeResumeToo) {
  const Environment fresh(SmallParts(), 5);
  Environment other = Begun(RewardKind::kFinal);
  ASSERT_TRUE(other.Resume(fresh.ToText()).ok());
  EXPECT_FALSE(other.has_begun());
}

TEST(EnvironmentTest, OtherTextsAreRefusedAndChangeNothing) {
  Environment environment = Begun(RewardKind::kDifference);
  Do(environment, kSplit);
  const std::string text = environment.ToText();
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {std::string(), std::string("environment 2\n"), replaced("construct", "modify"),
        replaced("begun 1", "begun 2"), replaced("illegal 0", "illegal x"),
        replaced("actions ", "actions 9999,"), replaced("judgements 2", "judgements 1"),
        replaced("judgement ok", "judgement fine"), replaced("best ok 2", "best ok -2"),
        replaced("lengths=[4]", "lengths=[0]"), replaced("rng ", "rng 1,2,3,4,"),
        text.substr(0, text.size() / 2)}) {
    const Result<void> resumed = environment.Resume(bad);
    ASSERT_FALSE(resumed.ok()) << bad;
    EXPECT_THAT(resumed.error().message, testing::HasSubstr("found "));
    EXPECT_EQ(environment.ToText(), text);
  }
}

}  // namespace
}  // namespace schedulegym
