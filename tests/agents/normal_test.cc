#include "agents/normal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

TEST(DrawNormalTest, HasMeanZeroAndDeviationOne) {
  Rng rng(9);
  constexpr int kDraws = 200'000;
  double sum = 0, squares = 0, beyond = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = DrawNormal(rng);
    sum += draw;
    squares += draw * draw;
    beyond += std::abs(draw) > 1.959964 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.01);
  EXPECT_NEAR(squares / kDraws, 1, 0.02);
  EXPECT_NEAR(beyond / kDraws, 0.05, 0.002);
}

}  // namespace
}  // namespace schedulegym
