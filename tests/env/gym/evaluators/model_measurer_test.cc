#include "env/gym/evaluators/model_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"
#include "env/features/estimated_seconds.h"
#include "env/gym/evaluators/evaluation_result.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Scores a schedule by the steps of its trace; cannot score one of more than two steps.
class StepsModel : public CostModel {
 public:
  explicit StepsModel(std::vector<size_t>& batches) : batches_(batches) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    batches_.push_back(states.size());
    std::vector<std::optional<Prediction>> predictions(states.size());
    for (size_t i = 0; i < states.size(); ++i) {
      const int steps = states[i].state().trace_size();
      if (steps <= 2) predictions[i] = Prediction{.score = 1.0 + steps};
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState>) override { ADD_FAILURE() << "it learns"; }

 private:
  std::vector<size_t>& batches_;
};

class ModelMeasurerTest : public testing::Test {
 protected:
  ModelMeasurer Make(const std::vector<ScheduleState>& references) {
    return {"a.model", std::make_unique<StepsModel>(batches_), references};
  }
  // The schedule after `steps` steps.
  static ScheduleState After(const std::shared_ptr<const Task>& task, int steps) {
    std::string text;
    for (int i = 0; i < steps; ++i) text += "split(stage=A, loop=0, lengths=[2])\n";
    return StateAfter(task, text);
  }

  std::shared_ptr<const Task> task_ = TaskOf("input X[64]\nA[i:64] = X[i] + 1\n");
  std::shared_ptr<const Task> other_ = TaskOf("input X[32]\nA[i:32] = X[i] + 1\n");
  std::vector<size_t> batches_;
};

// Scores whose differences have infinite exponentials.
class HugeModel : public CostModel {
 public:
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& state : states) {
      predictions.emplace_back(Prediction{.score = 1e6 * state.state().trace_size()});
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState>) override {}
};

TEST_F(ModelMeasurerTest, NoSpeedIsNoMeasurement) {
  ModelMeasurer measurer("huge", std::make_unique<HugeModel>(), std::vector{After(task_, 1)});
  const Candidate candidates[] = {{After(task_, 2)}, {After(task_, 0)}, {After(task_, 1)}};
  const std::vector<Measurement> measurements = measurer.Measure(candidates);
  EXPECT_EQ(measurements[0].outcome, Outcome::kInvalidSchedule);
  EXPECT_EQ(measurements[1].outcome, Outcome::kInvalidSchedule);
  EXPECT_DOUBLE_EQ(measurements[2].timing.value().ratio.median, 1);
}

TEST_F(ModelMeasurerTest, SpeedIsTheExponentialOfTheScoreOverTheReferences) {
  ModelMeasurer measurer = Make({After(task_, 1), After(other_, 0)});
  batches_.clear();
  const Candidate candidates[] = {{After(task_, 0)}, {After(other_, 2)}, {After(task_, 2)}};
  const std::vector<Measurement> measurements = measurer.Measure(candidates);
  ASSERT_EQ(measurements.size(), 3u);
  EXPECT_DOUBLE_EQ(measurements[0].timing.value().ratio.median, std::exp(-1));
  EXPECT_DOUBLE_EQ(measurements[1].timing.value().ratio.median, std::exp(2));
  EXPECT_DOUBLE_EQ(measurements[2].timing.value().ratio.median, std::exp(1));
  EXPECT_EQ(measurements[2].timing->ratio.low, measurements[2].timing->ratio.high);
  EXPECT_DOUBLE_EQ(measurements[2].timing->seconds, EstimateSeconds(After(task_, 1)) / std::exp(1))
      << "scores have no unit, and records are read again by their seconds";
  EXPECT_THAT(batches_, testing::UnorderedElementsAre(1, 2)) << "a batch for each task";
}

// Each step halves the speed.
class HalvingModel : public CostModel {
 public:
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& one : states) {
      const double speed = std::exp2(-one.state().trace_size());
      predictions.emplace_back(
          Prediction{.score = 100 * speed, .seconds = 3 / speed, .speed = speed});
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState>) override { ADD_FAILURE() << "it learns"; }
};

TEST_F(ModelMeasurerTest, SpeedsAreComparedWithTheReferencesWhereTheModelHasThem) {
  const ScheduleState reference = After(task_, 2);
  ModelMeasurer measurer("a.model", std::make_unique<HalvingModel>(), {&reference, 1});
  const Candidate candidates[] = {{After(task_, 0)}, {After(task_, 3)}};
  const std::vector<Measurement> measurements = measurer.Measure(candidates);
  EXPECT_DOUBLE_EQ(measurements.at(0).timing.value().ratio.median, 4);
  EXPECT_DOUBLE_EQ(measurements.at(1).timing.value().ratio.median, 0.5);
  EXPECT_DOUBLE_EQ(measurements.at(1).timing->seconds, 24);
}

// The model is uncertain about a quarter of the speed.
class DoubtfulModel : public CostModel {
 public:
  explicit DoubtfulModel(bool has_speed) : has_speed_(has_speed) {}
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    Prediction prediction = {.score = 2, .spread = 0.5};
    if (has_speed_) prediction.speed = 2;
    return std::vector<std::optional<Prediction>>(states.size(), prediction);
  }
  void Learn(std::span<const MeasuredState>) override { ADD_FAILURE() << "it learns"; }

 private:
  bool has_speed_;
};

TEST_F(ModelMeasurerTest, TheIntervalIsTheModelsDoubt) {
  const ScheduleState reference = After(task_, 0);
  for (const auto& [has_speed, doubt] : {std::pair(true, 0.25), {false, std::exp(0.5) - 1}}) {
    ModelMeasurer measurer("a.model", std::make_unique<DoubtfulModel>(has_speed), {&reference, 1});
    const Candidate candidate = {reference};
    const Measurement one = measurer.Measure({&candidate, 1}).at(0);
    EXPECT_DOUBLE_EQ(one.timing->ratio.high, 1 + doubt);
    EXPECT_DOUBLE_EQ(one.timing->ratio.low, 1 / (1 + doubt));
    const EvaluationResult result = EvaluationResultOf(one);
    EXPECT_DOUBLE_EQ(result.doubt.value(), doubt);
    EXPECT_EQ(result.speed, RatioInterval());
  }
}

TEST_F(ModelMeasurerTest, WhatItCannotScoreIsInvalid) {
  ModelMeasurer measurer = Make({After(task_, 0)});
  const Candidate candidate = {After(task_, 3)};
  const Measurement measurement = measurer.Measure({&candidate, 1}).at(0);
  EXPECT_EQ(measurement.outcome, Outcome::kInvalidSchedule);
  EXPECT_NE(measurement.message, "");
}

TEST_F(ModelMeasurerTest, NothingWasMeasured) {
  ModelMeasurer measurer = Make({After(task_, 0)});
  const Candidate candidate = {After(task_, 1)};
  const Measurement measurement = measurer.Measure({&candidate, 1}).at(0);
  EXPECT_EQ(MeasurerOf(measurement), "model");
  EXPECT_FALSE(WasMeasured(measurement));
  EXPECT_EQ(measurement.session->toolchain, "a.model");
}

TEST_F(ModelMeasurerTest, AReferenceThatItCannotScoreIsRefused) {
  EXPECT_THROW(Make({After(task_, 3)}), InputError);
}

}  // namespace
}  // namespace schedulegym
