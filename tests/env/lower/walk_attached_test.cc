// Stages computed at a loop of another: their place, their region and their memory.
#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "tests/env/lower/lowered.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kStencil[] = "input A[12]\nP[i:12] = A[i] + 1\nC[i:10] = P[i] + P[i + 2]\n";

// The first allocation of P's buffer, as text.
std::string AllocationOf(std::string_view stage, std::string_view dag, std::string_view steps) {
  const std::string body = BodyOf(dag, steps);
  const size_t begin = body.find("allocate " + std::string(stage) + "[");
  if (begin == std::string::npos) return "";
  return body.substr(begin + 9, body.find('\n', begin) - begin - 9);
}

TEST(WalkAttachedTest, ComputesWhatAnIterationReads) {
  EXPECT_EQ(BodyOf(kStencil, "compute_at(stage=P, target=C, loop=0)"),
            "for i in 0..10\n"
            "  allocate P[3] : f32 local\n"
            "  for i_1 in 0..3\n"
            "    P[i_1] = A[i + i_1] + 1\n"
            "  C[i] = P[0] + P[2]\n");
}

// A whole part of 4 needs 6 values, the tail of 2 needs 4.
TEST(WalkAttachedTest, ComputesLessForTails) {
  EXPECT_EQ(BodyOf(kStencil,
                   "split(stage=C, loop=0, lengths=[4])\ncompute_at(stage=P, target=C, loop=0)"),
            "for i.0 in 0..2\n"
            "  allocate P[6] : f32 local\n"
            "  for i in 0..6\n"
            "    P[i] = A[i.0 * 4 + i] + 1\n"
            "  for i.1 in 0..4\n"
            "    C[i.0 * 4 + i.1] = P[i.1] + P[i.1 + 2]\n"
            "allocate P[4] : f32 local\n"
            "for i in 0..4\n"
            "  P[i] = A[i + 8] + 1\n"
            "for i.1 in 0..2\n"
            "  C[i.1 + 8] = P[i.1] + P[i.1 + 2]\n");
}

// Both at one loop: P comes first, because Q reads it; Q's halo widens P's.
TEST(WalkAttachedTest, ComputesProducersFirst) {
  constexpr char kChain[] =
      "input A[12]\nP[i:12] = A[i] + 1\nQ[i:10] = P[i] + P[i + 2]\nC[i:8] = Q[i] * Q[i + 2]\n";
  EXPECT_EQ(BodyOf(kChain,
                   "compute_at(stage=Q, target=C, loop=0)\ncompute_at(stage=P, target=C, loop=0)"),
            "for i in 0..8\n"
            "  allocate P[5] : f32 local\n"
            "  allocate Q[3] : f32 local\n"
            "  for i_1 in 0..5\n"
            "    P[i_1] = A[i + i_1] + 1\n"
            "  for i_1 in 0..3\n"
            "    Q[i_1] = P[i_1] + P[i_1 + 2]\n"
            "  C[i] = Q[0] * Q[2]\n");
  // One inside the other: three values of P for each value of Q.
  EXPECT_EQ(BodyOf(kChain,
                   "compute_at(stage=Q, target=C, loop=0)\ncompute_at(stage=P, target=Q, loop=0)"),
            "for i in 0..8\n"
            "  allocate Q[3] : f32 local\n"
            "  for i_1 in 0..3\n"
            "    allocate P[3] : f32 local\n"
            "    for i_2 in 0..3\n"
            "      P[i_2] = A[i + i_1 + i_2] + 1\n"
            "    Q[i_1] = P[0] + P[2]\n"
            "  C[i] = Q[0] * Q[2]\n");
}

// At a reduction loop, the producer is computed between begin and end of the sum.
TEST(WalkAttachedTest, ComputesWithinReductions) {
  EXPECT_EQ(BodyOf("input A[6, 4]\nP[i:6, k:4] = A[i, k] + 1\nC[i:6] = sum(k:4) P[i, k]\n",
                   "compute_at(stage=P, target=C, loop=1)"),
            "for i in 0..6\n"
            "  allocate C.tile[] : f32 local\n"
            "  C.tile[] = 0.0\n"
            "  for k in 0..4\n"
            "    allocate P[1, 1] : f32 local\n"
            "    P[0, 0] = A[i, k] + 1\n"
            "    C.tile[] = C.tile[] + P[0, 0]\n"
            "  C[i] = C.tile[]\n");
}

// 16 KiB are 4096 values of 4 bytes.
TEST(WalkAttachedTest, KeepsSmallRegionsLocal) {
  const auto allocation = [](const std::string& columns) {
    return AllocationOf("P",
                        "input A[2, " + columns + "]\nP[i:2, j:" + columns +
                            "] = A[i, j] + 1\nC[i:2, j:" + columns + "] = P[i, j] * 2\n",
                        "compute_at(stage=P, target=C, loop=0)");
  };
  EXPECT_EQ(allocation("4096"), "P[1, 4096] : f32 local");
  EXPECT_EQ(allocation("4097"), "P[1, 4097] : f32 global");
}

TEST(WalkAttachedTest, SharesMemoryWithParallelLoopsWithin) {
  constexpr char kRows[] = "input A[4, 8]\nP[i:4, j:8] = A[i, j] + 1\nC[i:4, j:8] = P[i, j] * 2\n";
  const std::string at = "compute_at(stage=P, target=C, loop=0)\n";
  EXPECT_EQ(AllocationOf("P", kRows, at), "P[1, 8] : f32 local");
  EXPECT_EQ(AllocationOf("P", kRows, at + "parallel(stage=P, loop=1)"), "P[1, 8] : f32 global");
  EXPECT_EQ(AllocationOf("P", kRows, at + "parallel(stage=C, loop=1)"), "P[1, 8] : f32 global");
  // Around the attachment, each iteration has its own buffer.
  EXPECT_EQ(AllocationOf("P", kRows, at + "parallel(stage=C, loop=0)"), "P[1, 8] : f32 local");
}

// Tiles and their order only matter in memory.
TEST(WalkAttachedTest, KeepsLayoutsInMemory) {
  EXPECT_EQ(AllocationOf("A.pack", "input A[4, 8]\nC[i:4, j:8] = A[i, j] + 1\n",
                         "pack(stage=A, readers=[C], tile=[1, 4], order=[1, 0, 2])\n"
                         "compute_at(stage=A.pack, target=C, loop=0)"),
            "A.pack[2, 1, 4] : f32 global");
}

// On a GPU the schedule sets the scope.
TEST(WalkAttachedTest, TakesTheScopeOfGpus) {
  const auto task = TaskOf("input A[4, 8]\nC[i:4, j:8] = A[i, j] + 1\n", BackendKind::kCuda);
  for (const std::string scope : {"shared", "local", "global"}) {
    const ScheduleState state =
        StateAfter(task, "cache_read(stage=A, scope=" + scope +
                             ", readers=[C])\ncompute_at(stage=A." + scope + ", target=C, loop=0)");
    EXPECT_NE(BodyOf(Lower(state).value()).find("[1, 8] : f32 " + scope), std::string::npos);
  }
}

// Stages are computed anew in every iteration, at any depth and with any halo.
TEST(WalkAttachedTest, ComputesTheSameAtAnyLoop) {
  constexpr char kPyramid[] =
      "input A[17, 13] : i32\nP[y:17, x:13] = A[y, x] * 3 + 1\n"
      "Q[y:8, x:11] = sum(r:3) P[2 * y + r, x + r]\nC[y:8, x:9] = Q[7 - y, x] - Q[y, x + 2]\n";
  std::vector<int32_t> input(17 * 13), expected;
  for (int i = 0; i < 17 * 13; ++i) input[i] = i * i % 31 - 9;
  const auto q = [&](int y, int x) {
    int32_t sum = 0;
    for (int r = 0; r < 3; ++r) sum += input[(2 * y + r) * 13 + x + r] * 3 + 1;
    return sum;
  };
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 9; ++x) expected.push_back(q(7 - y, x) - q(y, x + 2));
  }
  const std::string tiles =
      "split(stage=C, loop=0, lengths=[3])\nsplit(stage=C, loop=2, lengths=[4])\n"
      "reorder(stage=C, order=[0, 2, 1, 3])\n";
  for (int outer = 0; outer < 4; ++outer) {
    const std::string q_at =
        tiles + "compute_at(stage=Q, target=C, loop=" + std::to_string(outer) + ")\n";
    EXPECT_EQ(Outcome(kPyramid, q_at, {input}), expected) << q_at;
    for (int inner = 0; inner < 3; ++inner) {
      const std::string at = ", loop=" + std::to_string(inner) + ")";
      const std::string in_q = q_at + "compute_at(stage=P, target=Q" + at;
      EXPECT_EQ(Outcome(kPyramid, in_q, {input}), expected) << in_q;
      if (inner > outer) continue;
      const std::string in_c = q_at + "compute_at(stage=P, target=C" + at;
      EXPECT_EQ(Outcome(kPyramid, in_c, {input}), expected) << in_c;
    }
  }
}

}  // namespace
}  // namespace schedulegym
