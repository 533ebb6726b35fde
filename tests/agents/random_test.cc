#include "agents/search/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/schedule/loop_structure.h"
#include "tests/agents/split_space.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> VectorTask(int extent, const std::string& value = "X[i] + 1") {
  const std::string n = std::to_string(extent);
  return std::make_shared<const Task>(
      Task{DagOf("input X[" + n + "]\nY[i:" + n + "] = " + value + "\n"), Target{}, "vector"});
}

std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space, uint64_t seed = 1) {
  return MakeRandomAgent(ParseSpec(spec).value(), {space, Rng(seed)});
}

std::vector<std::string> TracesOf(const std::vector<ScheduleState>& states) {
  std::vector<std::string> traces;
  for (const ScheduleState& state : states) traces.push_back(state.TraceText());
  return traces;
}

TEST(RandomAgentTest, SaysWhenTheSpaceIsExhausted) {
  const SplitSpace space;
  const auto agent = Make("random", space);
  const auto task = VectorTask(12);
  const size_t found = agent->Propose(task, 100).size();
  EXPECT_GT(found, 0u);
  EXPECT_LE(found, 12u);
  EXPECT_TRUE(agent->Propose(task, 100).empty());
}

TEST(RandomAgentTest, RetriesAreBounded) {
  const SplitSpace space;
  const auto agent = Make("random(retries=7)", space);
  const auto task = VectorTask(1);
  EXPECT_EQ(agent->Propose(task, 10).size(), 1u);
  EXPECT_EQ(space.draws(), 1 + 7);
}

TEST(RandomAgentTest, AKnownLimitSavesTheRetries) {
  const SplitSpace space(true);
  const auto agent = Make("random", space);
  EXPECT_EQ(agent->Propose(VectorTask(1), 10).size(), 1u);
  EXPECT_EQ(space.draws(), 1);
}

// As an earlier search of the task would have recorded it.
Record RecordOf(const std::shared_ptr<const Task>& task, const ScheduleState& state) {
  Record record;
  record.task = DescribeTask(*task);
  record.state_key = StateKey(state);
  return record;
}

TEST(RandomAgentTest, WhatItWasToldOfIsNotProposedAgain) {
  const SplitSpace space;
  const auto task = VectorTask(12);
  std::vector<Record> known;
  std::set<Key> earlier;
  for (const ScheduleState& state : Make("random", space)->Propose(task, 5)) {
    known.push_back(RecordOf(task, state));
    earlier.insert(StateKey(state));
  }
  const size_t all = Make("random", space)->Propose(task, 100).size();
  const auto agent = Make("random", space);
  agent->Learn(known);
  const auto states = agent->Propose(task, 100);
  EXPECT_EQ(states.size(), all - 5);
  for (const ScheduleState& state : states) EXPECT_EQ(earlier.count(StateKey(state)), 0u);
}

// The same seed draws the same states again, all of them known, one after the other.
TEST(RandomAgentTest, KnownStatesDoNotCountAsExhaustion) {
  const SplitSpace space;
  const auto task = VectorTask(97);
  const auto earlier = Make("random(retries=30)", space)->Propose(task, 50);
  ASSERT_EQ(earlier.size(), 50u);
  const auto agent = Make("random(retries=30)", space);
  std::vector<Record> known;
  for (const ScheduleState& state : earlier) known.push_back(RecordOf(task, state));
  agent->Learn(known);
  EXPECT_FALSE(agent->Propose(task, 1).empty());
}

TEST(RandomAgentTest, KnownStatesCountForAKnownLimit) {
  const SplitSpace space(true);
  const auto task = VectorTask(1);
  const auto agent = Make("random", space);
  agent->Learn(std::vector<Record>{RecordOf(task, Make("random", space)->Propose(task, 1)[0])});
  const int draws = space.draws();
  EXPECT_TRUE(agent->Propose(task, 10).empty());
  EXPECT_EQ(space.draws(), draws);
}

TEST(RandomAgentTest, TasksAreExhaustedApart) {
  const SplitSpace space;
  const auto agent = Make("random(retries=50)", space);
  EXPECT_EQ(agent->Propose(VectorTask(1), 10).size(), 1u);
  // The same loops around another value.
  EXPECT_EQ(agent->Propose(VectorTask(1, "X[i] * 2"), 10).size(), 1u);
  EXPECT_TRUE(agent->Propose(VectorTask(1), 10).empty());
}

TEST(RandomAgentTest, TheSeedDecides) {
  const SplitSpace space;
  const auto task = VectorTask(97);
  const auto first = TracesOf(Make("random", space, 3)->Propose(task, 10));
  EXPECT_EQ(first, TracesOf(Make("random", space, 3)->Propose(task, 10)));
  EXPECT_NE(first, TracesOf(Make("random", space, 4)->Propose(task, 10)));
}

TEST(RandomAgentTest, RefusesBadOptions) {
  const SplitSpace space;
  EXPECT_THROW(Make("random(retries=0)", space), InputError);
  EXPECT_THROW(Make("random(retrys=5)", space), InputError);
}

}  // namespace
}  // namespace schedulegym
