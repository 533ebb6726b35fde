#include "agents/cost/tuna_cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::DoubleEq;
using ::testing::HasSubstr;

std::vector<ScheduleState> Drawn(int count) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const auto task = WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
  Rng rng(1);
  std::vector<ScheduleState> states;
  while (static_cast<int>(states.size()) < count) {
    Result<ScheduleState> state = space->Sample(task, rng);
    if (state) states.push_back(*state);
  }
  return states;
}

std::vector<StateFeatures> Features(const std::vector<ScheduleState>& states) {
  return {states.begin(), states.end()};
}

TEST(TunaCostModel, LearnsTheCoefficientsOfAMachine) {
  const std::vector<ScheduleState> states = Drawn(60);
  std::vector<MeasuredState> measured;
  for (const ScheduleState& state : states) {
    const CostTerms terms = TermsOf(EstimateCost(state), false);
    double seconds = 0;
    const std::array<double, CostTerms::kCount> truth = {2, 0.5, 1, 3, 1, 1, 1, 4};
    for (size_t i = 0; i < CostTerms::kCount; ++i) seconds += truth[i] * terms.seconds[i];
    measured.push_back({state, StateKey(state), seconds});
  }
  TunaCostModel model({});
  EXPECT_FALSE(model.Predict(Features(states))[0]);
  model.Learn(measured);
  const auto predicted = model.Predict(Features(states));
  for (size_t i = 0; i < states.size(); ++i) {
    ASSERT_TRUE(predicted[i]);
    EXPECT_NEAR(*predicted[i]->seconds / *measured[i].seconds, 1, 1e-6);
  }
}

// The seconds are the weighted sum of the terms with the saved coefficients.
TEST(TunaCostModel, SavedCoefficientsAreAppliedAsTheyStand) {
  TunaCostModel model({});
  model.Load(
      "terms sum\narithmetic 2\naccess 0\nchain 0\nspill 0\nl2 0\nl3 0\nmemory 0\n"
      "parallel 3\n");
  const std::vector<ScheduleState> states = Drawn(5);
  const auto predicted = model.Predict(Features(states));
  for (size_t i = 0; i < states.size(); ++i) {
    const CostTerms terms = TermsOf(EstimateCost(states[i]), false);
    EXPECT_DOUBLE_EQ(*predicted[i]->seconds, 2 * terms.seconds[0] + 3 * terms.seconds[7]);
  }
  // The coefficients belong to a machine; a search does not change them.
  model.Learn(std::vector<MeasuredState>{{states[0], StateKey(states[0]), 1.0},
                                         {states[1], StateKey(states[1]), 2.0}});
  EXPECT_THAT(model.coefficients()->at(0), DoubleEq(2));
}

TEST(TunaCostModel, SavedAndLoadedPredictsEqually) {
  const std::vector<ScheduleState> states = Drawn(20);
  TunaCostModel model({.roofline = true});
  std::vector<MeasuredState> measured;
  for (const ScheduleState& state : states) {
    measured.push_back({state, StateKey(state), 1e-6 * (1.0 + measured.size())});
  }
  model.Learn(measured);
  TunaCostModel loaded({});
  loaded.Load(model.Save().value());
  const auto expected = model.Predict(Features(states)), got = loaded.Predict(Features(states));
  for (size_t i = 0; i < states.size(); ++i) EXPECT_EQ(expected[i]->score, got[i]->score);
}

TEST(TunaCostModel, FailuresSayNothing) {
  const std::vector<ScheduleState> states = Drawn(3);
  TunaCostModel model({});
  for (const ScheduleState& state : states) {
    model.Learn(std::vector<MeasuredState>{{state, StateKey(state), std::nullopt}});
  }
  model.TrainNow();
  EXPECT_FALSE(model.progress().is_trained);
  EXPECT_EQ(model.progress().samples, 0);
}

TEST(TunaCostModel, RefusesOtherTexts) {
  const auto fault = [](const std::string& text) -> std::string {
    return InputFaultOf([&] { TunaCostModel({}).Load(text); });
  };
  EXPECT_THAT(fault(""), HasSubstr("expected 'terms sum'"));
  EXPECT_THAT(fault("terms sum\nmemory 1\n"), HasSubstr("expected 'arithmetic'"));
  EXPECT_THAT(fault("terms sum\narithmetic -1\n"), HasSubstr("at least 0"));
  EXPECT_THAT(fault("terms sum\narithmetic 1\n"), HasSubstr("'access'"));
}

}  // namespace
}  // namespace schedulegym
