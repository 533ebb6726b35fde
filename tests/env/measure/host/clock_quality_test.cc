#include "env/measure/host/session_probe.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(ClockQualityTest, AClockIsJudgedByItsReadings) {
  SteadyClock steady;
  const ClockQuality real = EvaluateClock(steady);
  EXPECT_GT(real.step_seconds, 0);
  EXPECT_GT(real.call_seconds, 0);
  EXPECT_GE(real.jitter, 0);
}

}  // namespace
}  // namespace schedulegym
