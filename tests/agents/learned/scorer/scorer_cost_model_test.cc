#include "agents/learned/scorer/scorer_cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/learned/scorer/scorer_training.h"
#include "env/base/fault.h"
#include "tests/agents/learned/scorer/known_rows.h"
#include "tests/agents/learned/scorer/program_samples.h"

namespace schedulegym {
namespace {

std::vector<StateFeatures> StatesOf(const ProgramSet& programs, int position) {
  const auto task = TaskOf(programs.tasks[static_cast<size_t>(position)].info);
  std::vector<StateFeatures> states;
  for (const MeasuredProgram& program : programs.programs) {
    if (program.task != position) continue;
    states.emplace_back(ReplayText(task, program.trace).value());
  }
  return states;
}

ScorerModel TrainedOn(const std::string& spec, const ProgramSet& programs) {
  const Spec model = ModelSpec(spec);
  ScorerTraining training(model, DescribePrograms(programs, ReadScorerOptions(model), 1), {});
  while (!training.is_over()) training.Step();
  return ReadScorer(training.State());
}

// Five schedules of each product, the shorter the inner loop the slower.
ProgramSet Samples() { return SamplePrograms(3, {16, 8, 4, 2, 1}); }

TEST(ScorerCostModelTest, OrdersSchedulesAsItLearned) {
  for (const char* spec : {"mlp(width=16,epochs=60,rate=0.01,held_out=0)",
                           "tlp(width=16,epochs=60,rate=0.01,held_out=0)"}) {
    const ProgramSet programs = Samples();
    const auto model = MakeScorerCostModel(TrainedOn(spec, programs));
    const auto predictions = model->Predict(StatesOf(programs, 1));
    ASSERT_EQ(predictions.size(), 5);
    for (size_t i = 0; i + 1 < predictions.size(); ++i) {
      EXPECT_GT(predictions[i]->score, 0);
      EXPECT_LT(predictions[i]->score, predictions[i + 1]->score) << spec << i;
    }
    EXPECT_FALSE(predictions[0]->seconds);
    EXPECT_TRUE(model->Predict({}).empty());
  }
}

TEST(ScorerCostModelTest, ATargetWithoutAHeadIsRefused) {
  ProgramSet programs = Samples();
  const auto model = MakeScorerCostModel(TrainedOn("mlp(width=8,epochs=1,heads=target)", programs));
  EXPECT_EQ(model->Predict(StatesOf(programs, 0)).size(), 5);
  programs.tasks[0].info.target = SampleTargetText(5);
  EXPECT_THROW(model->Predict(StatesOf(programs, 0)), InputError);
  EXPECT_THROW(ReadScorerCostModel("/nowhere/t.model", {}, {}), InputError);
}

}  // namespace
}  // namespace schedulegym
