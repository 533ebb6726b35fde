#include "agents/search/droplet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "env/base/fault.h"
#include "env/program/analysis.h"
#include "env/search/factorization.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Two sketches of Y[i:64] = X[i] + 1: cut in three, or in two.
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
    const ScheduleState state = *Apply(ScheduleState::Initial(task), Split{{stage}, 0, ones});
    const int count = static_cast<int>(ones.size());
    return {state, {{0, 64, Factorizations(64, count)}}, {}, {}};
  }
};

// The same, but nothing is measured whose last piece has fewer than two or more than four elements.
class NarrowSketches : public TwoSketches {
 public:
  Result<void> Admit(const ScheduleState& state) const override {
    const int64_t inner = std::get<Split>(state.step(0)).lengths.back();
    if (inner >= 2 && inner <= 4) return {};
    return InvalidSchedule("found pieces of " + std::to_string(inner));
  }
};

std::shared_ptr<const Task> VectorTask() {
  return std::make_shared<const Task>(
      Task{DagOf("input X[64]\nY[i:64] = X[i] + 1\n"), Target{}, "vector"});
}

std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space) {
  return MakeDropletAgent(ParseSpec(spec).value(), {space, Rng(1)});
}

// Fastest in pieces of 8, whatever else.
double CostOf(const ScheduleState& state) {
  const int64_t inner = std::get<Split>(state.step(0)).lengths.back();
  return 1 + std::abs(static_cast<double>(inner) - 8);
}

// Asks and tells until the agent has no more.
std::vector<ScheduleState> Exhaust(Agent& agent, const std::shared_ptr<const Task>& task) {
  std::vector<ScheduleState> all;
  while (all.size() < 1000) {
    const std::vector<ScheduleState> states = agent.Propose(task, 8);
    if (states.empty()) break;
    EXPECT_LE(states.size(), 8u);
    std::vector<Record> records;
    for (const ScheduleState& state : states) records.push_back(TimedRecord(state, CostOf(state)));
    agent.Learn(records);
    all.insert(all.end(), states.begin(), states.end());
  }
  return all;
}

class DropletAgentTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Modes, DropletAgentTest, testing::Values("fixed", "faithful"));

TEST_P(DropletAgentTest, BeginsUnoptimised) {
  const TwoSketches space;
  const auto agent = Make("droplet(mode=" + std::string(GetParam()) + ")", space);
  const auto states = agent->Propose(VectorTask(), 8);
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0].TraceText(), "trace 1\nsplit(stage=Y, loop=0, lengths=[1, 1])\n");
}

TEST_P(DropletAgentTest, EndsAtTheBestOfBothSketches) {
  const TwoSketches space;
  const auto agent = Make("droplet(mode=" + std::string(GetParam()) + ")", space);
  std::set<size_t> parts;
  double best = 100;
  for (const ScheduleState& state : Exhaust(*agent, VectorTask())) {
    parts.insert(std::get<Split>(state.step(0)).lengths.size());
    best = std::min(best, CostOf(state));
  }
  EXPECT_EQ(best, 1);
  EXPECT_EQ(parts.size(), 2u);
}

TEST_P(DropletAgentTest, RecordsThatAreMissingCountAsFailures) {
  const TwoSketches space;
  const auto agent = Make("droplet(mode=" + std::string(GetParam()) + ")", space);
  const auto task = VectorTask();
  EXPECT_EQ(agent->Propose(task, 8).size(), 1u);
  EXPECT_FALSE(agent->Propose(task, 8).empty());
}

// Pieces of one element are where it begins; the space is not asked about those.
TEST(DropletAgentOptionsTest, TheFixedFormMeasuresNothingThatTheSpaceRefuses) {
  const NarrowSketches space;
  const auto refused = [&](const std::string& spec) {
    std::set<int64_t> pieces;
    for (const ScheduleState& state : Exhaust(*Make(spec, space), VectorTask())) {
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
  for (const ScheduleState& state : Exhaust(*Make("droplet(sketch=1)", space), VectorTask())) {
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
  ExpectRefused([&] { Make("droplet(sketch=2)", space)->Propose(VectorTask(), 8); },
                "expected 0..1");
  ExpectRefused([&] { Make("droplet(sketch=2)", space)->CheckTask(VectorTask()); },
                "expected 0..1");
  EXPECT_NO_THROW(Make("droplet(sketch=1)", space)->CheckTask(VectorTask()));
}

TEST(DropletAgentOptionsTest, ASpaceWithoutSketchesIsRefused) {
  const SplitSpace space;
  ExpectRefused([&] { Make("droplet", space)->Propose(VectorTask(), 8); },
                "space split has no sketches; expected one that has, such as ansor");
  ExpectRefused([&] { Make("droplet", space)->CheckTask(VectorTask()); }, "has no sketches");
}

}  // namespace
}  // namespace schedulegym
