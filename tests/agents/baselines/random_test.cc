#include "agents/baselines/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/agents/vector_task.h"

namespace schedulegym {
namespace {

std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                            const std::vector<std::shared_ptr<const Task>>& tasks,
                            uint64_t seed = 1) {
  return std::make_unique<SingleTaskAgent>(ParseSpec(spec).value(), space, tasks, Rng(seed));
}

std::vector<std::string> TracesOf(const std::vector<Proposal>& proposals) {
  std::vector<std::string> traces;
  for (const Proposal& one : proposals) traces.push_back(one.state.TraceText());
  return traces;
}

TEST(RandomAgentTest, SaysWhenTheSpaceIsExhausted) {
  const SplitSpace space;
  const auto agent = Make("random", space, {VectorTask(12)});
  const size_t found = agent->Propose(0, 100).size();
  EXPECT_GT(found, 0u);
  EXPECT_LE(found, 12u);
  EXPECT_TRUE(agent->Propose(0, 100).empty());
}

TEST(RandomAgentTest, RetriesAreBounded) {
  const SplitSpace space;
  const auto agent = Make("random(retries=7)", space, {VectorTask(1)});
  EXPECT_EQ(agent->Propose(0, 10).size(), 1u);
  EXPECT_EQ(space.draws(), 1 + 7);
}

TEST(RandomAgentTest, AKnownLimitSavesTheRetries) {
  const SplitSpace space(true);
  const auto agent = Make("random", space, {VectorTask(1)});
  EXPECT_EQ(agent->Propose(0, 10).size(), 1u);
  EXPECT_EQ(space.draws(), 1);
}

TEST(RandomAgentTest, WhatItWasToldOfIsNotProposedAgain) {
  const SplitSpace space;
  const auto task = VectorTask(12);
  std::vector<Trial> known;
  std::set<Key> earlier;
  for (const Proposal& one : Make("random", space, {task})->Propose(0, 5)) {
    known.push_back(KnownTrial(one.state, 1));
    earlier.insert(one.key);
  }
  const size_t all = Make("random", space, {task})->Propose(0, 100).size();
  const auto agent = Make("random", space, {task});
  agent->Learn(known);
  const auto proposals = agent->Propose(0, 100);
  EXPECT_EQ(proposals.size(), all - 5);
  for (const Proposal& one : proposals) EXPECT_EQ(earlier.count(one.key), 0u);
}

// The same seed draws the same states again; they are all known, one after the other.
TEST(RandomAgentTest, KnownStatesDoNotCountAsExhaustion) {
  const SplitSpace space;
  const auto task = VectorTask(97);
  const auto earlier = Make("random(retries=30)", space, {task})->Propose(0, 50);
  ASSERT_EQ(earlier.size(), 50u);
  const auto agent = Make("random(retries=30)", space, {task});
  std::vector<Trial> known;
  for (const Proposal& one : earlier) known.push_back(KnownTrial(one.state, 1));
  agent->Learn(known);
  EXPECT_FALSE(agent->Propose(0, 1).empty());
}

TEST(RandomAgentTest, KnownStatesCountForAKnownLimit) {
  const SplitSpace space(true);
  const auto task = VectorTask(1);
  const auto agent = Make("random", space, {task});
  const Proposal earlier = Make("random", space, {task})->Propose(0, 1)[0];
  agent->Learn(std::vector<Trial>{KnownTrial(earlier.state, 1)});
  const int draws = space.draws();
  EXPECT_TRUE(agent->Propose(0, 10).empty());
  EXPECT_EQ(space.draws(), draws);
}

TEST(RandomAgentTest, WhatToldNothingMayComeAgain) {
  const SplitSpace space(true);
  const auto task = VectorTask(1);
  const auto agent = Make("random", space, {task});
  for (const TrialStatus told : {TrialStatus::kSaysNothing, TrialStatus::kNotReached}) {
    const auto proposals = agent->Propose(0, 10);
    ASSERT_EQ(proposals.size(), 1u);
    Trial trial = TimedTrial(proposals[0], 1);
    trial.told = told;
    agent->Learn({&trial, 1});
  }
  EXPECT_EQ(agent->Propose(0, 10).size(), 1u);
  EXPECT_TRUE(agent->Propose(0, 10).empty());
}

TEST(RandomAgentTest, TasksAreExhaustedApart) {
  const SplitSpace space;
  // The same loops around another expression.
  const auto agent = Make("random(retries=50)", space, {VectorTask(1), VectorTask(1, "X[i] * 2")});
  EXPECT_EQ(agent->Propose(0, 10).size(), 1u);
  EXPECT_EQ(agent->Propose(1, 10).size(), 1u);
  EXPECT_TRUE(agent->Propose(0, 10).empty());
}

// The proposals for one task do not depend on the draws for another.
TEST(RandomAgentTest, TasksHaveChanceOfTheirOwn) {
  const SplitSpace space;
  const std::vector<std::shared_ptr<const Task>> tasks = {VectorTask(97), VectorTask(89)};
  const auto one = Make("random", space, tasks), other = Make("random", space, tasks);
  one->Propose(0, 10);
  EXPECT_EQ(TracesOf(one->Propose(1, 10)), TracesOf(other->Propose(1, 10)));
}

TEST(RandomAgentTest, TheSeedDecides) {
  const SplitSpace space;
  const auto task = VectorTask(97);
  const auto first = TracesOf(Make("random", space, {task}, 3)->Propose(0, 10));
  EXPECT_EQ(first, TracesOf(Make("random", space, {task}, 3)->Propose(0, 10)));
  EXPECT_NE(first, TracesOf(Make("random", space, {task}, 4)->Propose(0, 10)));
}

TEST(RandomAgentTest, RefusesBadOptions) {
  const SplitSpace space;
  EXPECT_THROW(Make("random(retries=0)", space, {}), InputError);
  EXPECT_THROW(Make("random(retrys=5)", space, {}), InputError);
}

}  // namespace
}  // namespace schedulegym
