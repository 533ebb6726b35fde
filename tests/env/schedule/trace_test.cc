#include "env/schedule/state.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] = "input A[64]\nP[i:64] = A[i] + 1\nC[i:64] = P[i] * 2\n";

std::string ErrorOf(std::string_view trace) {
  const auto state = ReplayText(TaskOf(kChain), trace);
  return state ? "" : state.error().message;
}

ErrorKind KindOf(std::string_view trace) { return ReplayText(TaskOf(kChain), trace).error().kind; }

TEST(TraceTest, PrintsOnePrimitiveALine) {
  const Trace trace = {Split{{2}, 0, {4, 8}}, ComputeAt{{1}, {2}, 0}, Vectorize{{2}, 2}};
  EXPECT_EQ(TraceToText(trace, {"A", "P", "C"}),
            "trace 1\n"
            "split(stage=C, loop=0, lengths=[4, 8])\n"
            "compute_at(stage=P, target=C, loop=0)\n"
            "vectorize(stage=C, loop=2)\n");
}

TEST(TraceTest, IsReadBack) {
  const std::string text =
      "trace 1\n"
      "cache_write(stage=C, scope=local)\n"
      "split(stage=C.local, loop=0, lengths=[8], inner_to_outer=false)\n"
      "compute_inline(stage=P)\n";
  const ScheduleState state = ReplayText(TaskOf(kChain), text).value();
  EXPECT_EQ(state.TraceText(), text);
  EXPECT_EQ(state.trace_size(), 3);
  EXPECT_EQ(NameOf(state.step(1)), "split");
  EXPECT_EQ(NameOf(state.step(2)), "compute_inline");
}

TEST(TraceTest, SkipsCommentsAndSpace) {
  const ScheduleState state = ReplayText(TaskOf(kChain),
                                         "# by hand\n\n  trace 1  # the first form\n\n"
                                         "  unroll( stage = C , loop=0 )  # all of it\n# done\n")
                                  .value();
  EXPECT_EQ(state.TraceText(), "trace 1\nunroll(stage=C, loop=0)\n");
}

TEST(TraceTest, MayHoldNothing) {
  EXPECT_EQ(ReplayText(TaskOf(kChain), "trace 1").value().trace_size(), 0);
  EXPECT_EQ(ReplayText(TaskOf(kChain), "trace 1\n").value().TraceText(), "trace 1\n");
}

TEST(TraceTest, NamesTheLineOfAnError) {
  EXPECT_EQ(ErrorOf(""), "line 1: expected 'trace 1'");
  EXPECT_EQ(ErrorOf("trace 2\n"), "line 1: expected 'trace 1'");
  EXPECT_EQ(ErrorOf("split(stage=C, loop=0, lengths=[4])"), "line 1: expected 'trace 1'");
  EXPECT_EQ(ErrorOf("\n# a\ntrace 1\n\nunroll(stage=C, loop=0)\nunroll(stage=C, loop=7)\n"),
            "line 6: unroll: found loop 7, but C has 1 loops");
  EXPECT_EQ(ErrorOf("trace 1\nunroll(stage=D, loop=0)\n"),
            "line 2: stage: unknown stage 'D': expected one of A, P, C");
  EXPECT_EQ(KindOf("trace 1\nunroll(stage=C, loop=7)\n"), ErrorKind::kIllegal);
  EXPECT_EQ(KindOf("trace 1\nunroll(stage=D, loop=0)\n"), ErrorKind::kParse);
}

TEST(TraceTest, HasALimitOfPrimitives) {
  std::string trace = "# long\ntrace 1\n";
  for (int i = 0; i < 4097; ++i) trace += "split(stage=C, loop=9, lengths=[2])\n";
  EXPECT_EQ(ErrorOf(trace), "line 4099: found more than 4096 primitives, expected at most so many");
}

TEST(TraceTest, HasALimitOfValues) {
  std::string lengths = "1";
  for (int i = 0; i < 256; ++i) lengths += ", 1";
  EXPECT_EQ(ErrorOf("trace 1\nsplit(stage=C, loop=0, lengths=[" + lengths + "])\n"),
            "line 2: lengths: found a list of more than 256 values, expected at most so many");
}

TEST(TraceTest, ReplaysPrimitives) {
  const Trace trace = {Split{{2}, 0, {4, 8}}, ComputeAt{{1}, {2}, 0}};
  const ScheduleState state = Replay(TaskOf(kChain), trace).value();
  EXPECT_EQ(state.trace(), trace);
  const auto wrong = Replay(TaskOf(kChain), {Split{{2}, 0, {4, 8}}, Unroll{{2}, 5}});
  EXPECT_EQ(wrong.error().message, "line 3: unroll: found loop 5, but C has 3 loops");
  const auto absent = Replay(TaskOf(kChain), {Unroll{{5}, 0}});
  EXPECT_EQ(absent.error().message, "line 2: unroll: found stage 5, expected one of 0..2");
}

}  // namespace
}  // namespace schedulegym
