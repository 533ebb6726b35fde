#include "agents/decisions/decision_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/features/analytical_cost.h"
#include "env/schedule/loop_structure.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

class DecisionSearchTest : public testing::Test {
 protected:
  std::vector<std::optional<double>> Values(Worth worth, StagedModelOptions::Kind kind) {
    StagedCostModel model({kind}, Rng(1));
    const DecisionSearchContext ground = {space_, state_.shared_task(), memory_,
                                          &model, std::nullopt,         Rng(1)};
    return WorthBy(ground, worth)({state_});
  }

  TwoSketchSpace space_;
  SearchModelState memory_;
  ScheduleState state_ = ScheduleState::Initial(TwoSketchSpace::SmallTask());
};

TEST_F(DecisionSearchTest, WorthIsTheLogarithmOfSpeedOrMinusTheSeconds) {
  const double seconds = EstimateCost(state_).Seconds();
  const auto kind = StagedModelOptions::Kind::kAnalytical;
  EXPECT_NEAR(*Values(Worth::kLogSpeed, kind)[0], -std::log(seconds), 1e-9);
  EXPECT_NEAR(*Values(Worth::kMinusSeconds, kind)[0], -seconds, 1e-9 * seconds);
}

// Without seconds the inverse of the score is used.
TEST_F(DecisionSearchTest, ChanceHasAWorthToo) {
  const auto kind = StagedModelOptions::Kind::kRandom;
  const double speed = std::exp(*Values(Worth::kLogSpeed, kind)[0]);
  EXPECT_NEAR(*Values(Worth::kMinusSeconds, kind)[0], -1 / speed, 1e-9);
  EXPECT_GT(speed, 0);
  EXPECT_LT(speed, 1);
}

TEST_F(DecisionSearchTest, DoubtsAreThoseOfTreesAlone) {
  StagedCostModel model({.trusted_from = 3}, Rng(1));
  const DecisionSearchContext ground = {space_, state_.shared_task(), memory_,
                                        &model, std::nullopt,         Rng(1)};
  EXPECT_EQ(DoubtByFeatures(ground)(WithFeatures(std::vector{state_}))[0], std::nullopt);
  Rng rng(1);
  std::vector<MeasuredState> measured;
  for (int i = 0; i < 40; ++i) {
    const Result<ScheduleState> state = space_.Sample(state_.shared_task(), rng);
    if (!state) continue;
    measured.push_back({*state, StateKey(*state), TwoSketchSeconds(*state)});
  }
  model.Learn(measured);
  const std::optional<double> doubt = DoubtByFeatures(ground)(WithFeatures(std::vector{state_}))[0];
  ASSERT_TRUE(doubt.has_value());
  EXPECT_GT(*doubt, 0);
}

}  // namespace
}  // namespace schedulegym
