#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "env/base/fault.h"
#include "env/schedule/loop_structure.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

std::vector<ScheduleState> Draw(const std::shared_ptr<const Task>& task, int count, uint64_t seed) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  Rng rng(seed);
  std::vector<ScheduleState> states;
  while (static_cast<int>(states.size()) < count) {
    Result<ScheduleState> state = space->Sample(task, rng);
    if (state) states.push_back(*std::move(state));
  }
  return states;
}

std::shared_ptr<const Task> Matmul() {
  return WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
}

// A machine that behaves as the analytical model predicts, so that the target is known.
double SecondsOf(const ScheduleState& state) { return EstimateCost(state).Seconds(); }

std::vector<MeasuredState> Measured(const std::vector<ScheduleState>& states) {
  std::vector<MeasuredState> measured;
  for (const ScheduleState& state : states) {
    measured.push_back({state, StateKey(state), SecondsOf(state)});
  }
  return measured;
}

// Scores of states of one task.
std::vector<std::optional<double>> Scores(CostModel& model, std::span<const ScheduleState> states) {
  return ScoresOf(model.Predict(WithFeatures(states)));
}

// The share of pairs that the scores order correctly; 0.5 at random.
double RightOrder(CostModel& model, const std::vector<ScheduleState>& states) {
  const auto scores = Scores(model, states);
  int right = 0, pairs = 0;
  for (size_t i = 0; i < states.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double difference = SecondsOf(states[j]) - SecondsOf(states[i]);
      if (difference == 0) continue;
      ++pairs;
      right += (*scores[i] - *scores[j]) * difference > 0;
    }
  }
  return static_cast<double>(right) / pairs;
}

BoostingOptions Quick() {
  BoostingOptions options;
  options.most_rounds = 60;
  return options;
}

TEST(BoostedCostModelTest, OrdersSchedulesThatItHasNotSeen) {
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  model.Learn(Measured(Draw(Matmul(), 200, 1)));
  EXPECT_GT(RightOrder(model, Draw(Matmul(), 100, 2)), 0.75);
}

TEST(BoostedCostModelTest, JudgesNothingBeforeItHasLearned) {
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  const auto states = Draw(Matmul(), 3, 1);
  EXPECT_THAT(Scores(model, states), testing::Each(std::nullopt));
}

TEST(BoostedCostModelTest, OneModelServesSeveralTasks) {
  const auto other = WorkloadTask("conv2d(h=14,w=14,ci=8,co=8,k=3,p=1)", Avx2Target(2));
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  model.Learn(Measured(Draw(Matmul(), 150, 1)));
  model.Learn(Measured(Draw(other, 150, 1)));
  EXPECT_GT(RightOrder(model, Draw(Matmul(), 60, 2)), 0.75);
  EXPECT_GT(RightOrder(model, Draw(other, 60, 2)), 0.75);
}

TEST(BoostedCostModelTest, JudgesWhereSomeFailed) {
  const auto states = Draw(Matmul(), 120, 1);
  std::vector<MeasuredState> measured = Measured(states);
  // Every schedule with a cache fails.
  for (MeasuredState& one : measured) {
    if (one.state.Find("C.local") >= 0) one.seconds.reset();
  }
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  model.Learn(measured);
  for (const auto& score : Scores(model, states)) EXPECT_TRUE(score.has_value());
}

TEST(BoostedCostModelTest, TrainsWhenTheCadenceSays) {
  const auto states = Draw(Matmul(), 22, 1);
  const std::vector<MeasuredState> measured = Measured(states);
  const auto learn = [&](CostModel& model, size_t begin, size_t end) {
    model.Learn(std::span(measured).subspan(begin, end - begin));
  };
  BoostedCostModel always({TrainingCadence::kAlways, Quick()});
  BoostedCostModel adaptive({TrainingCadence::kAdaptive, Quick()});
  for (BoostedCostModel* model : {&always, &adaptive}) {
    learn(*model, 0, 20);
    EXPECT_EQ(model->progress().trainings, 0);  // nothing was predicted yet
    Scores(*model, states);
    learn(*model, 20, 21);
    Scores(*model, states);
    Scores(*model, states);
    learn(*model, 21, 22);
    Scores(*model, states);
  }
  EXPECT_EQ(always.progress().trainings, 3);
  // A fifth of 20 is four.
  EXPECT_EQ(adaptive.progress().trainings, 1);
}

TEST(BoostedCostModelTest, PredictionsHaveASpread) {
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  model.Learn(Measured(Draw(Matmul(), 60, 1)));
  for (const auto& one : model.Predict(WithFeatures(Draw(Matmul(), 20, 2)))) {
    ASSERT_TRUE(one && one->spread);
    EXPECT_GT(*one->spread, 0);
    EXPECT_LT(*one->spread, 0.5);
  }
}

// Unseen schedules whose seconds differ by a factor of about a thousand; most within a third.
TEST(BoostedCostModelTest, LogSecondsTellSlowSchedulesApart) {
  const auto states = Draw(Matmul(), 360, 3);
  const std::vector<ScheduleState> known(states.begin(), states.begin() + 300);
  const std::vector<ScheduleState> unseen(states.begin() + 300, states.end());
  const auto error_of = [&](BoostedLabel label) {
    BoostedCostModel model({TrainingCadence::kAlways, Quick(), ModelFeatures::kAnsor, label});
    model.Learn(Measured(known));
    EXPECT_GT(RightOrder(model, unseen), 0.8);
    std::vector<double> errors;
    const auto predictions = model.Predict(WithFeatures(unseen));
    for (size_t i = 0; i < unseen.size(); ++i) {
      errors.push_back(std::abs(std::log(*predictions[i]->seconds / SecondsOf(unseen[i]))));
    }
    std::ranges::nth_element(errors, errors.begin() + 30);
    return errors[30];
  };
  const double by_log = error_of(BoostedLabel::kLogSeconds);
  EXPECT_LT(by_log, std::log(1.5));
  EXPECT_LT(by_log, error_of(BoostedLabel::kSpeed));
}

// With either label: failures have no seconds, so their errors have no weight.
TEST(BoostedCostModelTest, FailuresChangeNothing) {
  const auto states = Draw(Matmul(), 120, 4);
  const auto successes = Measured({states.begin(), states.begin() + 60});
  auto failures = Measured({states.begin() + 60, states.end()});
  for (MeasuredState& one : failures) one.seconds.reset();
  const auto change_of = [&](BoostedLabel label) {
    BoostedCostModel without({TrainingCadence::kAlways, Quick(), ModelFeatures::kAnsor, label});
    BoostedCostModel with({TrainingCadence::kAlways, Quick(), ModelFeatures::kAnsor, label});
    without.Learn(successes);
    with.Learn(successes);
    with.Learn(failures);
    const auto those = WithFeatures({states.begin() + 60, states.end()});
    const auto told = with.Predict(those), untold = without.Predict(those);
    double change = 0;
    for (size_t i = 0; i < those.size(); ++i) {
      change += std::log(*told[i]->seconds / *untold[i]->seconds) / 60;
    }
    return change;
  };
  EXPECT_LT(std::abs(change_of(BoostedLabel::kSpeed)), std::log(1.2));
  EXPECT_LT(std::abs(change_of(BoostedLabel::kLogSeconds)), std::log(1.2));
}

// Without retraining, seconds do not depend on better measurements since.
TEST(BoostedCostModelTest, SecondsAreThoseOfTheLastTraining) {
  const auto states = Draw(Matmul(), 41, 6);
  auto measured = Measured(states);
  measured[40].seconds = *measured[0].seconds / 1e6;
  BoostedCostModel model({TrainingCadence::kAdaptive, Quick()});
  model.Learn(std::span(measured).first(40));
  const std::span asked = std::span(states).subspan(1, 1);
  const auto before = model.Predict(WithFeatures(asked));
  model.Learn(std::span(measured).last(1));
  EXPECT_EQ(*model.Predict(WithFeatures(asked))[0]->seconds, *before[0]->seconds);
  EXPECT_EQ(model.progress().trainings, 1);
}

TEST(BoostedCostModelTest, TreesOfAnotherLabelAreRefused) {
  BoostedCostModel speeds({TrainingCadence::kAlways, Quick()});
  speeds.Learn(Measured(Draw(Matmul(), 20, 5)));
  BoostedCostModel logs(
      {TrainingCadence::kAlways, Quick(), ModelFeatures::kAnsor, BoostedLabel::kLogSeconds});
  EXPECT_THROW(logs.Load(*speeds.ToText()), InputError);
}

TEST(BoostedCostModelTest, LearningNothingTrainsNothing) {
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  model.Learn({});
  model.Predict({});
  EXPECT_EQ(model.progress().trainings, 0);
}

TEST(BoostedCostModelTest, IsSavedAndLoaded) {
  const TemporaryFolder folder;
  const auto states = Draw(Matmul(), 40, 1);
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  EXPECT_FALSE(model.ToText().has_value());
  model.Learn(Measured(states));
  std::ofstream(folder.Path("model.json")) << *model.ToText();
  BoostedCostModel other({TrainingCadence::kAlways, Quick()});
  other.LoadFile(folder.Path("model.json"));
  EXPECT_EQ(Scores(other, states), Scores(model, states));
}

// Loaded trees are replaced by trees of the new task once it has enough samples.
TEST(BoostedCostModelTest, WhatWasLoadedJudgesUntilThereAreEnoughSamples) {
  const TemporaryFolder folder;
  const auto states = Draw(Matmul(), 40, 1);
  BoostedCostModel model({TrainingCadence::kAlways, Quick()});
  model.Learn(Measured(states));
  std::ofstream(folder.Path("model.json")) << *model.ToText();
  BoostedCostModel other(
      {.cadence = TrainingCadence::kAlways, .trees = Quick(), .adapted_from = 10});
  other.LoadFile(folder.Path("model.json"));
  const std::vector<MeasuredState> more = Measured(Draw(Matmul(), 10, 2));
  other.Learn(std::span(more).first(9));
  EXPECT_EQ(Scores(other, states), Scores(model, states));
  EXPECT_EQ(other.ToText(), model.ToText());
  other.Learn(std::span(more).last(1));
  EXPECT_NE(Scores(other, states), Scores(model, states));
  EXPECT_EQ(other.progress().trainings, 1);
}

TEST(BoostedCostModelTest, CorrectionsBeginWithWhatTheEstimateSays) {
  BoostedCostModel model({.trees = Quick(),
                          .features = ModelFeatures::kEstimated,
                          .label = BoostedLabel::kCorrection});
  const auto states = Draw(Matmul(), 80, 7);
  std::vector<MeasuredState> measured = Measured({states.begin(), states.begin() + 60});
  for (MeasuredState& one : measured) *one.seconds *= 3;  // one factor for all: nothing to rank by
  model.Learn(measured);
  const std::vector<ScheduleState> unseen(states.begin() + 60, states.end());
  EXPECT_GT(RightOrder(model, unseen), 0.99);
  const auto told = model.Predict(WithFeatures(unseen));
  for (size_t i = 0; i < unseen.size(); ++i) {
    EXPECT_NEAR(*told[i]->seconds, SecondsOf(unseen[i]), 0.02 * SecondsOf(unseen[i]));
    EXPECT_DOUBLE_EQ(*told[i]->speed * *told[i]->seconds, 1);
  }
}

TEST(BoostedCostModelTest, NewTreesCorrectThoseOfAFile) {
  const TemporaryFolder folder;
  const auto states = Draw(Matmul(), 120, 8);
  BoostedCostModel teacher({.trees = Quick()});
  teacher.Learn(Measured({states.begin(), states.begin() + 100}));
  std::ofstream(folder.Path("model.json")) << *teacher.ToText();
  BoostedCostModel model({.trees = BoostingOptions::Gentle(),
                          .adaptation = BoostedAdaptation::kResidual,
                          .adapted_from = 10});
  model.LoadFile(folder.Path("model.json"));
  const std::vector<MeasuredState> own = Measured({states.begin() + 100, states.begin() + 110});
  model.Learn(std::span(own).first(9));
  EXPECT_EQ(Scores(model, states), Scores(teacher, states));
  model.Learn(std::span(own).last(1));
  EXPECT_NE(Scores(model, states), Scores(teacher, states));
  BoostedCostModel alone({.trees = BoostingOptions::Gentle()});
  alone.Learn(own);
  const std::vector<ScheduleState> taught(states.begin(), states.begin() + 100);
  EXPECT_GT(RightOrder(model, taught), RightOrder(alone, taught) + 0.05)
      << "what the file knew is not forgotten";
  BoostedCostModel again({.trees = Quick()});
  again.Load(*model.ToText());
  EXPECT_EQ(Scores(again, states), Scores(model, states)) << "saved whole";
}

// Equal to one model that has learned from all samples.
TEST(BoostedCostModelTest, TwoBecomeOne) {
  const auto other = WorkloadTask("conv2d(h=14,w=14,ci=8,co=8,k=3,p=1)", Avx2Target(2));
  const auto products = Measured(Draw(Matmul(), 30, 1));
  const auto convolutions = Measured(Draw(other, 30, 1));
  BoostedCostModel both({TrainingCadence::kAlways, Quick()});
  BoostedCostModel one = both, two = both;
  both.Learn(products);
  both.Learn(convolutions);
  one.Learn(products);
  two.Learn(convolutions);
  Scores(one, Draw(Matmul(), 1, 1));
  one.Add(two);
  EXPECT_EQ(one.progress().samples, 60);
  EXPECT_EQ(one.ToText(), both.ToText());
}

// The last few samples do not reach the cadence, but no others follow.
TEST(BoostedCostModelTest, WhatIsSavedKnowsAllSamples) {
  const std::vector<MeasuredState> measured = Measured(Draw(Matmul(), 21, 1));
  BoostedCostModel adaptive({TrainingCadence::kAdaptive, Quick()});
  adaptive.Learn(std::span(measured).first(20));
  adaptive.ToText();
  adaptive.Learn(std::span(measured).last(1));
  adaptive.ToText();
  adaptive.ToText();
  EXPECT_EQ(adaptive.progress().trainings, 2);
}

TEST(AnalyticalCostModelTest, ScoresAreRunsASecond) {
  AnalyticalCostModel model;
  const auto states = Draw(Matmul(), 20, 1);
  const auto scores = Scores(model, states);
  for (size_t i = 0; i < states.size(); ++i) {
    EXPECT_DOUBLE_EQ(*scores[i], 1 / SecondsOf(states[i]));
  }
  for (const auto& one : model.Predict(WithFeatures(states))) EXPECT_FALSE(one->spread);
  model.Learn(Measured(states));
  EXPECT_EQ(Scores(model, states), scores);
}

}  // namespace
}  // namespace schedulegym
