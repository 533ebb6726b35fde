#include "agents/network/network_environment.h"

#include <cmath>

#include "tests/agents/network/network_fixture.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

class NetworkEnvironmentTest : public NetworkFixture {};

// Best speeds after each slot.
std::vector<std::optional<double>> SpeedsOf(const TaskCurve& curve) {
  std::vector<std::optional<double>> speeds;
  for (const Turn& turn : curve.turns)
    speeds.push_back(turn.best ? std::optional(turn.best->ratio) : std::nullopt);
  return speeds;
}

TEST_F(NetworkEnvironmentTest, AnEpisodeBeginsWithASlotForEachTask) {
  const auto environment = Make(Parts({{97, 2}, {61, 1}}));
  EXPECT_FALSE(environment->has_begun());
  environment->Reset();
  const NetworkEpisode& episode = environment->episode();
  EXPECT_EQ(episode.trials(), 4);
  EXPECT_THAT(SpeedsOf(episode.curve(0)), ElementsAre(Optional(3)));
  EXPECT_THAT(SpeedsOf(episode.curve(1)), ElementsAre(Optional(3)));
  EXPECT_DOUBLE_EQ(episode.ReferenceLatency(), 2 * 97 + 61);
  EXPECT_DOUBLE_EQ(episode.Latency(), (2 * 97 + 61) / 3.0);
  EXPECT_TRUE(environment->actions().empty());
}

TEST_F(NetworkEnvironmentTest, WithoutAWarmUpTheReferencesStandForTheTasks) {
  const auto parts = Parts({{97, 2}, {61, 1}});
  parts->warm_up = false;
  const auto environment = Make(parts);
  environment->Reset();
  EXPECT_EQ(environment->episode().trials(), 0);
  EXPECT_DOUBLE_EQ(environment->episode().Latency(), 2 * 97 + 61);
  EXPECT_DOUBLE_EQ(environment->Step(1).reward, std::log(255.0 / (194.0 / 3 + 61)));
}

TEST_F(NetworkEnvironmentTest, AnActionGivesASlotToItsTask) {
  const auto environment = Make(Parts({{97, 2}, {61, 1}}));
  environment->Reset();
  const double before = environment->episode().Latency();
  const StepResult result = environment->Step(2);
  const NetworkEpisode& episode = environment->episode();
  EXPECT_FALSE(result.ended);
  EXPECT_EQ(episode.curve(0).turns.size(), 1u);
  EXPECT_THAT(SpeedsOf(episode.curve(1)), ElementsAre(Optional(3), Optional(5)));
  EXPECT_EQ(episode.run(1).done.trials, 4);
  EXPECT_DOUBLE_EQ(episode.Latency(1), 61.0 / 5);
  EXPECT_DOUBLE_EQ(episode.Latency(), 2 * 97 / 3.0 + 61.0 / 5);
  EXPECT_NEAR(result.reward, std::log(before / episode.Latency()), 1e-12);
}

TEST_F(NetworkEnvironmentTest, DifferencesAddUpToWhatTheEndPays) {
  const auto parts = Parts({{97, 2}, {61, 1}});
  parts->warm_up = false;
  const auto differences = Make(parts);
  const auto final_parts = std::make_shared<NetworkParts>(*parts);
  final_parts->reward.kind = RewardKind::kFinal;
  const auto final = Make(final_parts);
  differences->Reset();
  double sum = 0;
  for (int action : {1, 2, 1, 1, 2, 0}) sum += differences->Step(action).reward;
  measurer_->counts.clear();
  final->Reset();
  for (int action : {1, 2, 1, 1, 2}) EXPECT_EQ(final->Step(action).reward, 0);
  const double last = final->Step(0).reward;
  EXPECT_NEAR(sum, last, 1e-12);
  EXPECT_DOUBLE_EQ(last, std::log(255 / final->episode().Latency()));
}

TEST_F(NetworkEnvironmentTest, ImprovementsAreNeverNegative) {
  const auto parts = Parts({{97, 1}});
  parts->warm_up = false;
  parts->reward.kind = RewardKind::kImprovement;
  const auto environment = Make(parts);
  measurer_->script = [](const std::string&, bool is_reference, int number) {
    return Success(is_reference || number >= 2 ? 1 + number : 0.5);
  };
  environment->Reset();
  EXPECT_EQ(environment->Step(1).reward, 0) << "slower than the reference";
  EXPECT_DOUBLE_EQ(environment->Step(1).reward, std::log(4));
}

TEST_F(NetworkEnvironmentTest, StoppingAndTheLastSlotEndAnEpisode) {
  const auto environment = Make(Parts({{97, 1}}));
  environment->Reset();
  const StepResult stopped = environment->Step(0);
  EXPECT_TRUE(stopped.ended);
  EXPECT_EQ(stopped.reward, 0);
  EXPECT_TRUE(environment->has_ended());
  EXPECT_THROW(environment->Step(1), std::logic_error);
  environment->Reset();
  EXPECT_FALSE(environment->has_ended());
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(environment->Step(1).ended);
  EXPECT_TRUE(environment->Step(1).ended);
}

TEST_F(NetworkEnvironmentTest, RowsWithoutATaskAreIllegal) {
  const auto parts = Parts({{97, 1}});
  parts->rows = 3;
  const auto environment = Make(parts);
  environment->Reset();
  EXPECT_EQ(environment->action_count(), 4);
  EXPECT_THAT(MaskOf(*environment), ElementsAre(1, 1, 0, 0));
  const StepResult result = environment->Step(3);
  EXPECT_EQ(result.reward, 0);
  EXPECT_EQ(environment->illegal_actions(), 1);
  EXPECT_EQ(environment->reason(), "found task 2, expected one of the network's 1");
  EXPECT_EQ(environment->episode().trials(), 2);
  EXPECT_THAT(environment->actions(), ElementsAre(3));
  environment->Step(1);
  EXPECT_EQ(environment->reason(), "");
}

TEST_F(NetworkEnvironmentTest, TasksWithNothingLeftAreIllegal) {
  const auto environment = Make(Parts({{97, 1}, {1, 1}}));
  environment->Reset();
  EXPECT_EQ(environment->episode().curve(1).trials(), 1);
  EXPECT_THAT(MaskOf(*environment), ElementsAre(1, 1, 1));
  EXPECT_EQ(environment->Describe(2).value(), "vector1");
  EXPECT_EQ(environment->Step(2).reward, 0);  // finds no more candidates
  EXPECT_EQ(environment->illegal_actions(), 0);
  EXPECT_THAT(MaskOf(*environment), ElementsAre(1, 1, 0));
  environment->Step(2);
  EXPECT_EQ(environment->illegal_actions(), 1);
  EXPECT_THAT(environment->reason(), HasSubstr("vector1: found nothing left"));
  EXPECT_EQ(environment->Describe(2).error().message, environment->reason());
  EXPECT_EQ(environment->Describe(0).value(), "stop");
}

TEST_F(NetworkEnvironmentTest, WithoutASuccessNothingIsPaid) {
  const auto environment = Make(Parts({{97, 1}, {61, 1}}));
  measurer_->script = [](const std::string& task, bool is_reference, int) {
    const bool fails = task == "vector97" && !is_reference;
    return fails ? Failure(Outcome::kWrongOutput) : Success(is_reference ? 1 : 2);
  };
  environment->Reset();
  EXPECT_EQ(environment->Step(1).reward, 0);
  EXPECT_EQ(environment->episode().curve(0).failures(), 4);
  EXPECT_DOUBLE_EQ(environment->episode().Latency(), 97 + 61 / 2.0);
}

TEST_F(NetworkEnvironmentTest, ReferencesAreMeasuredOnce) {
  const auto environment = Make(Parts({{97, 1}, {61, 1}}));
  EXPECT_EQ(measurer_->references, 0);
  environment->Reset();
  environment->Reset();
  EXPECT_EQ(measurer_->references, 2);
}

TEST_F(NetworkEnvironmentTest, ADisturbedReferenceIsMeasuredAgain) {
  const auto environment = Make(Parts({{97, 1}}));
  measurer_->script = [](const std::string&, bool is_reference, int number) {
    return is_reference && number == 0 ? Failure(Outcome::kNoisy) : Success(1);
  };
  environment->Reset();
  EXPECT_EQ(measurer_->references, 2);
  EXPECT_DOUBLE_EQ(environment->episode().ReferenceLatency(), 97);
}

TEST_F(NetworkEnvironmentTest, AReferenceThatFailsIsAFaultOfTheMachine) {
  const auto environment = Make(Parts({{97, 1}}));
  Outcome outcome = Outcome::kRunTimeout;
  measurer_->script = [&](const std::string&, bool, int) { return Failure(outcome); };
  try {
    environment->Reset();
    FAIL();
  } catch (const MachineError& fault) {
    EXPECT_STREQ(fault.what(),
                 "the reference schedule of vector97: found run_timeout, expected a time");
  }
  EXPECT_EQ(measurer_->references, 1);
  outcome = Outcome::kInfra;
  EXPECT_THROW(environment->Reset(), MachineError);
  EXPECT_EQ(measurer_->references, 4);
  EXPECT_FALSE(environment->has_begun());
}

TEST_F(NetworkEnvironmentTest, WhatTurnsOutDoubtfulIsTakenBack) {
  const auto environment = Make(Parts({{97, 1}}));
  measurer_->script = [&](const std::string&, bool is_reference, int number) {
    // The last candidate of the first slot after the warm-up; number 4 is the same candidate.
    if (number == 3) measurer_->deferred_results.suspects = {measurer_->asked.back()};
    if (is_reference) return Success(1);
    return Success(number == 3 ? 64 : number == 4 ? 4 : 2);
  };
  environment->Reset();
  const StepResult result = environment->Step(1);
  EXPECT_THAT(SpeedsOf(environment->episode().curve(0)), ElementsAre(Optional(2), Optional(4)));
  EXPECT_DOUBLE_EQ(result.reward, std::log(2));
  EXPECT_EQ(environment->episode().trials(), 4);
}

TEST_F(NetworkEnvironmentTest, TheSameSeedLeadsTheSameWay) {
  const auto parts = Parts({{97, 1}, {61, 1}});
  std::vector<std::vector<std::string>> traces;
  for (uint64_t seed : {7, 7, 8}) {
    measurer_->asked.clear();
    const auto environment = Make(parts, seed);
    for (int episode = 0; episode < 2; ++episode) {
      environment->Reset();
      environment->Step(2);
    }
    traces.emplace_back();
    for (const Candidate& one : measurer_->asked) traces.back().push_back(one.state->TraceText());
  }
  EXPECT_EQ(traces[0], traces[1]);
  EXPECT_NE(traces[0], traces[2]);
}

TEST_F(NetworkEnvironmentTest, AgentsKnowTheBudget) {
  const auto parts = Parts({{97, 1}, {61, 1}});
  std::vector<AgentSetup> setups;
  const auto make = [&](const AgentContext& context) {
    setups.push_back(context.setup);
    return BuiltinAgentMaker().Make(context);
  };
  parts->maker =
      std::make_shared<const AgentMaker>(AgentRegistry("agent", {{"random", "", "", make}}));
  Make(parts)->Reset();
  ASSERT_EQ(setups.size(), 2u);  // the first checks the tasks
  EXPECT_EQ(setups[1].budget->trials, 16);
  ASSERT_EQ(setups[1].tasks.size(), 2u);
  EXPECT_EQ(setups[1].tasks[1].task, parts->tasks[1].task);
}

TEST_F(NetworkEnvironmentTest, AnInterruptedEpisodeIsGone) {
  const auto environment = Make(Parts({{97, 1}}));
  environment->Reset();
  measurer_->script = [&](const std::string&, bool, int) {
    stop_ = true;
    return Success(2);
  };
  EXPECT_EQ(environment->Step(1).reward, 0);
  EXPECT_FALSE(environment->has_begun());
  environment->Reset();
  EXPECT_FALSE(environment->has_begun());
  stop_ = false;
  measurer_->script = nullptr;
  environment->Reset();
  EXPECT_TRUE(environment->has_begun());
}

TEST_F(NetworkEnvironmentTest, SoIsOneWhoseMachineFails) {
  const auto environment = Make(Parts({{97, 1}}));
  environment->Reset();
  measurer_->script = [](const std::string&, bool, int) -> Measurement {
    throw MachineError("the device is gone");
  };
  EXPECT_THROW(environment->Step(1), MachineError);
  EXPECT_FALSE(environment->has_begun());
}

TEST_F(NetworkEnvironmentTest, NumbersOutOfRangeAreRefused) {
  const auto good = Parts({{97, 1}, {61, 1}});
  const auto refused = [&](const auto& change) -> std::string {
    const auto parts = std::make_shared<NetworkParts>(*good);
    change(*parts);
    return InputFaultOf([&] { Make(parts); });
  };
  EXPECT_EQ(refused([](NetworkParts&) {}), "");
  EXPECT_EQ(refused([](NetworkParts& parts) { parts.slots = 0; }),
            "slots: found 0, expected 1 to 100000");
  EXPECT_EQ(refused([](NetworkParts& parts) { parts.batch = 5000; }),
            "batch: found 5000, expected 1 to 4096");
  EXPECT_EQ(refused([](NetworkParts& parts) { parts.rows = 1; }),
            "max_tasks: found 1, expected 2 to 1024");
  EXPECT_EQ(refused([](NetworkParts& parts) { parts.tasks.clear(); }),
            "workload: found none, expected at least one");
}

}  // namespace
}  // namespace schedulegym
