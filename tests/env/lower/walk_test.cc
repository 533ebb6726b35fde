// Loops as statements: peeled tails, guards, fused loops, split and unrolled loops.
#include <gtest/gtest.h>

#include <map>

#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "tests/env/lower/lowered.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

std::string CopyOf(int extent) {
  const std::string n = std::to_string(extent);
  return "input A[" + n + "]\nC[i:" + n + "] = A[i] + 1\n";
}

// 21 = 2 * 8 + 1 * 4 + 1: the tail of 5 has a whole part of 4 and a tail of its own.
TEST(WalkTest, PeelsTailsOfTails) {
  EXPECT_EQ(BodyOf(CopyOf(21), "split(stage=C, loop=0, lengths=[2, 4])"),
            "for i.0 in 0..2\n"
            "  for i.1 in 0..2\n"
            "    for i.2 in 0..4\n"
            "      C[i.0 * 8 + i.1 * 4 + i.2] = A[i.0 * 8 + i.1 * 4 + i.2] + 1\n"
            "for i.2 in 0..4\n"
            "  C[i.2 + 16] = A[i.2 + 16] + 1\n"
            "C[20] = A[20] + 1\n");
}

TEST(WalkTest, LeavesOutLoopsOfOneIteration) {
  EXPECT_EQ(BodyOf(CopyOf(5), "split(stage=C, loop=0, lengths=[1, 8])"),
            "for i.2 in 0..5\n"
            "  C[i.2] = A[i.2] + 1\n");
}

TEST(WalkTest, PeelsVectors) {
  EXPECT_EQ(BodyOf(CopyOf(10), "split(stage=C, loop=0, lengths=[4])\nvectorize(stage=C, loop=1)"),
            "for i.0 in 0..2\n"
            "  vector i.1 in 0..4\n"
            "    C[i.0 * 4 + i.1] = A[i.0 * 4 + i.1] + 1\n"
            "vector i.1 in 0..2\n"
            "  C[i.1 + 8] = A[i.1 + 8] + 1\n");
}

// Iterations of a parallel loop stay together, so each one checks which part it is.
TEST(WalkTest, BranchesInParallelLoops) {
  EXPECT_EQ(BodyOf(CopyOf(10), "split(stage=C, loop=0, lengths=[4])\nparallel(stage=C, loop=0)"),
            "parallel i.0 in 0..3\n"
            "  if i.0 < 2\n"
            "    let main = i.0\n"
            "    for i.1 in 0..4\n"
            "      C[main * 4 + i.1] = A[main * 4 + i.1] + 1\n"
            "  else\n"
            "    for i.1 in 0..2\n"
            "      C[i.1 + 8] = A[i.1 + 8] + 1\n");
}

// A single whole part needs no variable: it is part 0.
TEST(WalkTest, KnowsTheOnlyWholePart) {
  EXPECT_EQ(BodyOf(CopyOf(7), "split(stage=C, loop=0, lengths=[4])\nparallel(stage=C, loop=0)"),
            "parallel i.0 in 0..2\n"
            "  if i.0 < 1\n"
            "    for i.1 in 0..4\n"
            "      C[i.1] = A[i.1] + 1\n"
            "  else\n"
            "    for i.1 in 0..3\n"
            "      C[i.1 + 4] = A[i.1 + 4] + 1\n");
}

// Inside out, only the full length is known; a condition excludes 10 and 11.
TEST(WalkTest, GuardsPartsTakenInsideOut) {
  EXPECT_EQ(
      BodyOf(CopyOf(10), "split(stage=C, loop=0, lengths=[4])\nreorder(stage=C, order=[1, 0])"),
      "for i.0 in 0..4\n"
      "  for i.1 in 0..3\n"
      "    if i.0 + i.1 * 4 < 10\n"
      "      C[i.0 + i.1 * 4] = A[i.0 + i.1 * 4] + 1\n");
}

TEST(WalkTest, NamesThePartsOfFusedLoops) {
  EXPECT_EQ(BodyOf("input A[3, 5]\nC[i:3, j:5] = A[i, j] + 1\n",
                   "fuse(stage=C, loops=[0, 1])\nparallel(stage=C, loop=0)"),
            "parallel i@j in 0..15\n"
            "  let j = i@j % 5\n"
            "  let i = i@j // 5\n"
            "  C[i, j] = A[i, j] + 1\n");
}

// Iterations in which a select always holds need no check; the ends are split off.
TEST(WalkTest, CutsLoopsWhereSelectsHold) {
  constexpr char kPadded[] = "input X[9]\nP[x:11] = select(x >= 1 && x < 10, X[x - 1], 0)\n";
  EXPECT_EQ(BodyOf(kPadded, ""),
            "P[0] = 0.0\n"
            "for x in 1..10\n"
            "  P[x] = X[x - 1]\n"
            "P[10] = 0.0\n");
  EXPECT_EQ(BodyOf(kPadded, "parallel(stage=P, loop=0)"),
            "parallel x in 0..11\n"
            "  if x >= 1 && x < 10\n"
            "    P[x] = X[x - 1]\n"
            "  else\n"
            "    P[x] = 0.0\n");
}

// In each copy of an unrolled loop the select is known.
TEST(WalkTest, ExpandsUnrolledSelects) {
  EXPECT_EQ(BodyOf("input X[2]\nP[x:4] = select(x >= 1 && x < 3, X[x - 1], 0)\n",
                   "unroll(stage=P, loop=0)"),
            "P[0] = 0.0\n"
            "P[1] = X[0]\n"
            "P[2] = X[1]\n"
            "P[3] = 0.0\n");
  EXPECT_EQ(BodyOf(CopyOf(4), "unroll(stage=C, loop=0)"),
            "unrolled i in 0..4\n"
            "  C[i] = A[i] + 1\n");
}

TEST(WalkTest, KeepsEveryKindOfLoop) {
  const auto task = TaskOf("input A[2, 3, 4]\nC[i:2, j:3, k:4] = A[i, j, k]\n", BackendKind::kCuda);
  const ScheduleState state = StateAfter(task,
                                         "bind(stage=C, loop=0, thread=blockIdx.x)\n"
                                         "bind(stage=C, loop=1, thread=vthread)\n"
                                         "bind(stage=C, loop=2, thread=threadIdx.y)");
  EXPECT_EQ(BodyOf(Lower(state).value()),
            "blockIdx.x i in 0..2\n"
            "  vthread j in 0..3\n"
            "    threadIdx.y k in 0..4\n"
            "      C[i, j, k] = A[i, j, k]\n");
}

// For any splits, fusions, orders and annotations of a stage's loops, each element is stored once.
TEST(WalkTest, StoresEachElementOnce) {
  const auto task =
      TaskOf("input A[13, 7, 3]\nC[i:13, j:7, k:3] = select(i + j >= 3 && k < 2, A[i, j, k], 1)\n");
  Rng rng(14);
  int with_tails = 0;
  for (int trial = 0; trial < 400; ++trial) {
    ScheduleState state = StateAfter(task, "");
    for (int step = 0; step < 6; ++step) {
      const auto primitive = ProposePrimitive(state, rng.Below(8), rng);
      if (!primitive) continue;
      const auto next = Apply(state, *primitive);
      if (next && EstimatedWork(*next) < 4000) state = *next;
    }
    const LoopProgram program = Lower(state).value();
    ASSERT_TRUE(Validate(program).ok()) << state.TraceText();
    std::map<std::vector<int64_t>, int> stores;
    ForEachStore(program, [&](const Store&, const std::vector<int64_t>& cell) { ++stores[cell]; });
    EXPECT_EQ(stores.size(), 13u * 7 * 3) << state.TraceText();
    for (const auto& [cell, count] : stores) {
      ASSERT_EQ(count, 1) << state.TraceText() << program.ToText();
    }
    with_tails += CountOf("for", BodyOf(program)) > 3;
  }
  EXPECT_GT(with_tails, 100);
}

// Each term of a sum is added once: the terms are powers of a different base for each element.
TEST(WalkTest, AddsEachTermOnce) {
  constexpr char kSum[] = "input A[5, 11] : i32\nC[i:5] = sum(k:11) A[i, k]\n";
  std::vector<int32_t> terms, sums;
  for (int i = 0; i < 5; ++i) {
    int32_t power = 1, sum = 0;
    for (int k = 0; k < 11; ++k, power *= i + 2) {
      terms.push_back(power);
      sum += power;
    }
    sums.push_back(sum);
  }
  for (const char* steps :
       {"", "split(stage=C, loop=1, lengths=[4])", "split(stage=C, loop=1, lengths=[2, 3])",
        "split(stage=C, loop=1, lengths=[4])\nreorder(stage=C, order=[2, 0, 1])",
        "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[2, 1, 0])",
        "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[0, 2, 1])\n"
        "unroll(stage=C, loop=2)",
        "split(stage=C, loop=1, lengths=[3])\nunroll(stage=C, loop=2)\nunroll(stage=C, loop=1)",
        "split(stage=C, loop=1, lengths=[4])\nfuse(stage=C, loops=[1, 2])",
        "reorder(stage=C, order=[1, 0])\nvectorize(stage=C, loop=1)"}) {
    EXPECT_EQ(Outcome(kSum, steps, {terms}), sums) << steps;
  }
}

}  // namespace
}  // namespace schedulegym
