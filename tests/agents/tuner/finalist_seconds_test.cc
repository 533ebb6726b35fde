#include "agents/tuner/known_best.h"

#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

// `rounds` samples of one millisecond against a reference of half the speed, in `seconds` of
// measuring time.
Measurement Measured(int rounds, double seconds) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{.seconds = 1e-5, .ratio = {2, 2, 2}};
  measurement.timing->calls_per_sample = 100;
  measurement.timing->reference_calls_per_sample = 50;
  measurement.timing->samples.assign(static_cast<size_t>(rounds), 1e-5f);
  measurement.phases = {0.5, 0.03, seconds};
  return measurement;
}

TEST(FinalistSecondsTest, EachProcessVerifiesStartsAndTakesItsRounds) {
  // 0.03 for verifying, 0.02 outside of the samples, 101 rounds of 2 ms; compiled once, before.
  EXPECT_NEAR(FinalistSeconds(Protocol(), Measured(20, 0.06)), 3 * (0.03 + 0.02 + 0.202), 1e-9);
  Protocol protocol;
  protocol.final_processes = 1;
  protocol.final_rounds = 11;
  EXPECT_NEAR(FinalistSeconds(protocol, Measured(20, 0.06)), 0.03 + 0.02 + 0.022, 1e-9);
}

TEST(FinalistSecondsTest, NoProcessIsShorterThanATrialByTheClock) {
  EXPECT_NEAR(FinalistSeconds(Protocol(), Measured(20, 0.06), 0.2), 3 * 0.252, 1e-9);
  EXPECT_NEAR(FinalistSeconds(Protocol(), Measured(20, 0.06), 4), 3 * 4, 1e-9);
}

TEST(FinalistSecondsTest, LongRoundsEndWithTheirSeconds) {
  Measurement measurement = Measured(7, 1.5);
  measurement.timing->seconds = 0.1;
  measurement.timing->calls_per_sample = measurement.timing->reference_calls_per_sample = 1;
  // A round takes 0.3 s: 15 rounds, less than 5 s. No time was outside of the samples.
  EXPECT_NEAR(FinalistSeconds(Protocol(), measurement), 3 * (0.03 + 5), 1e-9);
  measurement.timing->seconds = 0.2;
  EXPECT_NEAR(FinalistSeconds(Protocol(), measurement), 3 * (0.03 + 15 * 0.6), 1e-9);
}

TEST(FinalistReserveTest, ATenthLessWhereThatIsEnoughMoreForOneAlone) {
  const std::vector<double> one = {1};
  EXPECT_EQ(FinalistReserve(one, 5, 30), 3);
  EXPECT_EQ(FinalistReserve(one, 5, 1000), 5);
  EXPECT_EQ(FinalistReserve(one, 5, 6), 1);
  EXPECT_EQ(FinalistReserve(one, 5, 4), 0) << "a quarter is too much";
  EXPECT_EQ(FinalistReserve(one, 0, 30), 0);
  EXPECT_EQ(FinalistReserve({}, 5, 30), 0);
}

TEST(FinalistReserveTest, SeveralTasksNeedMore) {
  const std::vector<double> each = {1, 4};
  EXPECT_EQ(FinalistReserve(each, 2, 1000), 10);
  EXPECT_EQ(FinalistReserve(each, 2, 30), 3);
  EXPECT_EQ(FinalistReserve(each, 2, 8), 1);
}

}  // namespace
}  // namespace schedulegym
