#include "env/base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace schedulegym {
namespace {

TEST(RngTest, RepeatsFromItsSeed) {
  Rng a(1), b(1), c(2);
  for (int i = 0; i < 100; ++i) {
    const uint64_t draw = a.Next();
    EXPECT_EQ(draw, b.Next());
    EXPECT_NE(draw, c.Next());
  }
}

TEST(RngTest, CopiesFork) {
  Rng a(1);
  Rng b = a;
  EXPECT_EQ(a.Next(), b.Next());
  Rng child = a.Split();
  EXPECT_NE(child.Next(), a.Next());
}

TEST(RngTest, DrawsEveryValueAboutEquallyOften) {
  Rng rng(3);
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(static_cast<size_t>(rng.Below(7)));
  // Five standard deviations of a binomial count around 10000.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 465);
  EXPECT_EQ(rng.Below(1), 0);
  EXPECT_THROW(rng.Below(0), std::logic_error);
}

TEST(RngTest, DrawsFractions) {
  Rng rng(4);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double draw = rng.Uniform();
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, 1);
    sum += draw;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.015);
  EXPECT_FALSE(rng.Chance(0));
  EXPECT_TRUE(rng.Chance(1));
}

}  // namespace
}  // namespace schedulegym
