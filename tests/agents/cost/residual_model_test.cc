#include "agents/cost/residual_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

// The inner length of a state's split.
int64_t LengthOf(const ScheduleState& state) {
  return std::get<Split>(state.step(0)).lengths.at(0);
}

// Predicts speeds that fall with the length; nullopt above `most`.
class FallingModel : public CostModel {
 public:
  explicit FallingModel(int64_t most = 1'000'000) : most_(most) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& state : states) {
      const int64_t length = LengthOf(state.state());
      const double speed = 1 / static_cast<double>(length);
      predictions.push_back(length > most_
                                ? std::nullopt
                                : std::optional(Prediction{.score = speed, .speed = speed}));
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  int64_t most_;
};

class ResidualModelTest : public testing::Test {
 protected:
  ScheduleState StateOf(int64_t length) const {
    return Apply(ScheduleState::Initial(task_), Split{{1}, 0, {length}}).value();
  }
  // Seconds as predicted, except that long pieces are as fast as the shortest.
  static double SecondsOf(int64_t length) {
    return 1e-6 * static_cast<double>(length >= 64 ? 1 : length);
  }
  void Learn(LearningModel& model, int first, int count) const {
    for (int i = first; i < first + count; ++i) {
      const int64_t length = 1 + i % 128;
      const MeasuredState one = {StateOf(length), Key{1, static_cast<uint64_t>(i)},
                                 SecondsOf(length)};
      model.Learn({&one, 1});
    }
  }
  double SpeedOf(LearningModel& model, int64_t length) const {
    const std::vector<StateFeatures> states = {StateFeatures(StateOf(length))};
    return model.Predict(states).at(0).value().speed.value();
  }

  const std::shared_ptr<const Task> task_ = VectorTask(4096);
};

TEST_F(ResidualModelTest, IsTheModelUntilItHasEnough) {
  ResidualModel model(std::make_shared<FallingModel>());
  EXPECT_TRUE(model.progress().is_trained);
  Learn(model, 0, 31);
  model.TrainNow();
  EXPECT_EQ(SpeedOf(model, 100), 0.01);
  EXPECT_EQ(model.progress().trainings, 0);
  EXPECT_EQ(model.memory()->Save(), std::nullopt);
  Learn(model, 31, 1);
  SpeedOf(model, 100);
  EXPECT_EQ(model.progress().trainings, 1);
  Learn(model, 32, 6);
  SpeedOf(model, 100);
  EXPECT_EQ(model.progress().trainings, 1) << "7 more are a fifth";
  Learn(model, 38, 1);
  SpeedOf(model, 100);
  EXPECT_EQ(model.progress().trainings, 2);
}

TEST_F(ResidualModelTest, CorrectsWhatTheModelHasWrongAndKeepsTheRest) {
  ResidualModel model(std::make_shared<FallingModel>());
  EXPECT_LT(SpeedOf(model, 120), SpeedOf(model, 16));
  Learn(model, 0, 128);
  EXPECT_GT(SpeedOf(model, 120), SpeedOf(model, 16));
  EXPECT_GT(SpeedOf(model, 4), 1.5 * SpeedOf(model, 16)) << "which the model had right";
}

TEST_F(ResidualModelTest, SavedAndJoinedItPredictsTheSame) {
  ResidualModel model(std::make_shared<FallingModel>()), half(std::make_shared<FallingModel>()),
      rest(std::make_shared<FallingModel>()), loaded(std::make_shared<FallingModel>());
  Learn(model, 0, 128);
  Learn(half, 0, 64);
  Learn(rest, 64, 64);
  const LearningModel* others[] = {&rest};
  const std::unique_ptr<LearningModel> joined = half.JoinedWith(others);
  EXPECT_EQ(joined->progress().samples, 128);
  const double speed = SpeedOf(model, 100);
  EXPECT_EQ(SpeedOf(*joined, 100), speed);
  loaded.memory()->Load(model.memory()->Save().value());
  EXPECT_EQ(SpeedOf(loaded, 100), speed);
}

TEST_F(ResidualModelTest, FailuresAndWhatTheModelDoesNotPredictTeachNothing) {
  ResidualModel model(std::make_shared<FallingModel>(/*most=*/64));
  for (int i = 0; i < 40; ++i) {
    const bool fails = i % 2 == 0;
    const MeasuredState one = {StateOf(fails ? 8 : 100), Key{1, static_cast<uint64_t>(i)},
                               fails ? std::nullopt : std::optional(1e-6)};
    model.Learn({&one, 1});
  }
  model.TrainNow();
  EXPECT_EQ(model.progress().trainings, 0);
  EXPECT_EQ(SpeedOf(model, 8), 0.125);
  const std::vector<StateFeatures> unknown = {StateFeatures(StateOf(100))};
  EXPECT_EQ(model.Predict(unknown).at(0), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
