// Parallel, vectorize, unroll and bind: annotations of one loop.
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatrix[] = "input A[8, 16, 4]\nC[i:8, j:16] = sum(k:4) A[i, j, k]\n";
constexpr char kChain[] = "input A[4, 8]\nP[i:4, j:8] = A[i, j] + 1\nC[i:4, j:8] = P[i, j] * 2\n";

TEST(ParallelTest, MarksALoop) {
  EXPECT_EQ(LoopsOf(StateAfter(kMatrix, "parallel(stage=C, loop=0)")),
            "C[8, 16] global:\n"
            "parallel i in 0..8\n"
            "  for j in 0..16\n"
            "    for k in 0..4  # reduction\n"
            "      C[i, j] = sum A[i, j, k]\n");
}

TEST(ParallelTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kMatrix, "");
  EXPECT_EQ(RefusalOf(state, "parallel(stage=C, loop=2)"),
            "loop 2 of C is a reduction: its iterations write the same cells");
  EXPECT_EQ(RefusalOf(StateAfter(state, "parallel(stage=C, loop=0)"), "parallel(stage=C, loop=1)"),
            "C has a parallel loop already");
  EXPECT_EQ(RefusalOf(StateAfter(state, "unroll(stage=C, loop=0)"), "parallel(stage=C, loop=0)"),
            "loop 0 of C is annotated already (unrolled)");
  EXPECT_EQ(RefusalOf(state, "parallel(stage=C, loop=3)"), "found loop 3, but C has 3 loops");
}

TEST(ParallelTest, DoesNotNest) {
  const ScheduleState outer =
      StateAfter(kChain, "compute_at(stage=P, target=C, loop=0)\nparallel(stage=C, loop=0)");
  EXPECT_EQ(RefusalOf(outer, "parallel(stage=P, loop=0)"), "P is computed within a parallel loop");
  const ScheduleState inner =
      StateAfter(kChain, "compute_at(stage=P, target=C, loop=0)\nparallel(stage=P, loop=0)");
  EXPECT_EQ(RefusalOf(inner, "parallel(stage=C, loop=0)"),
            "P, computed within the loop, is parallel already");
  EXPECT_EQ(RefusalOf(inner, "parallel(stage=C, loop=1)"), "");
}

TEST(VectorizeTest, MarksTheInnermostLoop) {
  EXPECT_EQ(LoopsOf(StateAfter(kChain, "compute_inline(stage=P)\nvectorize(stage=C, loop=1)")),
            "inlined P\n"
            "C[4, 8] global:\n"
            "for i in 0..4\n"
            "  vector j in 0..8\n"
            "    C[i, j] = (A[i, j] + 1) * 2\n");
}

TEST(VectorizeTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kMatrix, "");
  EXPECT_EQ(RefusalOf(state, "vectorize(stage=C, loop=1)"), "loop 1 of C is not the innermost");
  EXPECT_EQ(RefusalOf(state, "vectorize(stage=C, loop=2)"),
            "loop 2 of C is a reduction: use rfactor first");
  EXPECT_EQ(RefusalOf(StateAfter("input A[1025]\nC[i:1025] = A[i] + 1\n", ""),
                      "vectorize(stage=C, loop=0)"),
            "found extent 1025, expected at most 1024");
  EXPECT_EQ(RefusalOf(StateAfter(kChain, "compute_at(stage=P, target=C, loop=1)"),
                      "vectorize(stage=C, loop=1)"),
            "P is computed at this loop");
  EXPECT_EQ(
      RefusalOf(StateAfter(kChain, "vectorize(stage=C, loop=1)"), "vectorize(stage=C, loop=1)"),
      "loop 1 of C is annotated already (vector)");
}

TEST(UnrollTest, MarksAnyLoop) {
  EXPECT_EQ(LoopsOf(StateAfter(kMatrix, "unroll(stage=C, loop=2)\nunroll(stage=C, loop=0)")),
            "C[8, 16] global:\n"
            "unrolled i in 0..8\n"
            "  for j in 0..16\n"
            "    unrolled k in 0..4  # reduction\n"
            "      C[i, j] = sum A[i, j, k]\n");
}

TEST(UnrollTest, SaysWhyNot) {
  const ScheduleState state = StateAfter("input A[1025]\nC[i:1025] = A[i] + 1\n", "");
  EXPECT_EQ(RefusalOf(state, "unroll(stage=C, loop=0)"),
            "found extent 1025, expected at most 1024");
  EXPECT_EQ(RefusalOf(StateAfter(kMatrix, "unroll(stage=C, loop=0)"), "unroll(stage=C, loop=0)"),
            "loop 0 of C is annotated already (unrolled)");
}

TEST(BindTest, IsRefusedByCpus) {
  EXPECT_EQ(RefusalOf(StateAfter(kMatrix, ""), "bind(stage=C, loop=0, thread=blockIdx.x)"),
            "target llvm has no blockIdx.x, expected target cuda or opencl");
  EXPECT_EQ(RefusalOf(StateAfter(TaskOf(kMatrix, BackendKind::kInterpreter), ""),
                      "bind(stage=C, loop=0, thread=vthread)"),
            "target interpreter has no vthread, expected target cuda or opencl");
}

TEST(BindTest, TakesReductionsToThreadsAlone) {
  const ScheduleState state = StateAfter(TaskOf(kMatrix, BackendKind::kOpenCl), "");
  EXPECT_EQ(RefusalOf(state, "bind(stage=C, loop=2, thread=threadIdx.x)"), "");
  EXPECT_EQ(RefusalOf(state, "bind(stage=C, loop=2, thread=blockIdx.x)"),
            "loop 2 of C is a reduction: expected threadIdx.x, threadIdx.y or threadIdx.z, whose "
            "threads share their sums, found blockIdx.x");
  EXPECT_EQ(RefusalOf(state, "bind(stage=C, loop=2, thread=vthread)").substr(0, 25),
            "loop 2 of C is a reductio");
}

TEST(BindTest, MarksLoopsOfAGpu) {
  const ScheduleState state = StateAfter(
      TaskOf(kMatrix, BackendKind::kCuda),
      "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.y)");
  EXPECT_EQ(LoopsOf(state),
            "C[8, 16] global:\n"
            "blockIdx.x i in 0..8\n"
            "  threadIdx.y j in 0..16\n"
            "    for k in 0..4  # reduction\n"
            "      C[i, j] = sum A[i, j, k]\n");
  EXPECT_EQ(RefusalOf(state, "bind(stage=C, loop=1, thread=threadIdx.x)"),
            "loop 1 of C is annotated already (threadIdx.y)");
}

TEST(BindTest, TakesEachThreadOnce) {
  const ScheduleState state =
      StateAfter(TaskOf(kMatrix, BackendKind::kCuda), "bind(stage=C, loop=0, thread=blockIdx.x)");
  EXPECT_EQ(RefusalOf(state, "bind(stage=C, loop=1, thread=blockIdx.x)"),
            "C has a loop on blockIdx.x already");
}

}  // namespace
}  // namespace schedulegym
