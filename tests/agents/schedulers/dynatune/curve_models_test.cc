#include "agents/schedulers/dynatune/curve_models.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

const std::vector<int> kBoth = {0, 1};

// A curve with best ratio `best(i)` after trial i.
template <class Best>
TaskCurve Curve(int trials, Best best) {
  TaskCurve curve;
  for (int i = 1; i <= trials; ++i) curve.AddTurn(std::vector{Success(best(i))}, 0, 1);
  return curve;
}

double Slow(int i) { return 2 / (1 + 10.0 / i); }
double Fast(int i) { return 2 / (1 + 1.0 / i); }

DynatuneOptions Plain() {
  DynatuneOptions options;
  options.log_trials = options.similar = false;
  options.curve_model = LeastSquaresCurveModel(CurveFamily::kLogPower);
  return options;
}

TEST(CurveModelsTest, ExtrapolatesEachTask) {
  CurveModels curve_models(Plain(), {"", ""}, 1);
  const std::vector<TaskCurve> curves = {Curve(20, Slow), Curve(40, Fast)};
  curve_models.Update(curves, kBoth);
  EXPECT_NEAR(curve_models.After(0, 20).mean, Slow(40), 1e-3);
  EXPECT_NEAR(curve_models.After(1, 10).mean, Fast(50), 1e-3);
  EXPECT_NEAR(curve_models.Rise(0, 20).mean, Slow(40) - Slow(20), 1e-3);
  EXPECT_EQ(curve_models.counts().fits, 2);
  EXPECT_EQ(curve_models.counts().fallbacks, 0);
}

TEST(CurveModelsTest, SeesTheLogarithmOfTrialsWhereAsked) {
  DynatuneOptions options = Plain();
  options.log_trials = true;
  CurveModels curve_models(options, {""}, 1);
  // A straight line over the logarithm of the trial.
  const auto line = [](int i) { return 1 / (1 + 3 / (1 + std::log(i))); };
  const std::vector<TaskCurve> curves = {Curve(50, line)};
  curve_models.Update(curves, std::vector{0});
  EXPECT_NEAR(curve_models.After(0, 150).mean, line(200), 1e-3);
}

TEST(CurveModelsTest, FitsAnewOnlyWhatChanged) {
  CurveModels curve_models(Plain(), {"", ""}, 1);
  std::vector<TaskCurve> curves = {Curve(20, Slow), Curve(20, Fast)};
  curve_models.Update(curves, kBoth);
  curve_models.Update(curves, kBoth);
  EXPECT_EQ(curve_models.counts().fits, 2);
  curves[1].AddTurn(std::vector{Success(2)}, 0, 1);
  curve_models.Update(curves, kBoth);
  EXPECT_EQ(curve_models.counts().fits, 3);
  curves[0].Revise(Success(1));
  curve_models.Update(curves, kBoth);
  EXPECT_EQ(curve_models.counts().fits, 4);
}

TEST(CurveModelsTest, LooksAtSomeOfManyPoints) {
  DynatuneOptions options = Plain();
  options.points = 10;
  CurveModels curve_models(options, {""}, 1);
  const std::vector<TaskCurve> curves = {Curve(200, Slow)};
  curve_models.Update(curves, std::vector{0});
  EXPECT_NEAR(curve_models.After(0, 100).mean, Slow(300), 1e-3);
}

TEST(CurveModelsTest, CountsFallbacks) {
  DynatuneOptions hurried = Plain();
  hurried.curve_model.most_fit_iterations = 1;
  CurveModels vain(hurried, {"", ""}, 1);
  vain.Update(std::vector{Curve(20, Slow), TaskCurve()}, kBoth);
  EXPECT_EQ(vain.counts().fits, 1) << "without a success there is nothing to believe";
  EXPECT_EQ(vain.counts().fallbacks, 1);
  EXPECT_TRUE(vain.HasFallenBack(0));
}

TEST(CurveModelsTest, OfTwoPointsNothingIsFitted) {
  CurveModels curve_models(Plain(), {"", ""}, 1);
  const std::vector<TaskCurve> curves = {Curve(2, Slow), TaskCurve()};
  curve_models.Update(curves, kBoth);
  EXPECT_EQ(curve_models.counts(), FitCounts());
  EXPECT_TRUE(curve_models.HasFallenBack(0));
  EXPECT_NEAR(curve_models.After(0, 10).mean, Slow(2), 1e-9);
  EXPECT_THROW(curve_models.After(1, 10), std::logic_error);
}

// The shape of two long curves predicts how a short one continues.
TEST(CurveModelsTest, SimilarTasksTellEachOther) {
  const auto noisy = [](int i) { return Slow(i) * (i % 2 == 0 ? 1 : 0.9); };
  const std::vector<TaskCurve> curves = {Curve(5, noisy), Curve(200, Slow), Curve(300, Slow)};
  const std::vector<int> all = {0, 1, 2};
  DynatuneOptions options = Plain();
  options.curve_model = CurveModelOptions();
  CurveModels alone(options, {"a", "a", "a"}, 1);
  options.similar = true;
  CurveModels told(options, {"a", "a", "a"}, 1), unlike(options, {"a", "b", ""}, 1);
  alone.Update(curves, all);
  told.Update(curves, all);
  unlike.Update(curves, all);
  EXPECT_EQ(unlike.After(0, 95).mean, alone.After(0, 95).mean);
  EXPECT_LT(std::abs(told.After(0, 95).mean - Slow(100)),
            std::abs(alone.After(0, 95).mean - Slow(100)));
  EXPECT_LT(told.After(0, 95).deviation, alone.After(0, 95).deviation);
  EXPECT_EQ(told.counts().fits, 6);
  told.Update(curves, all);
  EXPECT_EQ(told.counts().fits, 6);
}

TEST(CurveModelsTest, AreAFunctionOfTheCurves) {
  DynatuneOptions options;
  std::vector<TaskCurve> curves = {Curve(20, Slow), Curve(20, Fast)};
  CurveModels all_along(options, {"a", "a"}, 5), late(options, {"a", "a"}, 5);
  all_along.Update(curves, kBoth);
  curves[0].AddTurn(std::vector{Success(1.5)}, 0, 1);
  all_along.Update(curves, kBoth);
  curves[1].AddTurn(std::vector{Success(1.99)}, 0, 1);
  all_along.Update(curves, kBoth);
  late.Update(curves, kBoth);
  for (int task : kBoth) {
    EXPECT_EQ(all_along.After(task, 10).mean, late.After(task, 10).mean);
    EXPECT_EQ(all_along.After(task, 10).deviation, late.After(task, 10).deviation);
  }
}

TEST(CurveModelsTest, WhatWasInterruptedIsFittedWhenItIsAskedForAgain) {
  const std::vector<TaskCurve> curves = {Curve(20, Slow), Curve(20, Fast)};
  DynatuneOptions options;
  options.log_trials = false;
  std::atomic<bool> stop = true;
  CurveModels interrupted(options, {"a", "a"}, 5, StopToken(&stop)), never(options, {"a", "a"}, 5);
  EXPECT_THROW(interrupted.Update(curves, kBoth), Interrupted);
  EXPECT_EQ(interrupted.counts(), FitCounts());
  stop = false;
  interrupted.Update(curves, kBoth);
  never.Update(curves, kBoth);
  EXPECT_EQ(interrupted.counts(), never.counts());
  for (int task : kBoth) EXPECT_EQ(interrupted.After(task, 9).mean, never.After(task, 9).mean);
}

}  // namespace
}  // namespace schedulegym
