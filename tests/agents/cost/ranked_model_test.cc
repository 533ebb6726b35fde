#include "agents/cost/ranked_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

// Weight 0.5 at 64 samples, 2^(-276/64) = 0.0503 at 276, and below 0.05 at 277.
TEST(TransferWeightTest, HalvesWithEachPlan) {
  EXPECT_EQ(TransferWeight(0, 64), 1);
  EXPECT_EQ(TransferWeight(64, 64), 0.5);
  EXPECT_NEAR(TransferWeight(276, 64), 0.0503, 1e-4);
  EXPECT_EQ(TransferWeight(277, 64), 0);
}

// Two programs of one row each: with a margin the derivative starts at the margin.
TEST(MarginTest, StaysWithItsProgram) {
  FeatureMatrix matrix{{0, 1, 2, 3}, 1, "test"};
  RowGroups row_groups;
  const std::vector<double> margins = {3, 1, 2, 0};
  for (const double margin : margins) row_groups.Add(1, 1 + margin, 1);
  BoostingOptions options;
  options.gamma = 0;
  options.lambda = 0;
  options.most_rounds = 200;
  const BoostedTrees trees = BoostedTrees::Train(matrix, row_groups, options, {}, margins);
  // The residual of each is 1.
  for (const float left : trees.Predict(matrix)) EXPECT_NEAR(left, 1, 1e-3);
}

class RankedModelTest : public testing::Test {
 protected:
  RankedModelTest() { grid_.has_sketch = true; }

  std::string Taught() {
    const auto agent = GridAgent("autotvm(features=ansor)", grid_);
    for (int round = 0; round < 3; ++round) {
      std::vector<Trial> trials;
      for (const Proposal& one : agent->Propose(0, 16)) {
        trials.push_back(TimedTrial(one, AwayFrom({3, 4})(PlaceOf(one.state))));
      }
      agent->Learn(trials);
    }
    return agent->memory()->Save().value();
  }

  GridSpace grid_{9};
};

TEST_F(RankedModelTest, TheFirstPlanIsThatOfTheFile) {
  const std::string saved = Taught();
  const auto pupil = GridAgent("autotvm(features=ansor)", grid_);
  EXPECT_EQ(pupil->memory()->Kind(), kRankedKind);
  const auto other = GridAgent("autotvm(features=ansor,model=regression)", grid_);
  EXPECT_EQ(other->memory()->Kind(), kRegressedKind);
  pupil->memory()->Load(saved);
  EXPECT_EQ(pupil->memory()->Save(), saved);
  EXPECT_EQ(pupil->Propose(0, 1).at(0).note, "plan(from=model)");
  const auto untaught = GridAgent("autotvm(features=ansor)", grid_);
  EXPECT_EQ(untaught->Propose(0, 1).at(0).note, "plan(from=chance)");
}

TEST_F(RankedModelTest, BadInputIsRefused) {
  EXPECT_EQ(GridAgent("autotvm", grid_)->memory(), nullptr);
  for (const char* spec :
       {"autotvm(transfer=none.sgm)", "autotvm(features=ansor, transfer=none.sgm)",
        "autotvm(features=ansor, discount=0)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
  const auto pupil = GridAgent("autotvm(features=ansor)", grid_);
  EXPECT_THROW(pupil->memory()->Load("{}"), InputError);
}

}  // namespace
}  // namespace schedulegym
