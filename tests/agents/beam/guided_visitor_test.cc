#include "agents/beam/guided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "agents/decisions/decision_place.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

class GuidedVisitorTest : public testing::Test {
 protected:
  // Counts the evaluated states of a round, and those in parallel after that decision.
  void Visit(const GuidedEpisodes& options,
             const std::function<double(const ScheduleState&)>& speed) {
    const StateEvaluator evaluator = [&](const std::vector<ScheduleState>& states) {
      std::vector<std::optional<double>> values;
      for (const ScheduleState& state : states) {
        states_.push_back(state);
        values.emplace_back(std::log(speed(state)));
      }
      batches_.push_back(static_cast<int>(states.size()));
      return values;
    };
    StateRollout rollout(space_, evaluator, 1);
    auto root =
        FirstDecision(space_.Sketches(TwoSketchSpace::SmallTask()), DecisionOrder::kOutputsFirst);
    GuidedVisitor(std::move(root), options, Rng(1)).Visit(rollout);
  }

  TwoSketchSpace space_;
  std::vector<ScheduleState> states_;
  std::vector<int> batches_;
};

bool IsOfA(const ScheduleState& state) {
  return state.TraceText().find("split(stage=A") != std::string::npos;
}

TEST_F(GuidedVisitorTest, AllWalksShareABatchToTheEnd) {
  Visit({.samples = 10}, [](const ScheduleState&) { return 1.0; });
  EXPECT_EQ(batches_.front(), 2 * 10);
  EXPECT_EQ(batches_.size(), 6u);
}

TEST_F(GuidedVisitorTest, DepthEndsAWalk) {
  Visit({.samples = 10, .depth = 2}, [](const ScheduleState&) { return 1.0; });
  EXPECT_EQ(batches_.size(), 2u);
}

// Sketch 0 is three times as fast as sketch 1: three of four episodes choose it.
TEST_F(GuidedVisitorTest, WaysAreDrawnByPredictedSpeed) {
  Visit({.samples = 1000, .depth = 2},
        [](const ScheduleState& state) { return IsOfA(state) ? 3.0 : 1.0; });
  int of_a = 0, of_b = 0;
  for (size_t i = 2000; i < states_.size(); ++i) ++(IsOfA(states_[i]) ? of_a : of_b);
  // 3 choices in sketch 0, 8 in sketch 1.
  EXPECT_NEAR(of_a / 3.0, 750, 60);
  EXPECT_NEAR(of_b / 8.0, 250, 60);
}

}  // namespace
}  // namespace schedulegym
