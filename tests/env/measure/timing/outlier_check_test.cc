#include "env/measure/timing/outlier_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

using testing::HasSubstr;

Measurement Good(double ratio) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{};
  measurement.timing->ratio = {ratio, ratio, ratio};
  return measurement;
}

TEST(OutlierCheckTest, ZerosOfEveryTypeAreCounted) {
  EXPECT_EQ(CountZeros(DType::kF64, std::vector<double>{0, -0.0, 1e-300, 4}.data(), 4), 2);
  EXPECT_EQ(CountZeros(DType::kF32, std::vector<float>{0, 1, 2, 3}.data(), 4), 1);
  EXPECT_EQ(CountZeros(DType::kI32, std::vector<int32_t>{0, 256, 0}.data(), 3), 2);
  EXPECT_EQ(CountZeros(DType::kI8, std::vector<int8_t>{0, -128}.data(), 2), 1);
  EXPECT_EQ(CountZeros(DType::kF32, nullptr, 0), 0);
}

TEST(OutlierCheckTest, TenTimesTheBestIsTooGood) {
  EXPECT_EQ(OutlierReason(Good(20), 2.0), "");
  EXPECT_THAT(OutlierReason(Good(24), 2.0), HasSubstr("12.0 times as fast as the best so far"));
}

TEST(OutlierCheckTest, TheReferenceIsAlwaysKnown) {
  EXPECT_EQ(OutlierReason(Good(10), std::nullopt), "");
  EXPECT_NE(OutlierReason(Good(10.1), std::nullopt), "");
  // The best so far is slower than the reference.
  EXPECT_EQ(OutlierReason(Good(9), 0.1), "");
  EXPECT_NE(OutlierReason(Good(11), 0.1), "");
}

TEST(OutlierCheckTest, WhatNoMachineReachesIsLookedAtAgain) {
  Measurement impossible;
  impossible.outcome = Outcome::kImpossibleTime;
  impossible.message = "too fast";
  EXPECT_EQ(OutlierReason(impossible, 1.0), "too fast");
}

TEST(OutlierCheckTest, OtherFailuresSpeakForThemselves) {
  for (Outcome outcome : AllOutcomes()) {
    if (outcome == Outcome::kOk || outcome == Outcome::kImpossibleTime) continue;
    Measurement failed;
    failed.outcome = outcome;
    failed.message = "why";
    EXPECT_EQ(OutlierReason(failed, std::nullopt), "") << OutcomeName(outcome);
  }
}

}  // namespace
}  // namespace schedulegym
