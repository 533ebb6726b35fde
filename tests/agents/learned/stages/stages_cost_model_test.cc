#include "agents/learned/stages/stages_cost_model.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/learned/scorer/scorer_cost_model.h"
#include "agents/learned/stages/stage_beam.h"
#include "env/base/fault.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

class StagesCostModelTest : public testing::Test {
 protected:
  static ScorerModel NewModel() {
    const Spec spec = RequireSpec("model", "stages(features=ansor,task=none,width=8)");
    ProgramRows none = EmptyRows(ReadScorerOptions(spec));
    none.targets = {""};
    return NewScorerModel(spec, none, {}, Rng(3));
  }

  const std::shared_ptr<const TwoSketchSpace> space_ = std::make_shared<TwoSketchSpace>();
  const std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
};

TEST_F(StagesCostModelTest, ValuesWholeSchedulesAsTheBeamDoes) {
  ScorerModel model = NewModel();
  StageBeam beam(model, *space_, task_);
  Rng rng(2);
  std::vector<ScheduleState> states;
  std::vector<double> values;
  for (const ValuedPrefix& one : beam.Search(4, 64, rng, 1)) {
    states.push_back(beam.prefixes().StateAt(one.prefix).value());
    values.push_back(one.value);
  }
  const auto cost_model = MakeStagesCostModel(NewModel(), {space_});
  const auto predictions = cost_model->Predict(WithFeatures(states));
  ASSERT_EQ(predictions.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const auto expected = PredictionOf(model, static_cast<float>(values[i]));
    EXPECT_NEAR(predictions[i].value().score, expected.value().score, 1e-5) << i;
  }
  EXPECT_TRUE(cost_model->Predict({}).empty());
}

TEST_F(StagesCostModelTest, PredictsNothingOfWhatIsInNoSpace) {
  const auto cost_model = MakeStagesCostModel(NewModel(), {});
  const std::vector<ScheduleState> states = {ScheduleState::Initial(task_)};
  EXPECT_FALSE(cost_model->Predict(WithFeatures(states)).at(0));
  EXPECT_THROW(ReadAnyScorerCostModel("/nowhere/t.model", {}, {}), InputError);
}

}  // namespace
}  // namespace schedulegym
