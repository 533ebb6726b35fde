#include "agents/decisions/state_rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/common/best_states.h"
#include "agents/decisions/decision_place.h"
#include "env/schedule/loop_structure.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

std::vector<std::optional<double>> Speeds(const std::vector<ScheduleState>& states) {
  std::vector<std::optional<double>> speeds;
  for (const ScheduleState& state : states) speeds.emplace_back(1 / TwoSketchSeconds(state));
  return speeds;
}

class StateRolloutTest : public testing::Test {
 protected:
  StateRolloutTest()
      : root_(FirstDecision(space_.Sketches(TwoSketchSpace::SmallTask()),
                            DecisionOrder::kOutputsFirst)) {}

  std::vector<RolloutRequest> OfRoot(int count) const {
    return std::vector<RolloutRequest>(count, RolloutRequest{root_});
  }

  TwoSketchSpace space_;
  std::shared_ptr<const TreePlace> root_;
  Rng rng_{1};
};

TEST_F(StateRolloutTest, CompletesAndJudgesInOrder) {
  StateRollout rollout(space_, Speeds, 1);
  std::vector<RolloutRequest> requests = OfRoot(20);
  requests.push_back({root_->After(1)->After(0)});
  const auto rolled = rollout.Roll(requests, rng_);
  ASSERT_EQ(rolled.size(), 21u);
  for (const auto& one : rolled) {
    EXPECT_EQ(one->value, 1 / TwoSketchSeconds(rollout.state(one->sample)));
  }
  EXPECT_THAT(rollout.state(rolled[20]->sample).TraceText(),
              testing::HasSubstr("split(stage=B, loop=0, lengths=["));
  EXPECT_EQ(rollout.evaluated(), 21);
}

TEST_F(StateRolloutTest, IsTheSameOnAnyNumberOfThreads) {
  const auto traces = [&](int threads) {
    StateRollout rollout(space_, Speeds, threads);
    Rng rng(7);
    std::string all;
    for (const auto& one : rollout.Roll(OfRoot(50), rng)) {
      all += rollout.state(one->sample).TraceText();
    }
    return all;
  };
  EXPECT_EQ(traces(1), traces(3));
}

TEST_F(StateRolloutTest, WhatLeadsNowhereOrHasNoValueIsNone) {
  const auto evaluator = [](const std::vector<ScheduleState>& states) {
    std::vector<std::optional<double>> values;
    for (const ScheduleState& state : states) {
      const bool is_parallel = state.TraceText().find("parallel") != std::string::npos;
      values.push_back(is_parallel ? std::nullopt : std::optional(1.0));
    }
    return values;
  };
  StateRollout rollout(space_, evaluator, 1);
  const auto sketch = root_->After(0);
  const auto parallel = sketch->After(0)->After(1), serial = sketch->After(0)->After(0);
  const std::vector<RolloutRequest> requests = {{parallel}, {serial}};
  const auto rolled = rollout.Roll(requests, rng_);
  EXPECT_FALSE(rolled[0]);
  EXPECT_EQ(rolled[1]->value, 1);
}

TEST_F(StateRolloutTest, NeighboursDifferInOneDecision) {
  StateRollout rollout(space_, Speeds, 1);
  const int first = rollout.Roll(OfRoot(1), rng_)[0]->sample;
  const std::vector<RolloutRequest> requests(30, RolloutRequest{nullptr, false, first});
  const auto knobs = space_.Sketches(TwoSketchSpace::SmallTask());
  for (const auto& one : rollout.Roll(requests, rng_)) {
    if (!one) continue;  // lengths that do not fit
    for (const Sketch& sketch : knobs) {
      const auto from = sketch.knobs->PointOf(rollout.state(first));
      const auto to = sketch.knobs->PointOf(rollout.state(one->sample));
      EXPECT_EQ(from.has_value(), to.has_value());
      if (!from) continue;
      int differ = 0;
      for (size_t i = 0; i < from->size(); ++i) differ += (*from)[i] != (*to)[i];
      EXPECT_EQ(differ, 1);
    }
  }
}

// Each step chooses the value with the best completion; the last decides all.
TEST_F(StateRolloutTest, GreedyRolloutsTakeTheBestOfEachDecision) {
  StateRollout rollout(space_, Speeds, 1);
  const std::vector<RolloutRequest> requests = {{root_, true}};
  double greedy = 0, drawn = 0;
  for (int i = 0; i < 20; ++i) {
    greedy += TwoSketchSeconds(rollout.state(rollout.Roll(requests, rng_)[0]->sample));
    drawn += TwoSketchSeconds(rollout.state(rollout.Roll(OfRoot(1), rng_)[0]->sample));
  }
  EXPECT_LT(greedy, drawn - 20 * 20);
}

TEST_F(StateRolloutTest, CollectsTheBestUnseen) {
  StateRollout rollout(space_, Speeds, 1);
  EXPECT_TRUE(rollout.best().empty());
  std::set<Key> seen;
  rollout.Collect(5, seen);
  rollout.Roll(OfRoot(200), rng_);
  const auto best = rollout.best();
  ASSERT_EQ(best.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(best, std::greater<>(), &ScoredState::score));
  seen.insert(best[0].key);
  rollout.Collect(5, seen);
  EXPECT_TRUE(rollout.best().empty());
  rollout.Evaluated({best[0].state, best[1].state});
  ASSERT_EQ(rollout.best().size(), 1u);
  EXPECT_EQ(rollout.best()[0].key, best[1].key);
}

TEST_F(StateRolloutTest, KeepsTheSchedulesThatItIsToldToKeep) {
  StateRollout rollout(space_, Speeds, 1);
  const auto rolled = rollout.Roll(OfRoot(3), rng_);
  rollout.Keep({rolled[1]->sample});
  EXPECT_NO_THROW(rollout.state(rolled[1]->sample));
  EXPECT_THROW(rollout.state(rolled[0]->sample), std::out_of_range);
  EXPECT_GT(rollout.Roll(OfRoot(1), rng_)[0]->sample, rolled[2]->sample);
}

TEST_F(StateRolloutTest, KnowsWhatWasMeasuredOfASample) {
  StateRollout rollout(space_, Speeds, 1);
  const auto rolled = rollout.Roll(OfRoot(2), rng_);
  const ScheduleState state = rollout.state(rolled[0]->sample);
  rollout.Note(TimedTrial(ProposalOf(rollout.state(rolled[1]->sample)), std::nullopt));
  rollout.Note(TimedTrial(ProposalOf(state), 0.25));
  rollout.Keep({});
  EXPECT_EQ(rollout.SecondsOf(rolled[0]->sample), 0.25);
  EXPECT_FALSE(rollout.SecondsOf(rolled[1]->sample));
}

TEST_F(StateRolloutTest, NoneAreJudgedWhereNoneAreAsked) {
  StateRollout rollout(space_, Speeds, 1);
  EXPECT_TRUE(rollout.Roll({}, rng_).empty());
}

}  // namespace
}  // namespace schedulegym
