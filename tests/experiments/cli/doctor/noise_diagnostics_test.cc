#include "experiments/cli/doctor/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace schedulegym {
namespace {

using testing::HasSubstr;

// A machine that is fit for measuring.
SessionProbe Quiet() {
  SessionProbe probe;
  MachineFacts& machine = probe.machine;
  machine.mhz = 3000;
  machine.governor = "performance";
  machine.turbo = false;
  machine.smt = false;
  machine.load = 0.1;
  machine.cgroup = CgroupCpu{};
  machine.page_bytes = 4096;
  machine.huge_pages = "madvise";
  machine.random_addresses = true;
  machine.memory_nodes = 1;
  machine.swap_used_bytes = 0;
  machine.counter_paranoia = 2;
  probe.clock = {2e-8, 2e-8, 0.01};
  probe.steal_share = 0;
  probe.errors = {0.001, 0.002, 0.003};
  probe.grade = HostGrade::kA;
  return probe;
}

std::map<std::string, Diagnostic> Find(const SessionProbe& probe,
                                       const std::optional<std::string>& counters = std::nullopt) {
  std::map<std::string, Diagnostic> found;
  for (const Diagnostic& diagnostic : NoiseDiagnostics(probe, 4, counters))
    found[diagnostic.name] = diagnostic;
  return found;
}

TEST(NoiseDiagnosticsTest, AGoodMachineNeedsNoAdvice) {
  for (const auto& [name, diagnostic] : Find(Quiet())) EXPECT_EQ(diagnostic.advice, "") << name;
}

TEST(NoiseDiagnosticsTest, WhatIsUnknownNeedsNone) {
  SessionProbe probe;
  probe.errors = {0.001};
  probe.grade = HostGrade::kA;
  for (const auto& [name, diagnostic] : Find(probe)) EXPECT_EQ(diagnostic.advice, "") << name;
  EXPECT_EQ(Find(probe)["turbo"].value, "unknown");
  EXPECT_EQ(ToJson(Find(probe)["turbo"].fields), R"({"active":null})");
}

// A fact that makes measurements worse: how to set it, its name, and the text of its cure.
struct Trouble {
  std::string diagnostic;
  std::string cure;
  void (*cause)(SessionProbe&);
};

class TroubleTest : public testing::TestWithParam<Trouble> {};

TEST_P(TroubleTest, IsNamedAloneWithItsCure) {
  SessionProbe probe = Quiet();
  GetParam().cause(probe);
  for (const auto& [name, diagnostic] : Find(probe)) {
    if (name == GetParam().diagnostic) {
      EXPECT_THAT(diagnostic.advice, HasSubstr(GetParam().cure));
    } else {
      EXPECT_EQ(diagnostic.advice, "") << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, TroubleTest,
    testing::Values(
        Trouble{"frequency", "cpupower",
                [](SessionProbe& probe) { probe.machine.governor = "powersave"; }},
        Trouble{"turbo", "no_turbo", [](SessionProbe& probe) { probe.machine.turbo = true; }},
        Trouble{"hyper-threads", "smt/control",
                [](SessionProbe& probe) { probe.machine.smt = true; }},
        Trouble{"load", "idle", [](SessionProbe& probe) { probe.machine.load = 2.1; }},
        Trouble{"clock", "coarse", [](SessionProbe& probe) { probe.clock.step_seconds = 1e-5; }},
        Trouble{"clock", "disturbs", [](SessionProbe& probe) { probe.clock.jitter = 0.2; }},
        Trouble{"steal", "guests", [](SessionProbe& probe) { probe.steal_share = 0.03; }},
        Trouble{"throttling", "4 cores or more",
                [](SessionProbe& probe) { probe.machine.cgroup->quota_cores = 3.5; }},
        Trouble{"throttling", "limit", [](SessionProbe& probe) { probe.throttled_seconds = 0.5; }},
        Trouble{"huge pages", "madvise",
                [](SessionProbe& probe) { probe.machine.huge_pages = "always"; }},
        Trouble{"addresses", "randomize_va_space=2",
                [](SessionProbe& probe) { probe.machine.random_addresses = false; }},
        Trouble{"memory nodes", "numactl",
                [](SessionProbe& probe) { probe.machine.memory_nodes = 2; }},
        Trouble{"swap", "swapoff",
                [](SessionProbe& probe) { probe.machine.swap_used_bytes = 4096; }},
        Trouble{"grade", "0.5 %", [](SessionProbe& probe) { probe.grade = HostGrade::kB; }},
        Trouble{"grade", "leaderboard", [](SessionProbe& probe) { probe.grade = HostGrade::kC; }}));

TEST(NoiseDiagnosticsTest, MissingCountersSayWhatTheSystemAnswered) {
  SessionProbe probe = Quiet();
  const Diagnostic absent = Find(probe, "no event counters: No such file")["counters"];
  EXPECT_EQ(absent.value, "no event counters: No such file");
  EXPECT_THAT(absent.advice, HasSubstr("host"));
  EXPECT_EQ(ToJson(absent.fields), R"({"available":false,"paranoia":2})");
  probe.machine.counter_paranoia = 3;
  EXPECT_THAT(Find(probe, "no")["counters"].advice, HasSubstr("perf_event_paranoid=2"));
}

TEST(NoiseDiagnosticsTest, AQuotaThatIsEnoughIsNoTrouble) {
  SessionProbe probe = Quiet();
  probe.machine.cgroup = CgroupCpu{4.0, 7, 0.25};
  const Diagnostic diagnostic = Find(probe)["throttling"];
  EXPECT_EQ(diagnostic.value, "at most 4.00 cores, stopped 7 times so far");
  EXPECT_EQ(diagnostic.advice, "");
}

TEST(NoiseDiagnosticsTest, TheGradeHasItsFigures) {
  SessionProbe probe = Quiet();
  probe.errors = {0.001, 0.002, 0.003};
  const Diagnostic grade = Find(probe)["grade"];
  EXPECT_EQ(grade.value, "A: equal kernels differ by 0.29 % (95 % of 3 runs; median 0.20 %)");
  EXPECT_THAT(ToJson(grade.fields), HasSubstr(R"({"grade":"A","error":0.0029)"));
  EXPECT_EQ(NoiseDiagnostics(probe, 4, std::nullopt).back().name, "grade");
}

}  // namespace
}  // namespace schedulegym
