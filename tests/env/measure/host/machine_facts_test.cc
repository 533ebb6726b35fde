#include "env/measure/host/machine_facts.h"

#include <gtest/gtest.h>

#include "tests/env/measure/fake_root.h"

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

TEST(MachineFactsTest, TheWordInBracketsIsChosen) {
  EXPECT_EQ(ChosenWord("always [madvise] never"), "madvise");
  EXPECT_EQ(ChosenWord("always madvise"), std::nullopt);
  EXPECT_EQ(ChosenWord("] ["), std::nullopt);
  EXPECT_EQ(ChosenWord(""), std::nullopt);
}

TEST(MachineFactsTest, ListsAreCounted) {
  EXPECT_EQ(CountOfList("0"), 1);
  EXPECT_EQ(CountOfList("0-3"), 4);
  EXPECT_EQ(CountOfList("0-3,8,10-11"), 7);
  EXPECT_EQ(CountOfList(""), std::nullopt);
  EXPECT_EQ(CountOfList("3-1"), std::nullopt);
  EXPECT_EQ(CountOfList("a"), std::nullopt);
}

TEST(MachineFactsTest, AMachineIsReadFromItsFiles) {
  const FakeRoot root;
  root.Write("proc/cpuinfo",
             "model name\t: Fast One\ncpu MHz\t: 2500.5\nflags\t: sse hypervisor\n");
  root.Write("proc/loadavg", "1.25 0.5 0.1 1/2 3\n");
  root.Write("proc/meminfo", "SwapTotal:   1000 kB\nSwapFree:    400 kB\n");
  root.Write("proc/sys/kernel/randomize_va_space", "2\n");
  root.Write("proc/sys/kernel/perf_event_paranoid", "-1\n");
  root.Write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  root.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  root.Write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  root.Write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  root.Write("sys/devices/system/cpu/smt/active", "1\n");
  root.Write("sys/devices/system/node/online", "0-1\n");
  root.Write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  const MachineFacts facts = ReadMachineFacts(root.path());
  EXPECT_EQ(facts.processor, "Fast One");
  EXPECT_EQ(facts.virtual_machine, true);
  EXPECT_EQ(facts.mhz, 2500.5);
  EXPECT_EQ(facts.load, 1.25);
  EXPECT_EQ(facts.swap_used_bytes, 600 * 1024);
  EXPECT_EQ(facts.random_addresses, true);
  EXPECT_EQ(facts.counter_paranoia, -1);
  EXPECT_EQ(facts.clock_source, "tsc");
  EXPECT_EQ(facts.governor, "powersave");
  EXPECT_EQ(facts.turbo, false) << "what the driver says counts";
  EXPECT_EQ(facts.smt, true);
  EXPECT_EQ(facts.memory_nodes, 2);
  EXPECT_EQ(facts.huge_pages, "always");
  EXPECT_EQ(facts.cgroup, std::nullopt);
  EXPECT_GT(facts.page_bytes, 0);
}

TEST(MachineFactsTest, AMachineThatTellsNothing) {
  const FakeRoot root;
  const MachineFacts facts = ReadMachineFacts(root.path());
  EXPECT_EQ(facts.processor, std::nullopt);
  EXPECT_EQ(facts.virtual_machine, std::nullopt);
  EXPECT_EQ(facts.turbo, std::nullopt);
  EXPECT_EQ(facts.smt, std::nullopt);
  EXPECT_EQ(facts.load, std::nullopt);
  EXPECT_EQ(facts.swap_used_bytes, std::nullopt);
  EXPECT_EQ(facts.memory_nodes, std::nullopt);
}

TEST(MachineFactsTest, BoostIsTurboToo) {
  const FakeRoot root;
  root.Write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(ReadMachineFacts(root.path()).turbo, true);
}

TEST(MachineFactsTest, FilesThatCannotBeReadAreAnAnswer) {
  EXPECT_EQ(ReadFileIfAny("/no/such/file"), std::nullopt);
  EXPECT_EQ(ReadFileIfAny("/"), std::nullopt) << "a folder is no file";
}

}  // namespace
}  // namespace schedulegym
