#include "env/measure/timing/timing_memory.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(CacheWalkTest, TwiceTheLastLevel) {
  Target target;
  target.l1_bytes = 100;
  target.l2_bytes = 3000;
  target.l3_bytes = 0;
  EXPECT_EQ(CacheWalkBytes(target), 6000);
  target.l3_bytes = 50000;
  EXPECT_EQ(CacheWalkBytes(target), 100000);
}

class CacheWalkThreadsTest : public testing::TestWithParam<int> {};

TEST_P(CacheWalkThreadsTest, EveryLineIsTouchedOnceByEachWalk) {
  // The last line is incomplete.
  CacheWalk walk(64 * 101 - 7, 64, GetParam());
  for (int count = 1; count <= 20; ++count) {
    walk.Run();
    for (size_t i = 0; i < walk.memory().size(); ++i) {
      ASSERT_EQ(walk.memory()[i], i % 64 == 0 ? count : 0) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, CacheWalkThreadsTest, testing::Values(1, 2, 3));

TEST(CacheWalkTest, MayBeUnused) { const CacheWalk walk(4096, 64, 2); }

TEST(CacheWalkTest, RefusesNothing) { EXPECT_THROW(CacheWalk(0, 64, 1), std::logic_error); }

}  // namespace
}  // namespace schedulegym
