#include "env/measure/verdict.h"

#include <gtest/gtest.h>

#include <string>

namespace schedulegym {
namespace {

TEST(VerdictTest, AnIntervalThatExcludesOneDecides) {
  EXPECT_EQ(VerdictOf({1.2, 1.1, 1.3}), Verdict::kFaster);
  EXPECT_EQ(VerdictOf({0.8, 0.7, 0.9}), Verdict::kSlower);
}

TEST(VerdictTest, AlsoWhereItLiesWithinOnePercent) {
  EXPECT_EQ(VerdictOf({1.004, 1.001, 1.007}), Verdict::kFaster);
  EXPECT_EQ(VerdictOf({0.996, 0.993, 0.999}), Verdict::kSlower);
}

TEST(VerdictTest, NarrowAroundOneIsTheSame) {
  EXPECT_EQ(VerdictOf({1.0, 0.995, 1.005}), Verdict::kSame);
  EXPECT_EQ(VerdictOf({1.0, 1.0, 1.0}), Verdict::kSame);
  EXPECT_EQ(VerdictOf({1.005, 1.0, 1.01}), Verdict::kSame);
}

TEST(VerdictTest, WideAroundOneIsAmbiguous) {
  EXPECT_EQ(VerdictOf({1.0, 0.98, 1.005}), Verdict::kAmbiguous);
  EXPECT_EQ(VerdictOf({1.0, 0.995, 1.02}), Verdict::kAmbiguous);
  EXPECT_EQ(VerdictOf({2.0, 0.5, 8.0}), Verdict::kAmbiguous);
}

TEST(VerdictTest, AnInverseRatioHasTheInverseVerdict) {
  EXPECT_EQ(VerdictOf({1 / 1.005, 1 / 1.0099, 1.0}), Verdict::kSame);
  EXPECT_EQ(VerdictOf({1 / 1.005, 1 / 1.0101, 1.0}), Verdict::kAmbiguous);
}

TEST(VerdictTest, Names) {
  EXPECT_STREQ(VerdictName(Verdict::kFaster), "faster");
  EXPECT_STREQ(VerdictName(Verdict::kSlower), "slower");
  EXPECT_STREQ(VerdictName(Verdict::kSame), "same");
  EXPECT_STREQ(VerdictName(Verdict::kAmbiguous), "ambiguous");
}

}  // namespace
}  // namespace schedulegym
