#include "agents/mcts/tree_visitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "agents/decisions/decision_place.h"
#include "env/features/analytical_cost.h"
#include "env/schedule/loop_structure.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

class TreeVisitorTest : public testing::Test {
 protected:
  DecisionSearchContext Ground() { return {space_, task_, memory_, &model_, std::nullopt, Rng(1)}; }

  TwoSketchSpace space_;
  std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  StagedCostModel model_{{.trusted_from = 10}, Rng(1)};
  SearchModelState memory_;
  std::shared_ptr<const TreePlace> root_ =
      FirstDecision(space_.Sketches(task_), DecisionOrder::kOutputsFirst);
  StateRollout rollout_{space_, WorthBy(Ground(), Worth::kLogSpeed), 1};
};

TEST_F(TreeVisitorTest, ARoundIsSoManyRollouts) {
  TreeVisitor visitor(Ground(), root_, {.iterations = 100});
  EXPECT_EQ(visitor.trees(), nullptr);
  visitor.Visit(rollout_);
  EXPECT_EQ(rollout_.evaluated(), 100);
  EXPECT_EQ(visitor.trees()->at(0).root().visits, 100);
}

TEST_F(TreeVisitorTest, TreesAreUsedAgainWhileScoresStayTheSame) {
  TreeVisitor visitor(Ground(), root_, {.iterations = 50});
  visitor.Visit(rollout_);
  visitor.Visit(rollout_);
  EXPECT_EQ(visitor.trees()->at(0).root().visits, 100);
  std::vector<MeasuredState> measured;
  Rng rng(2);
  for (int i = 0; i < 20; ++i) {
    const ScheduleState state = space_.Sample(task_, rng).value();
    measured.push_back({state, StateKey(state), TwoSketchSeconds(state)});
  }
  model_.Learn(measured);
  visitor.Visit(rollout_);
  EXPECT_EQ(visitor.trees()->at(0).root().visits, 50);
  TreeVisitor fresh(Ground(), root_, {.iterations = 50, .reuse = false});
  fresh.Visit(rollout_);
  fresh.Visit(rollout_);
  EXPECT_EQ(fresh.trees()->at(0).root().visits, 50);
}

// The best measured schedule has a poor estimate, but its neighbours are visited.
TEST_F(TreeVisitorTest, NeighboursOfTheBestMeasuredAreVisited) {
  const Sketch sketch = space_.Sketches(task_)[1];
  const ScheduleState known = sketch.knobs->At({2, 1}).value();
  memory_.Take(KnownTrial(known, 0.001));
  const std::set<Key> none;
  rollout_.Collect(1000, none);
  TreeVisitor visitor(Ground(), root_, {.ensemble = {.near = 0.5}, .iterations = 4});
  visitor.Visit(rollout_);
  bool has = false;
  for (const ScoredState& one : rollout_.best()) has |= one.key == StateKey(known);
  EXPECT_TRUE(has);
  TreeVisitor without(Ground(), root_, {.iterations = 4});
  const int64_t before = rollout_.evaluated();
  without.Visit(rollout_);
  EXPECT_EQ(rollout_.evaluated() - before, 4);
}

TEST_F(TreeVisitorTest, PriorsAreSharesOfPredictedSpeed) {
  const PriorOf prior = ModelPrior(rollout_, Rng(1));
  // At the last decision each choice is one schedule.
  const auto place = root_->After(1)->After(1);
  const std::vector<double> priors = prior(*place);
  ASSERT_EQ(static_cast<int>(priors.size()), place->choices());
  EXPECT_NEAR(std::accumulate(priors.begin(), priors.end(), 0.0), 1, 1e-12);
  Rng rng(1);
  const auto speed = [&](int choice) {
    return 1 / EstimateCost(place->After(choice)->Complete(rng).value()).Seconds();
  };
  EXPECT_NEAR(priors[2] / priors[0], speed(2) / speed(0), 1e-9);
}

TEST_F(TreeVisitorTest, WaysThatLeadNowhereHaveALittlePrior) {
  const PriorOf prior = ModelPrior(rollout_, Rng(1));
  const auto place = root_->After(0)->After(0)->After(0)->After(5);  // beside a length of 8
  const std::vector<double> priors = prior(*place);
  EXPECT_GT(priors[1], 0);
  EXPECT_LT(priors[1], 0.11 * priors[0]);
}

}  // namespace
}  // namespace schedulegym
