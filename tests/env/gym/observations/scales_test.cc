#include "env/gym/observations/observation.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(ScalesTest, SharesEndAtOne) {
  EXPECT_EQ(Share(0, 8), 0);
  EXPECT_EQ(Share(2, 8), 0.25F);
  EXPECT_EQ(Share(9, 8), 1);
}

// log2(1 + 255) = 8.
TEST(ScalesTest, DoublingsAreSharesOfLogarithms) {
  EXPECT_EQ(Log2Scaled(0), 0);
  EXPECT_EQ(Log2Scaled(255), 0.25F);
  EXPECT_EQ(Log2Scaled(255, 16), 0.5F);
  EXPECT_EQ(Log2Scaled(1e30), 1);
}

}  // namespace
}  // namespace schedulegym
