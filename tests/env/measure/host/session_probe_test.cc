#include "env/measure/host/session_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/spec.h"
#include "env/measure/timing/clocks.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

TEST(ErrorsOfEqualCallsTest, TakesWhatTheTimeAllows) {
  FakeClock wall, cpu;
  Rng rng(1);
  int64_t calls = 0;
  const auto call = [&] {
    wall.Advance(1.1e-3);
    ++calls;
  };
  // 0.125 s a run: 51 rounds of two calls, and six warm-up calls each.
  const std::vector<double> errors = ErrorsOfEqualCalls(call, {wall, cpu}, 1.2, rng);
  EXPECT_EQ(errors.size(), 9u);
  for (const double error : errors) EXPECT_NEAR(error, 0, 1e-6);
  EXPECT_LE(static_cast<double>(calls) * 1.1e-3, 1.2);
}

TEST(ErrorsOfEqualCallsTest, FiveAtLeast) {
  FakeClock wall, cpu;
  Rng rng(1);
  EXPECT_EQ(ErrorsOfEqualCalls([&] { wall.Advance(0.1); }, {wall, cpu}, 0, rng).size(), 5u);
}

TEST(SessionProbeTest, ThisMachine) {
  const SteadyClock wall;
  const ProcessCpuClock cpu;
  Rng rng(1);
  const SessionProbe probe = ProbeHost({wall, cpu}, 0, rng);
  EXPECT_GE(probe.errors.size(), 5u);
  EXPECT_EQ(probe.grade, GradeOf(probe.errors));
  EXPECT_GT(probe.empty_call_seconds, 0);
  EXPECT_GT(probe.clock.step_seconds, 0);
  EXPECT_GT(probe.machine.page_bytes, 0);
}

TEST(SessionProbeTest, TheTextIsASpecOfWhatIsKnown) {
  SessionProbe probe;
  probe.errors = {0.25};
  probe.machine.smt = true;
  probe.machine.governor = "powersave";
  const std::string text = ProbeText(probe);
  EXPECT_TRUE(ParseSpec(text).ok()) << text;
  EXPECT_THAT(text, testing::StartsWith("probe(grade=\"C\",error=0.25,runs=1,"));
  EXPECT_THAT(text, testing::HasSubstr("governor=\"powersave\",smt=true"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("turbo")));
}

}  // namespace
}  // namespace schedulegym
