#include "experiments/cli/machine_facts.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(MachineFactsTest, TicksAreSummedUpToSteal) {
  const auto ticks = ParseCpuTicks("cpu  100 1 20 300 4 5 6 64 7 8\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  ASSERT_TRUE(ticks);
  EXPECT_EQ(ticks->total, 500);
  EXPECT_EQ(ticks->steal, 64);
  EXPECT_FALSE(ParseCpuTicks("cpu  100 1 20\n"));
  EXPECT_FALSE(ParseCpuTicks("intr 5\n"));
  EXPECT_FALSE(ParseCpuTicks(""));
}

TEST(MachineFactsTest, StealIsAShareOfTheTimeBetween) {
  EXPECT_DOUBLE_EQ(StealShare({1000, 10}, {1200, 60}), 0.25);
  EXPECT_DOUBLE_EQ(StealShare({1000, 10}, {1000, 10}), 0);
}

TEST(MachineFactsTest, CpuInfoGivesTheFirstValue) {
  const char* text = "processor\t: 0\nmodel name\t: Fast One\n\nmodel name\t: Fast Two\n";
  EXPECT_EQ(CpuInfoValue(text, "model name"), "Fast One");
  EXPECT_EQ(CpuInfoValue(text, "model"), std::nullopt);
}

TEST(MachineFactsTest, ClockIsJudgedByItsReadings) {
  SteadyClock steady;
  const ClockQuality real = JudgeClock(steady);
  EXPECT_GT(real.step_seconds, 0);
  EXPECT_GT(real.call_seconds, 0);
  EXPECT_GE(real.jitter, 0);
}

TEST(MachineFactsTest, ProgramsAreFoundInPath) {
  EXPECT_EQ(FindInPath("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(FindInPath("sh", "/nowhere"), std::nullopt);
  EXPECT_EQ(FindInPath("no-such-program", "/bin:/usr/bin"), std::nullopt);
}

TEST(MachineFactsTest, FilesThatCannotBeReadAreAnAnswer) {
  EXPECT_EQ(ReadFileIfAny("/no/such/file"), std::nullopt);
  EXPECT_EQ(ReadFileIfAny("/"), std::nullopt) << "a folder is no file";
}

}  // namespace
}  // namespace schedulegym
