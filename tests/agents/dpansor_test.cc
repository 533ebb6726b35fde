#include "agents/search/dpansor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// A task of as many schedules as its extent.
std::shared_ptr<const Task> VectorTask(int extent = 97) {
  const std::string n = std::to_string(extent);
  return std::make_shared<const Task>(
      Task{DagOf("input X[" + n + "]\nY[i:" + n + "] = X[i] + 1\n"), Target{}, "vector" + n});
}

std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                            std::optional<TrialBudget> budget = {}) {
  return MakeAgent(ParseSpec(spec).value(), {space, Rng(1), budget});
}

int64_t LengthOf(const ScheduleState& state) { return std::get<Split>(state.step(0)).lengths[0]; }

// Fastest in pieces of 32.
double CostOf(const ScheduleState& state) {
  return 1 + std::abs(static_cast<double>(LengthOf(state)) - 32);
}

// Asks for `count`, tells, and answers with what was proposed.
std::vector<ScheduleState> Round(Agent& agent, const std::shared_ptr<const Task>& task, int count) {
  std::vector<ScheduleState> states = agent.Propose(task, count);
  EXPECT_LE(std::ssize(states), count);
  std::vector<Record> records;
  for (const ScheduleState& state : states) records.push_back(TimedRecord(state, CostOf(state)));
  agent.Learn(records);
  return states;
}

std::vector<ScheduleState> Exhaust(Agent& agent, const std::shared_ptr<const Task>& task) {
  std::vector<ScheduleState> all;
  while (true) {
    const auto states = Round(agent, task, 8);
    if (states.empty()) return all;
    all.insert(all.end(), states.begin(), states.end());
  }
}

int64_t BestLength(const std::vector<ScheduleState>& states) {
  const auto best = std::min_element(
      states.begin(), states.end(),
      [](const ScheduleState& a, const ScheduleState& b) { return CostOf(a) < CostOf(b); });
  return LengthOf(*best);
}

std::string SpecOf(const std::string& mode, const std::string& rest = "") {
  return "dpansor(k=12, agent=random, mode=" + mode + rest + ")";
}

class DpansorTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Agent> MakeMode(const std::string& rest = "") {
    return Make(SpecOf(GetParam(), rest), space_);
  }

  SplitSpace space_;
  std::shared_ptr<const Task> task_ = VectorTask();
};

INSTANTIATE_TEST_SUITE_P(Modes, DpansorTest, testing::Values("fixed", "faithful"));

TEST_P(DpansorTest, BeginsAsTheOtherAgentDoes) {
  const auto agent = MakeMode();
  const auto alone = Make("random", space_);
  for (int count : {8, 4}) {
    const auto states = Round(*agent, task_, 8);
    const auto expected = Round(*alone, task_, count);
    ASSERT_EQ(states.size(), expected.size());
    for (size_t i = 0; i < states.size(); ++i) {
      EXPECT_EQ(states[i].TraceText(), expected[i].TraceText());
    }
  }
}

TEST_P(DpansorTest, ThenGoesOnFromTheBestWhichItMeasuresAgain) {
  const auto agent = MakeMode();
  std::vector<ScheduleState> explored = Round(*agent, task_, 8);
  for (const ScheduleState& state : Round(*agent, task_, 8)) explored.push_back(state);
  ASSERT_EQ(explored.size(), 12u);
  EXPECT_EQ(LengthOf(Round(*agent, task_, 8).at(0)), BestLength(explored));
}

TEST_P(DpansorTest, WithoutASuccessThereIsNothingToRefine) {
  const auto agent = MakeMode();
  size_t count = 0;
  while (true) {
    const auto states = agent->Propose(task_, 8);
    if (states.empty()) break;
    std::vector<Record> records;
    for (const ScheduleState& state : states) records.push_back(TimedRecord(state, std::nullopt));
    agent->Learn(records);
    count += states.size();
  }
  EXPECT_EQ(count, 12u) << "of which none can be refined";
}

TEST_P(DpansorTest, AnExhaustedSpaceIsRefinedAtOnce) {
  const auto few = VectorTask(3);
  const auto agent = MakeMode();
  const auto all = Exhaust(*agent, few);
  ASSERT_GE(all.size(), 4u);
  EXPECT_EQ(LengthOf(all[3]), 3);
  EXPECT_EQ(agent->Gain(TaskKey(*few))->after, 3);
}

TEST_P(DpansorTest, TheGainNamesTheSearchBefore) {
  const auto agent = MakeMode();
  Round(*agent, task_, 8);
  EXPECT_EQ(agent->Gain(TaskKey(*task_)), std::nullopt);
  const auto rest = Exhaust(*agent, task_);
  const auto gain = agent->Gain(TaskKey(*task_));
  ASSERT_TRUE(gain.has_value());
  EXPECT_EQ(gain->agent, "random");
  EXPECT_EQ(gain->after, 12);
  EXPECT_EQ(gain->trials, std::ssize(rest) - 4);
  EXPECT_GE(gain->speed, 1);
  EXPECT_EQ(agent->Gain(Key{1, 2}), std::nullopt);
}

TEST_P(DpansorTest, TheGainNamesItWhole) {
  const auto agent =
      Make("dpansor(k=4, agent=random(retries=50), mode=" + std::string(GetParam()) + ")", space_);
  Exhaust(*agent, task_);
  EXPECT_EQ(agent->Gain(TaskKey(*task_))->agent, "random(retries=50)");
}

// --- resuming ---

// `count` records by an agent, of lengths from 2 on.
std::vector<Record> Known(const std::shared_ptr<const Task>& task, int count,
                          const std::string& agent) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    const ScheduleState state = Apply(ScheduleState::Initial(task), Split{{1}, 0, {2 + i}}).value();
    records.push_back(TimedRecord(state, CostOf(state)));
    records.back().agent = agent;
  }
  return records;
}

TEST_P(DpansorTest, WhatEarlierSearchesMeasuredCountsTowardsK) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 9, "random(retries=5)"));
  EXPECT_EQ(Round(*agent, task_, 8).size(), 3u) << "the rest of 12";
  Round(*agent, task_, 8);
  EXPECT_EQ(agent->Gain(TaskKey(*task_))->after, 12);
}

TEST_P(DpansorTest, ASecondSearchGoesStraightToTheDescent) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 20, SpecOf(GetParam())));
  EXPECT_EQ(LengthOf(Round(*agent, task_, 8).at(0)), 21) << "the best of 2 to 21";
}

TEST_P(DpansorTest, WhatWasMeasuredInAnotherSpaceDoesNotCount) {
  const auto agent = MakeMode();
  std::vector<Record> records = Known(task_, 9, "random(retries=5)");
  for (size_t i = 0; i < records.size(); ++i)
    records[i].space = i < 4 ? "elsewhere" : space_.Name();
  agent->Learn(records);
  EXPECT_EQ(Round(*agent, task_, 8).size(), 7u) << "12 but for 5";
}

TEST_P(DpansorTest, RecordsOfOtherAgentsDoNotCountButAreKnown) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 30, "droplet"));
  std::vector<ScheduleState> explored = Round(*agent, task_, 8);
  EXPECT_EQ(explored.size(), 8u);
  for (const ScheduleState& state : Round(*agent, task_, 8)) explored.push_back(state);
  ASSERT_EQ(explored.size(), 12u);
  for (const ScheduleState& state : explored) EXPECT_GT(LengthOf(state), 31);
  // The best of all, whoever made it: 31 of the known ones, or 33 of its own.
  const int64_t own = BestLength(explored);
  EXPECT_EQ(LengthOf(Round(*agent, task_, 8).at(0)), own <= 33 ? own : 31);
}

// --- the improved form alone ---

TEST(DpansorFixedTest, FindsWhatTheFirstSearchMissed) {
  const SplitSpace space;
  const auto task = VectorTask();
  const auto agent = Make(SpecOf("fixed"), space);
  const auto all = Exhaust(*agent, task);
  const std::vector<ScheduleState> explored(all.begin(), all.begin() + 12);
  ASSERT_NE(BestLength(explored), 32);
  EXPECT_EQ(BestLength(all), 32);
  // 32 pieces take a second.
  const double before = 1 + std::abs(static_cast<double>(BestLength(explored)) - 32);
  EXPECT_DOUBLE_EQ(*agent->Gain(TaskKey(*task))->speed, before);
}

// Of all steps the published listing leaves out that of all knobs at once.
TEST(DpansorFaithfulTest, NeverMovesTheKnobOfAScheduleThatHasOne) {
  const SplitSpace space;
  const auto all = Exhaust(*Make(SpecOf("faithful"), space), VectorTask());
  EXPECT_EQ(all.size(), 12u + 1);
}

TEST(DpansorAgentTest, ItsModelAndItsDemandsAreTheFirstAgents) {
  const SplitSpace space;
  EXPECT_NE(Make("dpansor(agent=ansor)", space)->model(), nullptr);
  EXPECT_EQ(Make("dpansor(agent=random)", space)->model(), nullptr);
  EXPECT_NO_THROW(Make("dpansor(agent=random)", space)->CheckTask(VectorTask()));
  EXPECT_THROW(Make("dpansor(agent=droplet)", space)->CheckTask(VectorTask()), InputError);
}

// --- options ---

void ExpectRefused(const std::string& spec, std::optional<TrialBudget> budget,
                   const std::string& text) {
  const SplitSpace space;
  try {
    Make(spec, space, budget);
    ADD_FAILURE() << spec << " was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(DpansorOptionsTest, BadOnesAreRefused) {
  ExpectRefused("dpansor(k=0)", {}, "agent dpansor: k=0, expected at least 1");
  ExpectRefused("dpansor(trials=0)", {}, "agent dpansor: trials=0");
  ExpectRefused("dpansor(p=0)", {}, "agent dpansor: p=0");
  ExpectRefused("dpansor(mode=old)", {}, "faithful");
  ExpectRefused("dpansor(agent=randon)", {}, "did you mean 'random'");
  ExpectRefused("dpansor(agent=ansor(population=0))", {}, "population=0");
  ExpectRefused("dpansor(population=64)", {}, "agent");
}

TEST(DpansorOptionsTest, KHasToFitTheBudget) {
  ExpectRefused("dpansor", TrialBudget{299, 1}, "found k=300, expected no more than 299 trials");
  ExpectRefused("dpansor(k=251)", TrialBudget{1000, 4}, "found k=251 of each of 4 tasks");
  const SplitSpace space;
  EXPECT_NE(Make("dpansor", space, TrialBudget{300, 1}), nullptr);
  EXPECT_NE(Make("dpansor(k=250)", space, TrialBudget{1000, 4}), nullptr);
  // The first agent's budget is k.
  EXPECT_NE(Make("dpansor(k=1,agent=dpansor(k=9))", space, TrialBudget{1, 1}), nullptr);
}

}  // namespace
}  // namespace schedulegym
