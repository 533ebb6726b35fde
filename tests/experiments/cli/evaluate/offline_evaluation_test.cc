#include "experiments/cli/evaluate/offline_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cost/analytical_cost_model.h"
#include "env/base/clock.h"
#include "tests/experiments/cli/evaluate/made_programs.h"

namespace schedulegym {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kMatmul = "matmul(m=64,n=64,k=64)";

MeasuredProgram Timed(double seconds, std::vector<float> samples) {
  MeasuredProgram program;
  program.seconds = seconds;
  program.samples = std::move(samples);
  return program;
}

// Predicts one program only, with a negative score and without seconds.
class FirstOnly : public CostModel {
 public:
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions(states.size());
    predictions[0] = Prediction{-3};
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }
};

TEST(MeasuredTaskTest, ScalesHalvesToTheMeasuredSeconds) {
  TaskPrograms programs;
  // Medians 2 (all), 1 and 3, for a program that takes 4 s; another has no samples.
  programs.successes = {Timed(4, {1, 1, 2, 3, 3}), Timed(8, {})};
  const EvaluatedTask task = MeasuredTask(programs);
  EXPECT_THAT(task.programs.choose_seconds, ElementsAre(DoubleEq(2), 8));
  EXPECT_THAT(task.programs.value_seconds, ElementsAre(DoubleEq(6), 8));
  EXPECT_EQ(task.weight, 0.25);
  EXPECT_EQ(ShareWithHalves({&programs, 1}), 0.5);
}

TEST(PredictTest, AsksForSecondsOfAll) {
  const TaskPrograms programs = MadePrograms(kMatmul, 5, 1);
  EvaluatedTask task = MeasuredTask(programs);
  AnalyticalCostModel analytical;
  Predict(ReplaySuccesses(programs, {}), analytical, &task);
  EXPECT_THAT(task.programs.scores, SizeIs(5));
  std::vector<double> seconds;
  for (const MeasuredProgram& program : programs.successes) seconds.push_back(program.seconds);
  EXPECT_THAT(task.predicted_seconds, testing::Pointwise(testing::DoubleEq(), seconds));
}

TEST(PredictTest, PutsWhatIsNotJudgedLast) {
  const TaskPrograms programs = MadePrograms(kMatmul, 3, 1);
  EvaluatedTask task = MeasuredTask(programs);
  FirstOnly model;
  Predict(ReplaySuccesses(programs, {}), model, &task);
  EXPECT_THAT(DescendingOrder(task.programs.scores), ElementsAre(0, 1, 2));
  EXPECT_GT(task.programs.scores[0], task.programs.scores[1]);
  EXPECT_THAT(task.predicted_seconds, IsEmpty());
}

// The reference takes 8 s: a ratio of 2 is 4 s, one of 4 is 2 s.
TEST(AddSecondsTest, AreThoseOfTheReferenceOverSpeeds) {
  TaskPrograms programs;
  programs.successes = {Timed(4, {}), Timed(2, {})};
  EvaluatedTask task = MeasuredTask(programs);
  task.programs.scores = {1, 2};
  AddSeconds(programs, &task);
  EXPECT_THAT(task.predicted_seconds, IsEmpty()) << "no reference is known";
  programs.successes[0].ratio = {2, 2, 2};
  programs.successes[1].ratio = {4, 4, 4};
  task.programs.scores = {1, 0};
  AddSeconds(programs, &task);
  EXPECT_THAT(task.predicted_seconds, IsEmpty()) << "one has no speed";
  task.programs.scores = {1, 2};
  AddSeconds(programs, &task);
  EXPECT_THAT(task.predicted_seconds, ElementsAre(8, 4));
}

TEST(MeasureCostTest, RepeatsStatesUntilThereAreEnough) {
  const std::vector<std::vector<KeyedState>> tasks = {
      ReplaySuccesses(MadePrograms(kMatmul, 3, 1), {})};
  AnalyticalCostModel analytical;
  const SteadyClock clock;
  for (const int count : {1, 8}) {
    const PredictionCost cost = MeasureCost(tasks, count, analytical, clock);
    EXPECT_EQ(cost.states, count);
    EXPECT_GE(cost.features, 0);
    EXPECT_GT(cost.prediction, 0);
  }
}

TEST(TasksOfNetworkTest, AreWeightedByTheirCounts) {
  std::vector<EvaluatedTask> tasks(3);
  tasks[2].predicted_seconds = {7};
  const std::vector<int64_t> counts = {0, 2, 5};
  const auto own = TasksOfNetwork(tasks, counts);
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].weight, 2);
  EXPECT_EQ(own[1].weight, 5);
  EXPECT_THAT(own[1].predicted_seconds, ElementsAre(7));
}

}  // namespace
}  // namespace schedulegym
