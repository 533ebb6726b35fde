#include "agents/learned/scorer/adapting_model.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/learned/scorer/scorer_training.h"
#include "env/schedule/loop_structure.h"
#include "tests/agents/learned/scorer/known_rows.h"
#include "tests/agents/learned/scorer/program_samples.h"

namespace schedulegym {
namespace {

TEST(MoveTowardsTest, TheSlowFollowTheFast) {
  const std::vector<at::Tensor> slow = {at::full({2}, 1.0)}, fast = {at::full({2}, 3.0)};
  MoveTowards(slow, fast, 0.99);
  EXPECT_NEAR(slow[0][1].item<double>(), 1.02, 1e-6);
  MoveTowards(slow, fast, 0.99);
  EXPECT_NEAR(slow[0][1].item<double>(), 1.0398, 1e-6);
}

// The model learns that later schedules are faster; on the machine the order is reversed.
class AdaptingModelTest : public testing::Test {
 protected:
  static constexpr int kSchedules = 6;

  AdaptingModelTest() {
    const ProgramSet programs = SamplePrograms(2, {32, 16, 8, 4, 2, 1});
    task_ = TaskOf(programs.tasks[1].info);
    for (int i = 0; i < kSchedules; ++i) {
      states_.push_back(
          ReplayText(task_, programs.programs[static_cast<size_t>(kSchedules + i)].trace).value());
    }
    programs_ = programs;
  }

  ScorerModel Trained(const std::string& adapt) const {
    const Spec spec = ModelSpec("mlp(width=16,epochs=40,rate=0.01,held_out=0,adapt=" + adapt + ")");
    ScorerTraining training(spec, DescribePrograms(programs_, ReadScorerOptions(spec), 1), {});
    while (!training.is_over()) training.Step();
    return ReadScorer(training.State());
  }
  // Learns the schedules in turn under new keys; the first is the fastest.
  void Learn(LearningModel& model, int count, int& next) const {
    for (int i = 0; i < count; ++i, ++next) {
      const auto at = static_cast<size_t>(next % kSchedules);
      const MeasuredState one = {states_[at], Key{7, static_cast<uint64_t>(next)},
                                 static_cast<double>(1 << at)};
      model.Learn({&one, 1});
    }
  }
  // Score of the first schedule minus that of the last.
  double Lead(LearningModel& model) const {
    const auto predictions = model.Predict(WithFeatures(states_));
    return predictions.front()->score - predictions.back()->score;
  }

  ProgramSet programs_;
  std::shared_ptr<const Task> task_;
  std::vector<ScheduleState> states_;
};

TEST_F(AdaptingModelTest, NoneStaysAsItIs) {
  const auto model = MakeAdaptingModel(Trained("none"));
  const double lead = Lead(*model);
  EXPECT_LT(lead, 0);
  int next = 0;
  Learn(*model, 60, next);
  EXPECT_EQ(Lead(*model), lead);
  EXPECT_EQ(model->progress().trainings, 0);
  EXPECT_EQ(model->progress().samples, 60);
  EXPECT_EQ(model->memory()->Save(), std::nullopt);
}

TEST_F(AdaptingModelTest, LearnsOnceEnoughIsNew) {
  for (const char* adapt : {"tune", "momentum"}) {
    const auto model = MakeAdaptingModel(Trained(adapt));
    EXPECT_TRUE(model->progress().is_trained);
    int next = 0;
    Learn(*model, 15, next);
    const double before = Lead(*model);
    EXPECT_EQ(model->progress().trainings, 0);
    Learn(*model, 1, next);
    EXPECT_GT(Lead(*model), before) << adapt;
    EXPECT_EQ(model->progress().trainings, 1);
    Learn(*model, 15, next);
    Lead(*model);
    EXPECT_EQ(model->progress().trainings, 1) << "16 more are due";
  }
}

TEST_F(AdaptingModelTest, HowItLearnsIsAnOption) {
  const auto trained = [&](const std::string& more) {
    auto model = MakeAdaptingModel(Trained("tune" + more));
    int next = 0;
    Learn(*model, 16, next);
    return model;
  };
  const auto untouched = MakeAdaptingModel(Trained("none"));
  const double before = Lead(*untouched);
  const auto still = trained(",tune_optimiser=sgd,tune_rate=1e-8");
  EXPECT_LT(Lead(*still), 0) << "in the order of before";
  EXPECT_EQ(still->progress().trainings, 1);
  const auto short_one = trained(",tune_steps=1"), whole = trained("");
  EXPECT_GT(Lead(*short_one), before);
  EXPECT_GT(Lead(*whole), Lead(*short_one)) << "ten steps";
  EXPECT_GT(Lead(*whole), Lead(*still));
  const auto seldom = trained(",tune_new=40,tune_part=0");
  EXPECT_EQ(Lead(*seldom), before);
  int next = 16;
  Learn(*seldom, 24, next);
  EXPECT_NE(Lead(*seldom), before);
  EXPECT_EQ(seldom->progress().trainings, 1);
}

TEST_F(AdaptingModelTest, OnlyTuningTurnsItOverInTheEnd) {
  const auto tuned = MakeAdaptingModel(Trained("tune"));
  const auto slow = MakeAdaptingModel(Trained("momentum,momentum=1"));
  int next = 0, again = 0;
  for (int turn = 0; turn < 12; ++turn) {
    Learn(*tuned, 60, next);
    Learn(*slow, 60, again);
    tuned->TrainNow();
    slow->TrainNow();
  }
  EXPECT_GT(Lead(*tuned), 0);
  EXPECT_GT(Lead(*tuned), Lead(*slow)) << "which begins anew each time";
}

TEST_F(AdaptingModelTest, EqualSamplesGiveEqualWeights) {
  const auto one = MakeAdaptingModel(Trained("momentum"));
  const auto two = MakeAdaptingModel(Trained("momentum"));
  int next = 0;
  Learn(*one, 40, next);
  next = 0;
  Learn(*two, 20, next);
  const auto rest = MakeAdaptingModel(Trained("momentum"));
  Learn(*rest, 20, next);
  const LearningModel* others[] = {rest.get()};
  const auto joined = two->JoinedWith(others);
  EXPECT_EQ(joined->progress().samples, 40);
  EXPECT_EQ(one->memory()->Save().value(), joined->memory()->Save().value());
  const auto loaded = MakeAdaptingModel(Trained("momentum"));
  loaded->memory()->Load(one->memory()->Save().value());
  EXPECT_EQ(Lead(*loaded), Lead(*one));
}

}  // namespace
}  // namespace schedulegym
