#include "env/gym/asynchronous_environments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "tests/env/gym/gated_measurer.h"

namespace schedulegym {
namespace {

constexpr int kCount = 5;
constexpr double kLong = 600;  // seconds; no test waits that long
constexpr int kMany = 1 << 20;

std::vector<int> All() {
  std::vector<int> all(kCount);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// A vector whose measurer waits for the test, or (`shared` = false) measures at once.
struct FlightCase {
  explicit FlightCase(RewardKind reward, Autoreset autoreset = Autoreset::kNextStep,
                      bool shared = true)
      : gate(std::make_shared<GatedMeasurer>(2)),
        parts(SmallParts(reward)),
        vector((shared ? void(parts->measurer = gate) : void(), parts),
               {kCount, autoreset, 2, std::nullopt}),
        flights(vector) {
    vector.Seed(std::vector<uint64_t>{100, 101, 102, 103, 104});
  }

  void Begin() {
    flights.SendResets(All());
    EXPECT_TRUE(flights.Wait(kCount, kLong));
    EXPECT_EQ(flights.Receive(kCount), All());
  }
  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (int i = 0; i < kCount; ++i) texts.push_back(vector.environment(i).ToText());
    return texts;
  }

  std::shared_ptr<GatedMeasurer> gate;
  std::shared_ptr<EnvironmentParts> parts;
  VectorEnvironment vector;
  AsynchronousEnvironments flights;
};

int Choose(const Environment& environment, Rng& rng) {
  if (rng.Chance(0.2)) return kStopAction;
  const std::vector<int> legal = LegalActions(*environment.parts().actions, environment.episode());
  return legal[rng.Below(static_cast<int64_t>(legal.size()))];
}

TEST(AsynchronousEnvironmentsTest, WhoNeedsNoJudgementIsReadyWhileOthersAreJudged) {
  FlightCase stage(RewardKind::kFinal);
  stage.Begin();
  stage.flights.Send(std::vector<int>{3, 1}, std::vector<int>{kStopAction, 1});
  EXPECT_TRUE(stage.flights.Wait(1, 0));
  EXPECT_FALSE(stage.flights.Wait(2, 0));
  EXPECT_THAT(stage.flights.Receive(kCount), testing::ElementsAre(1));
  EXPECT_EQ(stage.flights.in_flight(), 1);
  EXPECT_TRUE(stage.flights.is_in_flight(3));
  stage.flights.Send(std::vector<int>{1}, std::vector<int>{1});  // on and on meanwhile
  EXPECT_TRUE(stage.flights.Wait(1, 0));
  EXPECT_THAT(stage.flights.Receive(1), testing::ElementsAre(1));
  stage.gate->Open(1);
  EXPECT_TRUE(stage.flights.Wait(1, kLong));
  EXPECT_THAT(stage.flights.Receive(kCount), testing::ElementsAre(3));
  EXPECT_TRUE(stage.vector.slot(3).last().terminated);
  EXPECT_TRUE(stage.vector.slot(3).last().evaluated);
  EXPECT_EQ(stage.flights.in_flight(), 0);
}

TEST(AsynchronousEnvironmentsTest, WaitsForAllInFlightWhereTheyAreFewer) {
  FlightCase stage(RewardKind::kFinal);
  stage.Begin();
  stage.flights.Send(std::vector<int>{0}, std::vector<int>{1});
  EXPECT_TRUE(stage.flights.Wait(kCount, 0));
  EXPECT_TRUE(stage.flights.Wait(0, 0));
}

TEST(AsynchronousEnvironmentsTest, ThoseReadyLongestAreReceivedFirst) {
  FlightCase stage(RewardKind::kFinal);
  stage.Begin();
  for (int index : {4, 2, 0, 3}) stage.flights.Send(std::vector{index}, std::vector{1});
  EXPECT_THAT(stage.flights.Receive(2), testing::ElementsAre(2, 4));
  EXPECT_THAT(stage.flights.Receive(2), testing::ElementsAre(0, 3));
}

TEST(AsynchronousEnvironmentsTest, ThoseToBeJudgedAreJudgedTogether) {
  FlightCase stage(RewardKind::kDifference);
  stage.gate->Open(3);
  stage.Begin();
  EXPECT_THAT(stage.gate->asked(), testing::ElementsAre(2, 2, 1));
  EXPECT_THAT(stage.gate->expected(), testing::ElementsAre(5, 3, 1));
}

TEST(AsynchronousEnvironmentsTest, AFaultPutsThemBackWhereTheyStood) {
  FlightCase stage(RewardKind::kFinal);
  stage.Begin();
  const std::vector<std::string> before = stage.Texts();
  stage.gate->Break();
  stage.flights.Send(std::vector<int>{0, 1, 2, 4}, std::vector<int>{kStopAction, 0, 0, 1});
  const std::string moved = stage.vector.environment(4).ToText();
  EXPECT_THROW(stage.flights.Wait(kCount, kLong), std::runtime_error);
  EXPECT_THAT(stage.flights.Receive(kCount), testing::ElementsAre(4));
  EXPECT_EQ(stage.flights.in_flight(), 0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(stage.vector.environment(i).ToText(), before[i]);
  EXPECT_EQ(stage.vector.environment(4).ToText(), moved);
  stage.gate->Open(1);
  stage.flights.Send(std::vector<int>{0, 1}, std::vector<int>{kStopAction, kStopAction});
  EXPECT_TRUE(stage.flights.Wait(2, kLong));
  EXPECT_TRUE(stage.vector.slot(1).last().terminated);
}

TEST(AsynchronousEnvironmentsTest, EndingItPutsThemBack) {
  auto gate = std::make_shared<GatedMeasurer>(1);
  auto parts = SmallParts();
  parts->measurer = gate;
  VectorEnvironment vector(parts, {2, Autoreset::kNextStep, 1, std::nullopt});
  vector.Reset({});
  const std::string before = vector.environment(1).ToText();
  {
    AsynchronousEnvironments flights(vector);
    flights.Send(std::vector<int>{0, 1}, std::vector<int>{kStopAction, kStopAction});
    gate->AwaitQuestions(1);
    gate->Open(kMany);
  }
  EXPECT_EQ(vector.environment(1).ToText(), before);
  EXPECT_FALSE(vector.slot(0).is_pending());
}

TEST(AsynchronousEnvironmentsTest, AForkHasNoneInFlight) {
  FlightCase stage(RewardKind::kFinal);
  stage.Begin();
  const std::vector<std::string> before = stage.Texts();
  stage.flights.Send(std::vector<int>{2}, std::vector<int>{kStopAction});
  stage.gate->AwaitQuestions(1);
  const pid_t child = fork();
  if (child == 0) _exit(stage.flights.in_flight() == 0 && stage.Texts() == before ? 0 : 1);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  stage.gate->Open(1);
  EXPECT_TRUE(stage.flights.Wait(1, kLong));
}

using Case = std::tuple<Autoreset, bool, RewardKind>;
class SomeOfManyTest : public testing::TestWithParam<Case> {};

// Each environment behaves the same in any order as in step with the others.
TEST_P(SomeOfManyTest, GoTheWayOfSlotsAlone) {
  const auto [autoreset, shared, reward] = GetParam();
  FlightCase stage(reward, autoreset, shared);
  stage.gate->Open(kMany);
  FlightCase alone(reward, autoreset, /*shared=*/false);
  stage.Begin();
  alone.Begin();
  Rng rng(7);
  std::vector<int> sent = All();
  for (int round = 0; round < 80; ++round) {
    std::vector<int> actions;
    for (int index : sent) actions.push_back(Choose(stage.vector.environment(index), rng));
    for (size_t i = 0; i < sent.size(); ++i) {
      alone.vector.Move(alone.vector.slot(sent[i]), actions[i]);
    }
    stage.flights.Send(sent, actions);
    ASSERT_TRUE(stage.flights.Wait(2, kLong));
    sent = stage.flights.Receive(2);
    ASSERT_EQ(sent.size(), 2u);
    for (int index : sent) {
      const SlotStep &step = stage.vector.slot(index).last(),
                     &expected = alone.vector.slot(index).last();
      EXPECT_EQ(step.reward, expected.reward);
      EXPECT_EQ(step.terminated, expected.terminated);
      EXPECT_EQ(step.evaluated, expected.evaluated);
      EXPECT_EQ(stage.vector.environment(index).ToText(), alone.vector.environment(index).ToText());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Every, SomeOfManyTest,
    testing::Combine(testing::Values(Autoreset::kNextStep, Autoreset::kSameStep), testing::Bool(),
                     testing::Values(RewardKind::kFinal, RewardKind::kDifference)));

}  // namespace
}  // namespace schedulegym
