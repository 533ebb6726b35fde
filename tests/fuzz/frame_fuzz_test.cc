#include "tests/fuzz/frame_fuzz.h"

#include <gtest/gtest.h>

#include "tests/fuzz/allocation_count.h"

namespace schedulegym {
namespace {

TEST(FrameFuzzTest, FindsNothingAndReachesEverything) {
  const FrameFuzzReport report = FuzzFrames(1, 0.5, SteadyClock());
  EXPECT_FALSE(report.diagnostic.has_value()) << report.message;
  EXPECT_GT(report.executions, 1000);
  // Some streams are refused and some give messages; neither happens always.
  EXPECT_GT(report.refused, report.executions / 100);
  EXPECT_LT(report.refused, report.executions * 99 / 100);
  EXPECT_GT(report.frames, report.executions / 10);
  EXPECT_GT(report.messages, report.frames / 10);
  EXPECT_GE(report.seconds, 0.5);
}

TEST(AllocationCountTest, CountsWhatIsAskedFor) {
  const int64_t before = AllocatedBytes();
  const std::string text(5000, 'x');
  EXPECT_GE(AllocatedBytes() - before, 5000);
  EXPECT_LT(AllocatedBytes() - before, 10000);
}

TEST(FrameFuzzTest, IsWatchedAndStopped) {
  int64_t last = -1;
  const FrameFuzzReport report = FuzzFrames(1, 3600, SteadyClock(), [&](int64_t done, int64_t) {
    EXPECT_GT(done, last);
    last = done;
    return done == 0;
  });
  EXPECT_EQ(report.executions, last);
  EXPECT_FALSE(report.diagnostic);
}

}  // namespace
}  // namespace schedulegym
