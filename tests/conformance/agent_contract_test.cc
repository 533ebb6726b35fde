// Contracts of every agent towards the run that calls it, in any space.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "agents/agent_maker.h"
#include "agents/builtin_agents.h"
#include "env/search/knob_space.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/timed_record.h"
#include "tests/conformance/agent_cases.h"
#include "tests/conformance/searches.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

constexpr const char* kWorkload = "matmul(m=16,n=16,k=16)";

std::vector<std::string> TracesOf(const std::vector<Proposal>& proposals) {
  std::vector<std::string> traces;
  for (const Proposal& one : proposals) traces.push_back(one.state.TraceText());
  return traces;
}

// Has the naive schedule only.
class OneSchedule : public SearchSpace {
 public:
  std::string Name() const override { return "one"; }
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng&) const override {
    return ScheduleState::Initial(task);
  }
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng&) const override { return state; }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    return {{ScheduleState::Initial(task),
             {},
             std::make_shared<const KnobSpace>(task, std::vector<TraceSegment>())}};
  }
};

// Forwards to another space, and sets the stop flag during a computation.
class InterruptingSpace : public SearchSpace {
 public:
  explicit InterruptingSpace(const SearchSpace& space) : space_(space) {}

  std::string Name() const override { return space_.Name(); }
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    Count();
    return space_.Sample(task, rng);
  }
  Result<void> Admit(const ScheduleState& state) const override {
    Count();
    return space_.Admit(state);
  }
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    Count();
    return space_.Mutate(state, rng);
  }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    return space_.Sketches(task);
  }

  const std::atomic<bool>& stop() const { return stop_; }
  // Number of calls since the flag was set.
  int later() const { return later_; }
  // Sets the flag at the given number of calls from now on.
  void SetAfter(int questions) { left_ = questions; }

 private:
  void Count() const {
    if (stop_) ++later_;
    if (--left_ == 0) stop_ = true;
  }

  const SearchSpace& space_;
  mutable std::atomic<int> left_ = 0, later_ = 0;
  mutable std::atomic<bool> stop_ = false;
};

class ContractTest : public testing::TestWithParam<AgentCase> {
 public:
  static std::vector<Trial> TrialsOf(const std::vector<Proposal>& proposals, TrialStatus told) {
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) {
      trials.push_back(TimedTrial(one, 1e-3 * (1 + static_cast<double>(one.key.low % 97))));
      trials.back().told = told;
      if (told == TrialStatus::kNotReached) trials.back().record.reset();
    }
    return trials;
  }

 protected:
  static Spec Agent() { return ParseSpec(GetParam().spec).value(); }

  const std::shared_ptr<const Task> task_ = SmallTask(kWorkload);
  const std::unique_ptr<SearchSpace> space_ = MakeSpace(Spec{"ansor", {}});
};

INSTANTIATE_TEST_SUITE_P(Every, ContractTest, testing::ValuesIn(AgentCases()),
                         [](const auto& info) { return NameOf(info.param); });

// --- trials without a result ---

TEST_P(ContractTest, WhatWasNeverMeasuredMayBeProposedAgain) {
  const OneSchedule one;
  for (const TrialStatus told : {TrialStatus::kNotReached, TrialStatus::kSaysNothing}) {
    SingleTaskAgent agent(Agent(), one, {task_}, Rng(1), {}, OtherAgents());
    const std::vector<Proposal> first = agent.Propose(0, 4);
    ASSERT_EQ(first.size(), 1u);
    agent.Learn(TrialsOf(first, told));
    const std::vector<Proposal> again = agent.Propose(0, 4);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].key, first[0].key);
  }
}

TEST_P(ContractTest, ASpaceOfOneScheduleEnds) {
  const OneSchedule one;
  SingleTaskAgent agent(Agent(), one, {task_}, Rng(1), {}, OtherAgents());
  int proposed = 0;
  for (int round = 0; round < 8; ++round) {
    const std::vector<Proposal> proposals = agent.Propose(0, 4);
    proposed += static_cast<int>(proposals.size());
    agent.Learn(TrialsOf(proposals, TrialStatus::kMeasured));
  }
  // The best may be measured again.
  EXPECT_THAT(proposed, testing::AllOf(testing::Ge(1), testing::Le(2)));
  EXPECT_TRUE(agent.Propose(0, 4).empty());
}

TEST_P(ContractTest, ASmallSpaceIsExhausted) {
  constexpr int kMostRounds = 100;
  GridSpace grid(3);
  grid.has_sketch = true;
  SingleTaskAgent agent(Agent(), grid, {GridTask()}, Rng(1), {}, OtherAgents());
  int rounds = 0;
  for (; rounds < kMostRounds; ++rounds) {
    const std::vector<Proposal> proposals = agent.Propose(0, 4);
    if (proposals.empty()) break;
    agent.Learn(TrialsOf(proposals, TrialStatus::kMeasured));
  }
  EXPECT_LT(rounds, kMostRounds);
  EXPECT_TRUE(agent.Propose(0, 4).empty());
}

TEST_P(ContractTest, AMachineThatNeverAnswersEndsNothingElse) {
  SingleTaskAgent agent(Agent(), *space_, {task_}, Rng(1), {}, OtherAgents());
  for (int round = 0; round < 6; ++round) {
    const std::vector<Proposal> proposals = agent.Propose(0, 8);
    agent.Learn(TrialsOf(proposals, TrialStatus::kSaysNothing));
  }
  const std::vector<Proposal> proposals = agent.Propose(0, 8);
  EXPECT_FALSE(proposals.empty() && agent.Propose(0, 8).empty());
}

// For any number of later failures.
TEST_P(ContractTest, TheIncumbentIsNeverLost) {
  constexpr int kLucky = 12;
  MadeUpMachine machine(
      [](int number) { return number < kLucky ? Outcome::kOk : Outcome::kWrongOutput; });
  const SearchWords words = {.agent = GetParam().spec, .trials = 60, .others = OtherAgents()};
  const SearchLog log = RunSearch(words, task_, machine);
  std::map<Key, double> speeds;
  for (const Record& record : log.records) {
    if (record.measurement.ok()) speeds[record.state_key] = record.measurement.timing->ratio.median;
  }
  ASSERT_FALSE(speeds.empty());
  double best = 0;
  for (const auto& [key, speed] : speeds) best = std::max(best, speed);
  ASSERT_TRUE(log.best.has_value());
  EXPECT_EQ(log.best->measurement.timing->ratio.median, best);
}

// --- revised results ---

// Twelve rounds. The first `misled_rounds` report wrong results, the very first proposal far too
// good. If `is_revised`, corrections follow.
std::vector<std::string> MisledSearch(SingleTaskAgent& agent, int misled_rounds, bool is_revised) {
  std::vector<std::string> proposed;
  for (int round = 0; round < 12; ++round) {
    const std::vector<Proposal> proposals = agent.Propose(0, 8);
    std::vector<Trial> trials = ContractTest::TrialsOf(proposals, TrialStatus::kMeasured);
    const bool is_misled = round < misled_rounds;
    if (is_misled) {
      std::vector<Trial> wrong;
      for (const Proposal& one : proposals) {
        wrong.push_back(TimedTrial(one, wrong.empty() && round == 0 ? 1e-6 : 1));
      }
      agent.Learn(wrong);
      for (Trial& trial : trials) trial.told = TrialStatus::kRevised;
    }
    if (!is_misled || is_revised) agent.Learn(trials);
    for (std::string& trace : TracesOf(proposals)) proposed.push_back(trace);
  }
  return proposed;
}

TEST_P(ContractTest, ARevisedRecordReplacesTheFirst) {
  if (GetParam().episodes) GTEST_SKIP() << "where it stands came of the first";
  SingleTaskAgent led(Agent(), *space_, {task_}, Rng(1), {}, OtherAgents()),
      misled(Agent(), *space_, {task_}, Rng(1), {}, OtherAgents());
  EXPECT_EQ(MisledSearch(led, 0, true), MisledSearch(misled, 12, true));
}

TEST_P(ContractTest, AWalkHeedsARevisedRecord) {
  if (!GetParam().episodes) GTEST_SKIP() << "it knows of no place";
  SingleTaskAgent misled(Agent(), *space_, {task_}, Rng(1), {}, OtherAgents()),
      revised(Agent(), *space_, {task_}, Rng(1), {}, OtherAgents());
  EXPECT_NE(MisledSearch(misled, 1, false), MisledSearch(revised, 1, true));
}

// --- budgets ---

TEST_P(ContractTest, AShareThatRoundsToNothingDoesNotEndTheSearch) {
  SearchWords words = {.agent = GetParam().spec, .trials = 9, .batch = 1, .others = OtherAgents()};
  MadeUpMachine machine;
  EXPECT_EQ(RunSearch(words, task_, machine).records.size(), 9u);
}

// --- interrupts ---

// Each thread finishes its current work: a few dozen schedules.
TEST_P(ContractTest, StopsInTheMidstOfThinking) {
  constexpr int kMostLater = 256;
  for (const int rounds : {0, 4}) {
    InterruptingSpace space(*space_);
    AgentSetup setup;
    setup.agent = Agent();
    setup.tasks = {{task_}};
    const AgentMaker maker = BuiltinAgentMaker(OtherAgents());
    const FakeClock clock;
    const auto agent = maker.Make({setup, space, Rng(1), maker, clock, StopToken(&space.stop())});
    for (int round = 0; round < rounds; ++round) {
      agent->Learn(TrialsOf(agent->Propose(0, 26), TrialStatus::kMeasured));
    }
    space.SetAfter(3);
    try {
      // Calls it again after the stop, which must not start new work.
      for (bool more = true; more && !agent->Propose(0, 1000).empty();) more = !space.stop();
      agent->Propose(0, 1000);
    } catch (const Interrupted&) {
    }
    EXPECT_LE(space.later(), kMostLater);
  }
}

// --- memory ---

TEST_P(ContractTest, WhatWasSavedLeadsToTheSameProposals) {
  SingleTaskAgent teacher(Agent(), *space_, {task_}, Rng(1), {}, OtherAgents());
  if (teacher.memory() == nullptr) GTEST_SKIP() << "it learns nothing that outlives it";
  for (int round = 0; round < 6; ++round) {
    teacher.Learn(TrialsOf(teacher.Propose(0, 26), TrialStatus::kMeasured));
  }
  const std::optional<std::string> saved = teacher.memory()->Save();
  ASSERT_TRUE(saved.has_value());
  EXPECT_THAT(teacher.memory()->Kind(), testing::MatchesRegex("[a-z]+ [0-9]+"));
  std::vector<std::vector<std::string>> proposed;
  for (int i = 0; i < 2; ++i) {
    SingleTaskAgent pupil(Agent(), *space_, {task_}, Rng(2), {}, OtherAgents());
    pupil.memory()->Load(*saved);
    EXPECT_EQ(pupil.memory()->Save(), saved);
    proposed.push_back(TracesOf(pupil.Propose(0, 16)));
  }
  EXPECT_EQ(proposed[0], proposed[1]);
  SingleTaskAgent untaught(Agent(), *space_, {task_}, Rng(2), {}, OtherAgents());
  EXPECT_NE(TracesOf(untaught.Propose(0, 16)), proposed[0]);
}

}  // namespace
}  // namespace schedulegym
