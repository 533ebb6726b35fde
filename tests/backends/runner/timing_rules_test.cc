#include "backends/runner/timing_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

Timing TimingOf(double low, double high, double seconds = 1) {
  Timing timing;
  timing.seconds = seconds;
  timing.ratio = {(low + high) / 2, low, high};
  return timing;
}

TEST(TimingRulesTest, ThreadsThatShareACoreAreNoticed) {
  EXPECT_TRUE(IsShortOfThreads(true, 2, 1.0));
  EXPECT_FALSE(IsShortOfThreads(true, 2, 1.6));
  EXPECT_TRUE(IsShortOfThreads(true, 8, 4.0));
  EXPECT_FALSE(IsShortOfThreads(true, 1, 0.1));
  EXPECT_FALSE(IsShortOfThreads(false, 2, 1.0));
}

TEST(TimingRulesTest, OnlyWhatMayBeTheBestCanBeNoisy) {
  EXPECT_FALSE(IsNoisy(TimingOf(1, 1.9), std::nullopt));
  EXPECT_TRUE(IsNoisy(TimingOf(1, 2.1), std::nullopt));
  EXPECT_TRUE(IsNoisy(TimingOf(1, 2.1), 2.0));
  EXPECT_FALSE(IsNoisy(TimingOf(1, 2.1), 2.2));
}

TEST(TimingRulesTest, TimesThatNoMachineReachesAreImpossible) {
  EXPECT_FALSE(CheckTiming(TimingOf(1, 1.1), 1e9, 1e9, std::nullopt).has_value());
  const std::optional<Failure> fast = CheckTiming(TimingOf(1, 1.1), 2e9, 1e9, std::nullopt);
  ASSERT_TRUE(fast.has_value());
  EXPECT_EQ(fast->outcome, Outcome::kImpossibleTime);
  EXPECT_EQ(CheckTiming(TimingOf(1, 1.1, 0), 0, 1e9, std::nullopt)->outcome,
            Outcome::kImpossibleTime);
}

TEST(TimingRulesTest, WideIntervalsAreNoisy) {
  const std::optional<Failure> noisy = CheckTiming(TimingOf(1, 3), 1, 1e9, std::nullopt);
  ASSERT_TRUE(noisy.has_value());
  EXPECT_EQ(noisy->outcome, Outcome::kNoisy);
  EXPECT_THAT(noisy->message, HasSubstr("between 1.0 and 3.0"));
}

TEST(TimingRulesTest, TheCeilingGrowsWithLanesAndCores) {
  const auto most = [](const std::string& target, const std::string& type) {
    return MostFlopsPerSecond(Task{DagOf("input A[4] : " + type + "\nC[i:4] = A[i] + A[i]\n"),
                                   MakeTarget(ParseSpec("interpreter(" + target + ")").value()),
                                   ""});
  };
  EXPECT_EQ(most("cores=4", "f32"), 4 * most("cores=1", "f32"));
  EXPECT_EQ(most("cores=1", "f32"), 2 * most("cores=1", "f64"));
}

}  // namespace
}  // namespace schedulegym
