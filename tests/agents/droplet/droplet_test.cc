#include "agents/droplet/droplet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "env/program/analysis.h"
#include "env/search/factorization.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/agents/vector_task.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Two sketches of Y[i:64] = X[i] + 1: split into three loops, or into two.
class TwoSketches : public SearchSpace {
 public:
  std::string Name() const override { return "two"; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng&) const override {
    return ScheduleState::Initial(task);
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng&) const override { return state; }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    return {Of(task, {1, 1}), Of(task, {1})};
  }

 private:
  static Sketch Of(const std::shared_ptr<const Task>& task, const std::vector<int64_t>& ones) {
    const int stage = task->dag.outputs().back();
    const std::vector<std::vector<int64_t>> any(ones.size(), Divisors(64));
    auto knobs = std::make_shared<const KnobSpace>(
        task, std::vector<TraceSegment>{
                  OpenLengths{"Y", Split{{stage}, 0, ones}, 64, LengthsFit::kDivide, any}});
    ScheduleState origin = knobs->At(knobs->Origin()).value();
    return {std::move(origin), {}, std::move(knobs)};
  }
};

// The same, but rejects schedules whose last piece has fewer than two or more than four elements.
class NarrowSketches : public TwoSketches {
 public:
  Result<void> Admit(const ScheduleState& state) const override {
    const int64_t inner = std::get<Split>(state.step(0)).lengths.back();
    if (inner >= 2 && inner <= 4) return {};
    return InvalidSchedule("found pieces of " + std::to_string(inner));
  }
};

std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space) {
  return std::make_unique<SingleTaskAgent>(ParseSpec(spec).value(), space,
                                           std::vector{VectorTask()}, Rng(1));
}

// Fastest in pieces of 8, regardless of the other knobs.
double CostOf(const ScheduleState& state) {
  const int64_t inner = std::get<Split>(state.step(0)).lengths.back();
  return 1 + std::abs(static_cast<double>(inner) - 8);
}

// Proposes and reports results until the agent has no more proposals.
std::vector<ScheduleState> Exhaust(Agent& agent) {
  std::vector<ScheduleState> all;
  while (all.size() < 1000) {
    const std::vector<Proposal> proposals = agent.Propose(0, 8);
    if (proposals.empty()) break;
    EXPECT_LE(proposals.size(), 8u);
    std::vector<Trial> trials;
    for (const Proposal& one : proposals) trials.push_back(TimedTrial(one, CostOf(one.state)));
    agent.Learn(trials);
    for (const Proposal& one : proposals) all.push_back(one.state);
  }
  return all;
}

class DropletAgentTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Modes, DropletAgentTest, testing::Values("fixed", "faithful"));

TEST_P(DropletAgentTest, BeginsUnoptimised) {
  const TwoSketches space;
  const auto agent = Make("droplet(mode=" + std::string(GetParam()) + ")", space);
  const auto states = StatesOf(agent->Propose(0, 8));
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0].TraceText(), "trace 1\nsplit(stage=Y, loop=0, lengths=[1, 1])\n");
}

TEST_P(DropletAgentTest, EndsAtTheBestOfBothSketches) {
  const TwoSketches space;
  const auto agent = Make("droplet(mode=" + std::string(GetParam()) + ")", space);
  std::set<size_t> parts;
  double best = 100;
  for (const ScheduleState& state : Exhaust(*agent)) {
    parts.insert(std::get<Split>(state.step(0)).lengths.size());
    best = std::min(best, CostOf(state));
  }
  EXPECT_EQ(best, 1);
  EXPECT_EQ(parts.size(), 2u);
}

// The first measurements all fail because of the machine.
TEST_P(DropletAgentTest, FaultsOfTheMachineLeadNowhereElse) {
  const TwoSketches space;
  const auto agent = Make("droplet(mode=" + std::string(GetParam()) + ")", space);
  const std::vector<Proposal> first = agent->Propose(0, 8);
  ASSERT_EQ(first.size(), 1u);
  Trial trial = TimedTrial(first[0], 1);
  for (const TrialStatus told : {TrialStatus::kSaysNothing, TrialStatus::kNotReached}) {
    trial.told = told;
    agent->Learn({&trial, 1});
    const std::vector<Proposal> again = agent->Propose(0, 8);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].key, first[0].key);
  }
  trial.told = TrialStatus::kMeasured;
  agent->Learn({&trial, 1});
  const std::vector<Proposal> next = agent->Propose(0, 8);
  ASSERT_FALSE(next.empty());
  EXPECT_NE(next[0].key, first[0].key);
}

// The search starts at pieces of one element, for which it does not call Admit.
TEST(DropletAgentOptionsTest, TheFixedFormMeasuresNothingThatTheSpaceRefuses) {
  const NarrowSketches space;
  const auto refused = [&](const std::string& spec) {
    std::set<int64_t> pieces;
    for (const ScheduleState& state : Exhaust(*Make(spec, space))) {
      const int64_t inner = std::get<Split>(state.step(0)).lengths.back();
      if (!space.Admit(state)) pieces.insert(inner);
    }
    return pieces;
  };
  EXPECT_EQ(refused("droplet"), std::set<int64_t>{1});
  EXPECT_GT(refused("droplet(mode=faithful)").size(), 1u);
}

TEST(DropletAgentOptionsTest, OneSketchMayBeChosen) {
  const TwoSketches space;
  for (const ScheduleState& state : Exhaust(*Make("droplet(sketch=1)", space))) {
    EXPECT_EQ(std::get<Split>(state.step(0)).lengths.size(), 1u);
  }
}

void ExpectRefused(const std::function<void()>& act, const std::string& text) {
  try {
    act();
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(DropletAgentOptionsTest, BadOnesAreRefused) {
  const TwoSketches space;
  ExpectRefused([&] { Make("droplet(p=0)", space); }, "p=0.0, expected above 0");
  ExpectRefused([&] { Make("droplet(p=1.5)", space); }, "p=1.5");
  ExpectRefused([&] { Make("droplet(mode=other)", space); }, "faithful");
  ExpectRefused([&] { Make("droplet(sketch=-1)", space); }, "expected at least 0");
  ExpectRefused([&] { Make("droplet(sketch=2)", space); }, "expected 0..1");
  EXPECT_NO_THROW(Make("droplet(sketch=1)", space));
}

TEST(DropletAgentOptionsTest, ASpaceWithoutSketchesIsRefused) {
  const SplitSpace space;
  ExpectRefused([&] { Make("droplet", space); },
                "space split has no sketches; expected one that has, such as ansor");
}

}  // namespace
}  // namespace schedulegym
