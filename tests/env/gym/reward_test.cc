#include "env/gym/reward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

const EvaluationResult kSlow = ExactEvaluationResult(0.5, 2.0);
const EvaluationResult kFast = ExactEvaluationResult(4, 0.25);
const EvaluationResult kFailed = FailedEvaluationResult(Outcome::kRunTimeout);

EvaluationResult Measured(double low, double median, double high) {
  return {Outcome::kOk, {median, low, high}, 1.0};
}

Reward Of(const std::string& text) { return MakeReward(ParseSpec(text).value()); }

TEST(RewardTest, NamesAreThoseOfTheList) {
  for (const auto& entry : BuiltinRewards()) {
    const Reward reward = Of(entry.name);
    EXPECT_EQ(reward.ToText(), entry.name);
    EXPECT_FALSE(entry.description.empty());
  }
  for (const char* text :
       {"difference(discount=0.5, failure=-3.0)", "difference(dead_band=true)"}) {
    EXPECT_EQ(Of(text).ToText(), text);
  }
}

TEST(RewardTest, BadSpecsAreNamed) {
  for (const char* bad : {"finale", "final(discount=0.5)", "difference(discount=0.0)",
                          "difference(discount=1.5)", "final(failure=1.0)", "final(failure=-99)",
                          "final(dead_band=true)", "difference(dead_band=1.0)"}) {
    EXPECT_THROW(Of(bad), InputError) << bad;
  }
  try {
    Of("finale");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("final, difference, improvement"));
  }
}

TEST(RewardTest, FinalIsTheLogarithmAtTheEnd) {
  const Reward reward = Of("final");
  EXPECT_EQ(Pay(reward, {nullptr, &kFast, nullptr, false}), 0);
  EXPECT_DOUBLE_EQ(Pay(reward, {nullptr, &kFast, nullptr, true}), std::log(4));
  EXPECT_DOUBLE_EQ(Pay(reward, {nullptr, &kSlow, nullptr, true}), std::log(0.5));
  EXPECT_EQ(Pay(reward, {nullptr, &kFailed, nullptr, true}), -8);
  EXPECT_EQ(Pay(Of("final(failure=-2.0)"), {nullptr, &kFailed, nullptr, true}), -2);
  EXPECT_EQ(Pay(reward, {nullptr, nullptr, nullptr, true}), 0);
}

TEST(RewardTest, WhatMeasuringCannotTellIsZero) {
  const EvaluationResult same = Measured(0.999, 1.0, 1.002);
  const EvaluationResult ambiguous = Measured(0.7, 1.2, 2.0);
  EXPECT_EQ(Pay(Of("final"), {nullptr, &same, nullptr, true}), 0);
  EXPECT_EQ(Pay(Of("final"), {nullptr, &ambiguous, nullptr, true}), 0);
  const EvaluationResult next = Measured(0.9, 1.3, 2.1);
  EXPECT_EQ(Pay(Of("improvement"), {nullptr, &next, &ambiguous, false}), 0);
  const EvaluationResult clear = Measured(5, 6, 7);
  EXPECT_GT(Pay(Of("improvement"), {nullptr, &clear, &ambiguous, false}), 0);
}

TEST(RewardTest, DifferenceIsAPotentialsGrowth) {
  EXPECT_DOUBLE_EQ(Pay(Of("difference"), {&kSlow, &kFast, nullptr, false}), std::log(8));
  EXPECT_DOUBLE_EQ(Pay(Of("difference(discount=0.5)"), {&kSlow, &kFast, nullptr, false}),
                   0.5 * std::log(4) - std::log(0.5));
  // A step into a failure and back out of it costs nothing in total.
  const double in = Pay(Of("difference"), {&kFast, &kFailed, nullptr, false});
  const double out = Pay(Of("difference"), {&kFailed, &kFast, nullptr, false});
  EXPECT_LT(in, -8);
  EXPECT_DOUBLE_EQ(in + out, 0);
}

// Otherwise many unmeasurable slowdowns would be free, and one large speedup would be paid.
TEST(RewardTest, DifferencesThatMeasuringCannotTellArePaid) {
  const EvaluationResult first = Measured(0.7, 1.2, 2.0), next = Measured(0.9, 1.3, 2.1);
  EXPECT_DOUBLE_EQ(Pay(Of("difference"), {&first, &next, nullptr, false}),
                   std::log(1.3) - std::log(1.2));
  EXPECT_FALSE(HoldsBack(Of("difference"), {&first, &next, nullptr, false}));
}

TEST(RewardTest, ADeadBandHoldsBackWhatMeasuringCannotTell) {
  const Reward reward = Of("difference(dead_band=true)");
  const EvaluationResult first = Measured(0.7, 1.2, 2.0), next = Measured(0.9, 1.3, 2.1);
  const EvaluationResult clear = Measured(5, 6, 7);
  EXPECT_EQ(Pay(reward, {&first, &next, nullptr, false}), 0);
  EXPECT_TRUE(HoldsBack(reward, {&first, &next, nullptr, false}));
  // The last step pays everything, and so does a step with a measurable difference.
  EXPECT_DOUBLE_EQ(Pay(reward, {&first, &next, nullptr, true}), std::log(1.3) - std::log(1.2));
  EXPECT_DOUBLE_EQ(Pay(reward, {&first, &clear, nullptr, false}), std::log(6) - std::log(1.2));
  EXPECT_FALSE(HoldsBack(reward, {&first, &clear, nullptr, false}));
  // A failure is always distinguishable; payment starts at the first result.
  EXPECT_FALSE(HoldsBack(reward, {&first, &kFailed, nullptr, false}));
  EXPECT_FALSE(HoldsBack(reward, {nullptr, &first, nullptr, false}));
}

TEST(RewardTest, ImprovementNeverCosts) {
  const Reward reward = Of("improvement");
  EXPECT_EQ(Pay(reward, {nullptr, &kSlow, &kFast, false}), 0);
  EXPECT_EQ(Pay(reward, {nullptr, &kFailed, &kSlow, false}), 0);
  EXPECT_DOUBLE_EQ(Pay(reward, {nullptr, &kFast, &kSlow, false}), std::log(8));
  EXPECT_DOUBLE_EQ(Pay(reward, {nullptr, &kFast, &kFailed, false}), std::log(4) + 8);
}

TEST(RewardTest, BetterIsWhatIsFasterWithoutDoubt) {
  EXPECT_EQ(Better(kSlow, kFast), kFast);
  EXPECT_EQ(Better(kFast, kSlow), kFast);
  EXPECT_EQ(Better(kFailed, kSlow), kSlow);
  EXPECT_EQ(Better(kSlow, kFailed), kSlow);
  const EvaluationResult first = Measured(0.9, 1, 1.1), second = Measured(0.95, 1.05, 1.2);
  EXPECT_EQ(Better(first, second), first);
}

TEST(EvaluationResultTest, TextsReadBack) {
  for (const EvaluationResult& evaluation :
       {kSlow, kFailed, Measured(0.5, 0.75, 1.5),
        EvaluationResult{Outcome::kOk, {1.1, 1.0, 1.2}, std::nullopt}}) {
    EXPECT_EQ(ParseEvaluationResult(evaluation.ToText()), evaluation) << evaluation.ToText();
  }
  EXPECT_EQ(kFailed.ToText(), "run_timeout");
}

TEST(EvaluationResultTest, OtherTextsAreNone) {
  for (const char* bad : {"", "ok", "ok 1.0", "ok 1.0 1.0 x", "ok 1.0 1.0 1.0 1.0 1.0", "okay",
                          "ok 0.0 1.0 1.0", "ok inf 1.0 1.0", "run_timeout 1.0"}) {
    EXPECT_FALSE(ParseEvaluationResult(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace schedulegym
