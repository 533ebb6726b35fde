#include "agents/learned/harl/harl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "agents/mcts/mcts.h"
#include "spaces/ansor/sketch_space.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/decisions/agent_search.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kMatmul = "matmul(m=64,n=64,k=64)";

class HarlPolicyTest : public testing::Test {
 protected:
  // Trains a policy for `rounds` rounds; returns the path of its file.
  std::string Trained(int rounds) {
    const Spec agent = ParseSpec("harl(visits=480,stop_every=4,stop_least=10,hidden=16)").value();
    const auto trainer = MakeHarlTrainer({agent, *space_, {task_}, Rng(1)});
    for (int i = 0; i < rounds; ++i) trainer->Train(task_);
    const std::string path = folder_.Path("policy" + std::to_string(rounds) + ".sgp");
    trainer->Save(path);
    return path;
  }

  std::vector<double> SharesAtTheStart(const std::string& path) {
    const TrainedActions trained = ReadHarlPolicy({path, 16}, *space_, task_);
    Rng rng(1);
    const auto episode = trained.actions->Start(task_, rng);
    const std::vector<int> legal = LegalActions(*trained.actions, *episode);
    std::vector<double> shares = trained.policy->SharesOf(*episode, legal);
    EXPECT_EQ(shares.size(), legal.size());
    return shares;
  }

  std::string FaultOf(const PolicyFile& file, const SearchSpace& space,
                      const std::string& workload) {
    return InputFaultOf(
        [&] { ReadHarlPolicy(file, space, WorkloadTask(workload, Avx2Target(2))); });
  }

  TemporaryFolder folder_;
  std::unique_ptr<SearchSpace> space_ = MakeAnsorSpace(ParseSpec("ansor").value());
  std::shared_ptr<const Task> task_ = WorkloadTask(kMatmul, Avx2Target(2));
};

TEST_F(HarlPolicyTest, SharesAreAboveNothingAndTogetherOne) {
  const std::vector<double> shares = SharesAtTheStart(Trained(1));
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  for (const double share : shares) EXPECT_GT(share, 0);
}

TEST_F(HarlPolicyTest, TheyAreThoseOfWhatItLearned) {
  const std::string once = Trained(1), often = Trained(4);
  EXPECT_EQ(SharesAtTheStart(once), SharesAtTheStart(once));
  EXPECT_NE(SharesAtTheStart(once), SharesAtTheStart(often));
}

TEST_F(HarlPolicyTest, WhatIsNoPolicyOrNotForThisIsRefused) {
  const std::string path = Trained(1);
  const auto other = MakeSpace(ParseSpec("schedulegym").value());
  EXPECT_THAT(FaultOf({path, 16}, *other, kMatmul),
              AllOf(HasSubstr("agent mcts: policy '" + path), HasSubstr("space")));
  EXPECT_THAT(FaultOf({path, 8}, *space_, kMatmul), HasSubstr("agent mcts: policy"));
  EXPECT_THAT(FaultOf({folder_.Path("none.sgp"), 16}, *space_, kMatmul), HasSubstr("none.sgp"));
  std::ofstream(folder_.Path("text.sgp")) << "no policy\n";
  EXPECT_THAT(FaultOf({folder_.Path("text.sgp"), 16}, *space_, kMatmul), HasSubstr("text.sgp"));
}

TEST_F(HarlPolicyTest, ATreeSearchGoesByIt) {
  const std::string path = Trained(2);
  const auto keys = [&](const std::string& prior, uint64_t seed) {
    const AgentSetup setup = {
        .agent =
            ParseSpec("mcts(form=puct,actions=modify,iterations=128,round=8,prior=" + prior + ")")
                .value(),
        .tasks = {{task_}}};
    const AgentMaker maker({}, {});
    const SteadyClock clock;
    const auto agent = MakeMctsAgent({setup, *space_, Rng(seed), maker, clock}, ReadHarlPolicy);
    return KeysOf(agent->Propose(0, 8));
  };
  const std::string policy = "policy(file=\"" + path + "\",hidden=16)";
  EXPECT_EQ(keys(policy, 1).size(), 8u);
  EXPECT_EQ(keys(policy, 1), keys(policy, 1));
  EXPECT_NE(keys(policy, 1), keys("uniform", 1));
}

}  // namespace
}  // namespace schedulegym
