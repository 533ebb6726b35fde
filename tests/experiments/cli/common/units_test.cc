#include "experiments/cli/common/units.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(UnitsTest, SecondsChooseTheirUnit) {
  EXPECT_EQ(FormatSeconds(0), "0 s");
  EXPECT_EQ(FormatSeconds(25e-9), "25.00 ns");
  EXPECT_EQ(FormatSeconds(1.2345e-6), "1.234 us");
  EXPECT_EQ(FormatSeconds(0.0567), "56.70 ms");
  EXPECT_EQ(FormatSeconds(345.67), "345.7 s");
}

TEST(UnitsTest, DurationsReadLikeAClock) {
  EXPECT_EQ(FormatDuration(0.4), "0:00");
  EXPECT_EQ(FormatDuration(67), "1:07");
  EXPECT_EQ(FormatDuration(3723), "1:02:03");
  EXPECT_EQ(FormatDuration(-5), "0:00");
}

TEST(UnitsTest, BytesAreWholeWhereTheyAre) {
  EXPECT_EQ(FormatBytes(64), "64 B");
  EXPECT_EQ(FormatBytes(32 << 10), "32 KiB");
  EXPECT_EQ(FormatBytes((1 << 20) + (1 << 19)), "1.5 MiB");
  EXPECT_EQ(FormatBytes(int64_t{16} << 30), "16 GiB");
}

TEST(UnitsTest, Gflops) { EXPECT_EQ(FormatGflops(217.46), "217.5 GFLOP/s"); }

}  // namespace
}  // namespace schedulegym
