#include "agents/droplet/better_timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

TEST(DifferByStudentTest, AgreesWithTheTextbook) {
  // Weights of two sets of six screws: t = 1.959, 10 degrees of freedom, p = 0.0786.
  const std::vector<float> a = {30.02f, 29.99f, 30.11f, 29.97f, 30.01f, 29.99f};
  const std::vector<float> b = {29.89f, 29.93f, 29.72f, 29.98f, 30.02f, 29.98f};
  EXPECT_TRUE(DifferByStudent(a, b, 0.079));
  EXPECT_FALSE(DifferByStudent(a, b, 0.078));
}

TEST(DifferByStudentTest, IsNotMadeOfSingleSamples) {
  EXPECT_TRUE(DifferByStudent(std::vector<float>{1}, std::vector<float>{1, 2}, 0.05));
}

TEST(DifferByStudentTest, OfConstantsComparesThem) {
  EXPECT_FALSE(DifferByStudent(std::vector<float>{1, 1}, std::vector<float>{1, 1}, 0.05));
  EXPECT_TRUE(DifferByStudent(std::vector<float>{1, 1}, std::vector<float>{2, 2}, 0.05));
}

TEST(BetterTimingTest, AVerdictNeedsIntervalsApart) {
  const BetterRule rule = {BetterTest::kVerdict};
  EXPECT_FALSE(IsBetter(rule, TimingOf(0.97, 0.02), TimingOf(1, 0.02)));
  EXPECT_TRUE(IsBetter(rule, TimingOf(0.90, 0.02), TimingOf(1, 0.02)));
  EXPECT_FALSE(IsBetter(rule, TimingOf(1.10, 0.02), TimingOf(1, 0.02)));
}

TEST(BetterTimingTest, AVerdictIsTheHarderTheLowerItsLevel) {
  // 5 % apart, with 95 % intervals of 2 % each. Normal intervals of 99 % are 1.31 times as wide,
  // those of 75 % 0.59 times.
  const auto is_better = [](double p, double seconds) {
    return IsBetter({BetterTest::kVerdict, p}, TimingOf(seconds, 0.02), TimingOf(1, 0.02));
  };
  EXPECT_TRUE(is_better(0.05, 0.955));
  EXPECT_FALSE(is_better(0.01, 0.955));
  EXPECT_FALSE(is_better(0.05, 0.97));
  EXPECT_TRUE(is_better(0.25, 0.97));
}

TEST(BetterTimingTest, StudentLooksAtSecondsAndTheirSpread) {
  const BetterRule rule = {BetterTest::kStudent, 0.05};
  EXPECT_FALSE(IsBetter(rule, TimingOf(0.98, 0.02), TimingOf(1, 0.02)));
  EXPECT_TRUE(IsBetter(rule, TimingOf(0.90, 0.02), TimingOf(1, 0.02)));
  EXPECT_FALSE(IsBetter(rule, TimingOf(1.10, 0.02), TimingOf(1, 0.02)));
}

TEST(BetterTimingTest, WithoutATestTheMiddleDecides) {
  const BetterRule rule = {BetterTest::kNone};
  EXPECT_TRUE(IsBetter(rule, TimingOf(0.99, 0.2), TimingOf(1, 0.2)));
  EXPECT_FALSE(IsBetter(rule, TimingOf(1, 0.2), TimingOf(1, 0.2)));
}

BetterRule ReadRule(const std::string& text) {
  const Spec spec = ParseSpec(text).value();
  SpecReader reader(spec, "thing");
  BetterRule rule;
  ReadLevel(reader, "thing x", rule);
  return rule;
}

TEST(ReadLevelTest, OneIsNoTest) {
  EXPECT_EQ(ReadRule("x").p, 0.05);
  EXPECT_EQ(ReadRule("x(p=0.1)").p, 0.1);
  EXPECT_EQ(ReadRule("x(p=0.1)").test, BetterTest::kVerdict);
  EXPECT_EQ(ReadRule("x(p=1)").test, BetterTest::kNone);
}

TEST(ReadLevelTest, OutOfRangeIsRefused) {
  for (const std::string p : {"0", "-1", "1.5"}) {
    try {
      ReadRule("x(p=" + p + ")");
      ADD_FAILURE() << p << " was taken";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("thing x: p=" + p));
      EXPECT_THAT(error.what(), testing::EndsWith("expected above 0 and at most 1"));
    }
  }
}

}  // namespace
}  // namespace schedulegym
