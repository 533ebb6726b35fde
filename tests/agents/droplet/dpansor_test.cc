#include "agents/droplet/droplet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/builtin_agents.h"
#include "agents/tuner/refinement_gain.h"
#include "env/base/fault.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/agents/vector_task.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// An agent for a task with as many schedules as its extent.
std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                            const std::shared_ptr<const Task>& task = VectorTask(97)) {
  return std::make_unique<SingleTaskAgent>(ParseSpec(spec).value(), space, std::vector{task},
                                           Rng(1));
}

int64_t LengthOf(const ScheduleState& state) { return std::get<Split>(state.step(0)).lengths[0]; }

// Fastest in pieces of 32.
double CostOf(const ScheduleState& state) {
  return 1 + std::abs(static_cast<double>(LengthOf(state)) - 32);
}

// Proposes `count`, reports the results, and returns the proposals.
std::vector<ScheduleState> Round(Agent& agent, int count, GainReader* reader = nullptr) {
  const std::vector<Proposal> proposals = agent.Propose(0, count);
  EXPECT_LE(std::ssize(proposals), count);
  std::vector<Trial> trials;
  for (const Proposal& one : proposals) trials.push_back(TimedTrial(one, CostOf(one.state)));
  agent.Learn(trials);
  if (reader) reader->Hear(trials);
  return StatesOf(proposals);
}

std::vector<ScheduleState> Exhaust(Agent& agent, GainReader* reader = nullptr) {
  std::vector<ScheduleState> all;
  while (true) {
    const auto states = Round(agent, 8, reader);
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
  std::shared_ptr<const Task> task_ = VectorTask(97);
};

INSTANTIATE_TEST_SUITE_P(Modes, DpansorTest, testing::Values("fixed", "faithful"));

TEST_P(DpansorTest, BeginsAsTheOtherAgentDoes) {
  const auto agent = MakeMode();
  const auto alone = Make("random", space_);
  for (int count : {8, 4}) {
    const auto states = Round(*agent, 8);
    const auto expected = Round(*alone, count);
    ASSERT_EQ(states.size(), expected.size());
    for (size_t i = 0; i < states.size(); ++i) {
      EXPECT_EQ(states[i].TraceText(), expected[i].TraceText());
    }
  }
}

TEST_P(DpansorTest, ThenGoesOnFromTheBestWhichItMeasuresAgain) {
  const auto agent = MakeMode();
  std::vector<ScheduleState> explored = Round(*agent, 8);
  for (const ScheduleState& state : Round(*agent, 8)) explored.push_back(state);
  ASSERT_EQ(explored.size(), 12u);
  EXPECT_EQ(LengthOf(Round(*agent, 8).at(0)), BestLength(explored));
}

TEST_P(DpansorTest, WithoutASuccessThereIsNothingToRefine) {
  const auto agent = MakeMode();
  size_t count = 0;
  while (true) {
    const auto proposals = agent->Propose(0, 8);
    if (proposals.empty()) break;
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) trials.push_back(TimedTrial(one, std::nullopt));
    agent->Learn(trials);
    count += proposals.size();
  }
  EXPECT_EQ(count, 12u) << "of which none can be refined";
}

TEST_P(DpansorTest, AnExhaustedSpaceIsRefinedAtOnce) {
  const auto agent = Make(SpecOf(GetParam()), space_, VectorTask(3));
  GainReader reader;
  const auto all = Exhaust(*agent, &reader);
  ASSERT_GE(all.size(), 4u);
  EXPECT_EQ(LengthOf(all[3]), 3);
  EXPECT_EQ(reader.Gain("")->after, 3);
}

TEST_P(DpansorTest, TheGainNamesTheSearchBefore) {
  const auto agent = MakeMode();
  GainReader reader;
  Round(*agent, 8, &reader);
  EXPECT_FALSE(reader.Gain("whoever").has_value());
  const auto rest = Exhaust(*agent, &reader);
  const auto gain = reader.Gain("whoever");
  ASSERT_TRUE(gain.has_value());
  EXPECT_EQ(gain->agent, "random");
  EXPECT_EQ(gain->after, 12);
  EXPECT_EQ(gain->trials, std::ssize(rest) - 4);
  EXPECT_GE(gain->speed, 1);
}

TEST_P(DpansorTest, TheGainNamesItWhole) {
  const auto agent =
      Make("dpansor(k=4, agent=random(retries=50), mode=" + std::string(GetParam()) + ")", space_);
  GainReader reader;
  Exhaust(*agent, &reader);
  EXPECT_EQ(reader.Gain("")->agent, "random(retries=50)");
}

// --- resuming ---

// `count` schedules measured by `agent`, lengths from 2 on; `elsewhere` of them in another space.
std::vector<Trial> Known(const std::shared_ptr<const Task>& task, int count,
                         const std::string& agent, int elsewhere = 0) {
  std::vector<Trial> trials;
  for (int i = 0; i < count; ++i) {
    const ScheduleState state = Apply(ScheduleState::Initial(task), Split{{1}, 0, {2 + i}}).value();
    Record record = TimedRecord(state, CostOf(state));
    record.agent = agent;
    if (i < elsewhere) record.space = "elsewhere";
    trials.push_back(TrialOf(state, record, TrialStatus::kKnown));
  }
  return trials;
}

TEST_P(DpansorTest, WhatEarlierSearchesMeasuredCountsTowardsK) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 9, "random(retries=5)"));
  EXPECT_EQ(Round(*agent, 8).size(), 3u) << "the rest of 12";
  GainReader reader;
  Round(*agent, 8, &reader);
  EXPECT_EQ(reader.Gain("")->after, 12);
}

TEST_P(DpansorTest, ASecondSearchGoesStraightToTheDescent) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 20, SpecOf(GetParam())));
  EXPECT_EQ(LengthOf(Round(*agent, 8).at(0)), 21) << "the best of 2 to 21";
}

TEST_P(DpansorTest, WhatWasMeasuredInAnotherSpaceDoesNotCount) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 9, "random(retries=5)", 4));
  EXPECT_EQ(Round(*agent, 8).size(), 7u) << "12 but for 5";
}

TEST_P(DpansorTest, RecordsOfOtherAgentsDoNotCountButAreKnown) {
  const auto agent = MakeMode();
  agent->Learn(Known(task_, 30, "droplet"));
  std::vector<ScheduleState> explored = Round(*agent, 8);
  EXPECT_EQ(explored.size(), 8u);
  for (const ScheduleState& state : Round(*agent, 8)) explored.push_back(state);
  ASSERT_EQ(explored.size(), 12u);
  for (const ScheduleState& state : explored) EXPECT_GT(LengthOf(state), 31);
  // The best of all searches: 31 of the known ones, or 33 of its own.
  const int64_t own = BestLength(explored);
  EXPECT_EQ(LengthOf(Round(*agent, 8).at(0)), own <= 33 ? own : 31);
}

// --- the improved form alone ---

TEST(DpansorFixedTest, FindsWhatTheFirstSearchMissed) {
  const SplitSpace space;
  const auto agent = Make(SpecOf("fixed"), space);
  GainReader reader;
  const auto all = Exhaust(*agent, &reader);
  const std::vector<ScheduleState> explored(all.begin(), all.begin() + 12);
  ASSERT_NE(BestLength(explored), 32);
  EXPECT_EQ(BestLength(all), 32);
  // A split by 32 takes a second.
  const double before = 1 + std::abs(static_cast<double>(BestLength(explored)) - 32);
  EXPECT_DOUBLE_EQ(*reader.Gain("")->speed, before);
}

// The published listing leaves out the move of all knobs at once.
TEST(DpansorFaithfulTest, NeverMovesTheKnobOfAScheduleThatHasOne) {
  const SplitSpace space;
  const auto all = Exhaust(*Make(SpecOf("faithful"), space));
  EXPECT_EQ(all.size(), 12u + 1);
}

TEST(DpansorAgentTest, ItsMemoryAndItsDemandsAreTheFirstAgents) {
  const SplitSpace space;
  EXPECT_NE(Make("dpansor(agent=ansor)", space)->memory(), nullptr);
  EXPECT_EQ(Make("dpansor(agent=random)", space)->memory(), nullptr);
  EXPECT_THROW(Make("dpansor(agent=droplet)", space), InputError);
}

// --- options ---

void ExpectRefused(const std::string& spec, const std::string& text) {
  const SplitSpace space;
  try {
    Make(spec, space);
    ADD_FAILURE() << spec << " was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(DpansorOptionsTest, BadOnesAreRefused) {
  ExpectRefused("dpansor(k=0)", "agent dpansor: k=0, expected at least 1");
  ExpectRefused("dpansor(trials=0)", "agent dpansor: trials=0");
  ExpectRefused("dpansor(p=0)", "agent dpansor: p=0");
  ExpectRefused("dpansor(mode=old)", "faithful");
  ExpectRefused("dpansor(agent=randon)", "did you mean 'random'");
  ExpectRefused("dpansor(agent=ansor(population=0))", "population=0");
  ExpectRefused("dpansor(population=64)", "agent");
}

class DpansorBudgetTest : public testing::Test {
 protected:
  // Number of trials of a task that the first search receives of a budget.
  int64_t Explored(const std::string& spec, int64_t trials, int tasks = 1) {
    setup_ = AgentSetup();
    setup_.agent = ParseSpec(spec).value();
    for (int i = 0; i < tasks; ++i) setup_.tasks.push_back({VectorTask(4001 + i)});
    setup_.budget = Budget{trials};
    said_.clear();
    const auto agent =
        maker_.Make({setup_, space_, Rng(1), maker_, clock_, {}, [this](const std::string& line) {
                       said_.push_back(line);
                     }});
    int64_t count = 0;
    while (true) {
      const std::vector<Proposal> proposals = agent->Propose(0, 16);
      std::vector<Trial> trial_list;
      for (const Proposal& one : proposals) {
        if (!one.note.empty()) return count;
        ++count;
        trial_list.push_back(TimedTrial(one, CostOf(one.state)));
      }
      agent->Learn(trial_list);
    }
  }

  const SplitSpace space_;
  const AgentMaker maker_ = BuiltinAgentMaker();
  const SteadyClock clock_;
  AgentSetup setup_;
  std::vector<std::string> said_;
};

TEST_F(DpansorBudgetTest, WhatFitsStays) {
  EXPECT_EQ(Explored("dpansor(agent=random)", 300), 300);
  EXPECT_EQ(Explored("dpansor(k=250, agent=random)", 1000, 4), 250);
  EXPECT_THAT(said_, testing::IsEmpty());
}

TEST_F(DpansorBudgetTest, KShrinksToWhatTheTrialsAllowAndSaysSo) {
  // 300 for the first search and 100 for the second.
  EXPECT_EQ(Explored("dpansor(agent=random)", 200), 150);
  EXPECT_THAT(said_, testing::ElementsAre("agent dpansor: k=150 instead of 300, for 200 trials do "
                                          "not hold more"));
  EXPECT_EQ(Explored("dpansor(agent=random)", 400, 4), 75);
  EXPECT_THAT(said_.at(0), HasSubstr("k=75 of each task instead of 300"));
  EXPECT_EQ(Explored("dpansor(agent=random)", 1), 1);
}

// The first agent's budget is the option k.
TEST_F(DpansorBudgetTest, TheFirstAgentKnowsItsOwn) {
  Explored("dpansor(k=20, agent=dpansor(k=40, trials=40, agent=random))", 100);
  EXPECT_THAT(said_, testing::ElementsAre(HasSubstr("k=10 instead of 40, for 20 trials")));
}

}  // namespace
}  // namespace schedulegym
