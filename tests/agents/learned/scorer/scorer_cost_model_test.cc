#include "agents/learned/scorer/scorer_cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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

// Five schedules of each product; shorter inner loops are slower.
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

TEST(PredictionOfTest, FollowsTheLabel) {
  ScorerModel model;
  model.line = {2, 1};
  EXPECT_NEAR(PredictionOf(model, 0.5F)->speed.value(), std::exp(2), 1e-6);
  model.options.label = ProgramLabel::kLogarithm;
  EXPECT_NEAR(PredictionOf(model, 0.5F)->speed.value(), std::exp(0.5), 1e-6);
  model.options.label = ProgramLabel::kReference;
  EXPECT_NEAR(PredictionOf(model, 0.5F)->speed.value(), 0.5, 1e-9);
  // Scores below the floor of the labels keep their order.
  const double at = PredictionOf(model, 0.01F)->score, below = PredictionOf(model, -0.01F)->score;
  EXPECT_NEAR(at, 0.01, 1e-6);
  EXPECT_TRUE(below > 0 && below < at);
}

// Speeds over the reference of 0.5 to 8 are learned unscaled, so that seconds follow. The error of
// one speed for all, the middle one, is 2.1.
TEST(ScorerCostModelTest, SpeedsOverTheReferenceAreLearned) {
  ProgramSet programs = Samples();
  for (MeasuredProgram& program : programs.programs) {
    const double ratio = 8 / program.seconds;
    program.ratio = {ratio, ratio, ratio};
  }
  for (const char* spec :
       {"mlp(label=logarithm,loss=plain_mse,lists=batch,width=32,epochs=400,"
        "patience=400,rate=0.005,held_out=0)",
        "mlp(label=reference,loss=plain_mse,lists=batch,width=32,epochs=400,patience="
        "400,rate=0.005,held_out=0)"}) {
    const auto model = MakeScorerCostModel(TrainedOn(spec, programs));
    const auto predictions = model->Predict(StatesOf(programs, 1));
    double error = 0;
    for (size_t i = 0; i < predictions.size(); ++i) {
      const double expected = programs.programs[5 + i].ratio.median;
      error += std::abs(predictions[i]->speed.value() - expected) / 5;
    }
    EXPECT_LT(error, 1) << spec;
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
