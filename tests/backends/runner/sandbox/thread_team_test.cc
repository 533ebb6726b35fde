#include "backends/runner/sandbox/thread_team.h"

#include <gtest/gtest.h>

#include <limits>

namespace schedulegym {
namespace {

// Computed at each call, not at compile time.
double HalfOfTheSmallest() {
  volatile double smallest = std::numeric_limits<double>::min();
  return smallest / 2;
}

TEST(ThreadTeamTest, DenormalsBecomeZeroWhereAsked) {
  StartThreadTeam(2);
  SetFlushToZero(true, 2);
  const double flushed = HalfOfTheSmallest();
  SetFlushToZero(false, 2);
  EXPECT_EQ(flushed, 0);
  EXPECT_GT(HalfOfTheSmallest(), 0);
}

#if defined(__x86_64__)
TEST(ThreadTeamTest, OtherModesAreUndone) {
  __builtin_ia32_ldmxcsr(0x7F80);  // towards zero
  SetFlushToZero(false);
  EXPECT_EQ(__builtin_ia32_stmxcsr() & 0xFFC0u, 0x1F80u);
}
#endif

}  // namespace
}  // namespace schedulegym
