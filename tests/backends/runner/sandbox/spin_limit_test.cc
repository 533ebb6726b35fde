#include "backends/runner/sandbox/spin_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

// Each reading advances the clock by a fixed step.
class SteppingClock : public Clock {
 public:
  explicit SteppingClock(double step) : step_(step) {}
  double Now() const override { return now_ += step_; }

 private:
  double step_;
  mutable double now_ = 0;
};

TEST(SpinLimitTest, CountsTheTurnsOfATime) {
  // A thousand turns take 50 microseconds: five thousand a quarter of a millisecond.
  EXPECT_NEAR(static_cast<double>(SpinTurns(250e-6, SteppingClock(50e-6))), 5000, 1);
  EXPECT_NEAR(static_cast<double>(SpinTurns(250e-6, SteppingClock(25e-6))), 10000, 1);
}

TEST(SpinLimitTest, NeitherExceedsTheLibrarysOwnNorFallsToNothing) {
  EXPECT_EQ(SpinTurns(250e-6, SteppingClock(0)), 300'000);
  EXPECT_EQ(SpinTurns(250e-6, SteppingClock(1e-9)), 300'000);
  EXPECT_EQ(SpinTurns(250e-6, SteppingClock(1)), 1000);
}

TEST(SpinLimitTest, IsAVariableOfTheEnvironment) {
  EXPECT_EQ(SpinLimitVariable(SteppingClock(1)), "GOMP_SPINCOUNT=1000");
  EXPECT_THAT(SpinLimitVariable(SteadyClock()), testing::StartsWith("GOMP_SPINCOUNT="));
}

}  // namespace
}  // namespace schedulegym
