#include "experiments/cli/common/progress.h"

#include <gtest/gtest.h>

#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

class FakeClock : public Clock {
 public:
  double Now() const override { return now; }
  double now = 100;
};

TEST(ProgressTest, TextTellsCountRateBestAndTimeLeft) {
  EXPECT_EQ(ProgressText({.done = 50, .total = 200, .best = "1.500 ms"}, 10, 0),
            "50/200, 5.0/s, best 1.500 ms, 0:30 left");
}

TEST(ProgressTest, WhatIsWorkedOnStandsBeforeTheTimeLeft) {
  EXPECT_EQ(ProgressText({.done = 1, .total = 4, .work = "latency 5 ms, matmul(m=8) 24.0 %"}, 2, 0),
            "1/4, 0.5/s, latency 5 ms, matmul(m=8) 24.0 %, 0:06 left");
}

TEST(ProgressTest, BarIsFilledByTheShareThatIsDone) {
  EXPECT_EQ(ProgressText({.done = 1, .total = 4}, 2, 8), "[##......] 1/4, 0.5/s, 0:06 left");
}

TEST(ProgressTest, TheBudgetThatEndsFirstTellsTheTimeLeft) {
  // 1 % of the trials are done, but half of the 20 seconds.
  EXPECT_EQ(ProgressText({.done = 10, .total = 1000, .seconds = 20}, 10, 4),
            "[##..] 10/1000, 1.0/s, 0:10 left");
}

TEST(ProgressTest, WithoutAnEndThereIsNoBarAndNoTimeLeft) {
  EXPECT_EQ(ProgressText({.done = 3}, 1, 8), "3, 3.0/s");
  EXPECT_EQ(ProgressText({.done = 0, .total = 10}, 1, 2), "[..] 0/10");
}

TEST(ProgressTest, OffTerminalsOneLineNowAndThen) {
  Captured err;
  FakeClock clock;
  Progress progress(err.stream(), true, "tune", clock);
  progress.Update({.done = 1, .total = 10});
  EXPECT_EQ(err.Text(), "") << "a short work shows nothing";
  clock.now = 102;
  progress.Update({.done = 2, .total = 10});
  progress.Update({.done = 3, .total = 10});
  EXPECT_EQ(err.Text(), "tune 2/10, 1.0/s, 0:08 left\n");
  clock.now = 108;
  progress.Update({.done = 8, .total = 10});
  progress.Clear();
  EXPECT_EQ(err.Text(), "tune 2/10, 1.0/s, 0:08 left\ntune 8/10, 1.0/s, 0:02 left\n");
}

TEST(ProgressTest, DisabledWritesNothing) {
  Captured err;
  FakeClock clock;
  Progress progress(err.stream(), false, "tune", clock);
  clock.now = 200;
  progress.Update({.done = 5, .total = 10});
  EXPECT_EQ(err.Text(), "");
}

}  // namespace
}  // namespace schedulegym
