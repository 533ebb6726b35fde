#include "agents/builtin_agents.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

TEST(SingleTaskAgentTest, IsTheAgentOfItsSpec) {
  const SplitSpace space;
  SingleTaskAgent agent({"random", {}}, space, {VectorTask(1), VectorTask(97)}, Rng(1));
  const std::vector<Proposal> proposals = agent.Propose(1, 4);
  ASSERT_EQ(proposals.size(), 4u);
  EXPECT_EQ(proposals[0].state.task().name, "vector97");
  EXPECT_EQ(agent.memory(), nullptr);
}

TEST(SingleTaskAgentTest, HearsOfTrials) {
  const SplitSpace space(true);
  SingleTaskAgent agent({"random", {}}, space, {VectorTask(1)}, Rng(1));
  const std::vector<Proposal> proposals = agent.Propose(0, 4);
  ASSERT_EQ(proposals.size(), 1u);
  Trial trial = TimedTrial(proposals[0], 1);
  trial.told = TrialStatus::kNotReached;
  agent.Learn({&trial, 1});
  EXPECT_EQ(agent.Propose(0, 4).size(), 1u);
}

TEST(SingleTaskAgentTest, KnowsItsBudget) {
  const SplitSpace space;
  AgentSetup setup;
  setup.agent = ParseSpec("dpansor(k=30, trials=10, agent=random)").value();
  setup.tasks = {{VectorTask(97)}};
  setup.budget = Budget{8};
  SingleTaskAgent agent(setup, space, Rng(1));
  EXPECT_EQ(agent.Propose(0, 40).size(), 6u) << "30 of 40, of eight";
}

TEST(SingleTaskAgentTest, WhatDoesNotExistIsRefused) {
  const SplitSpace space;
  EXPECT_THROW(SingleTaskAgent({"randon", {}}, space, {}, Rng(1)), InputError);
  EXPECT_THROW(SingleTaskAgent({"droplet", {}}, space, {VectorTask(8)}, Rng(1)), InputError);
}

}  // namespace
}  // namespace schedulegym
