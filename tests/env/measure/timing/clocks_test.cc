#include "env/measure/timing/clocks.h"

#include <gtest/gtest.h>

#include <ctime>

namespace schedulegym {
namespace {

TEST(ClocksTest, CalendarTimeIsTheMachines) {
  const double before = static_cast<double>(std::time(nullptr));
  const double now = CalendarClock().Now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, static_cast<double>(std::time(nullptr)) + 1);
}

TEST(ClocksTest, ProcessorTimeGrowsWithWork) {
  const ProcessCpuClock clock;
  const double begin = clock.Now();
  volatile uint64_t sum = 0;
  while (clock.Now() - begin < 1e-3) sum = sum + 1;
  EXPECT_GT(sum, 0u);
}

TEST(ClocksTest, AReadingHasItsCost) {
  class SlowClock : public Clock {
   public:
    double Now() const override { return now_ += 0.25; }

   private:
    mutable double now_ = 0;
  };
  EXPECT_DOUBLE_EQ(ReadingSeconds(SlowClock()), 0.25);
  EXPECT_GT(ReadingSeconds(SteadyClock()), 0);
}

}  // namespace
}  // namespace schedulegym
