#include "spaces/bind_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/workloads/workload.h"
#include "spaces/ansor/ansor_rules.h"
#include "spaces/ansor/derive.h"
#include "spaces/builtin_spaces.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::shared_ptr<const Task> GpuTask(const std::string& workload) {
  const Target target = MakeTarget(ParseSpec("opencl(threads=256)").value());
  return std::make_shared<const Task>(
      Task{MakeWorkload(ParseSpec(workload).value()), target, workload});
}

ScheduleState AfterOn(const std::shared_ptr<const Task>& task, const std::string& trace) {
  return StateAfter(task, trace);
}

TEST(BindThreadsTest, GivesAWarpToUntiledStages) {
  const auto task = TaskOf("input A[16, 16]\nC[i:16, j:16] = A[i, j] + 1\n", BackendKind::kOpenCl);
  const ScheduleState state = BindThreads(ScheduleState::Initial(task)).value();
  EXPECT_EQ(state.TraceText(),
            "trace 1\nfuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[32])\n"
            "bind(stage=C, loop=0, thread=blockIdx.x)\n"
            "bind(stage=C, loop=1, thread=threadIdx.x)\n");
}

TEST(BindThreadsTest, GivesThreadsAloneToLittleWork) {
  const auto task = TaskOf("input A[7]\nC[i:7] = A[i] + 1\n", BackendKind::kOpenCl);
  EXPECT_EQ(BindThreads(ScheduleState::Initial(task))->TraceText(),
            "trace 1\nbind(stage=C, loop=0, thread=threadIdx.x)\n");
}

// Warps of 32; a block is at most as large as the loop, the device, or the given number of warps.
TEST(BindThreadsTest, BlocksHaveWholeWarps) {
  const Target target = MakeTarget(ParseSpec("opencl(threads=256)").value());
  EXPECT_THAT(BlockSizes(target, 1000000, 32), ElementsAre(32, 64, 128, 256));
  EXPECT_THAT(BlockSizes(target, 1000000, 3), ElementsAre(32, 64));
  EXPECT_THAT(BlockSizes(target, 129, 32), ElementsAre(32, 64, 128));
  EXPECT_THAT(BlockSizes(target, 33, 32), ElementsAre(32));
  EXPECT_THAT(BlockSizes(target, 32, 32), IsEmpty());
}

TEST(BindThreadsTest, LeavesBlocksThatAreBound) {
  const auto task = TaskOf("input A[16, 16]\nC[i:16, j:16] = A[i, j] + 1\n", BackendKind::kOpenCl);
  ScheduleState state = ScheduleState::Initial(task);
  EXPECT_EQ(IterationsOfBlocks(state, state.Find("C")), 256);
  for (const Primitive& step : InBlocks(state, state.Find("C"), 128)) {
    state = Apply(state, step).value();
  }
  const std::string text =
      "trace 1\nfuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[128])\n"
      "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.x)\n";
  EXPECT_EQ(state.TraceText(), text);
  EXPECT_EQ(BindThreads(state)->TraceText(), text);
  EXPECT_EQ(IterationsOfBlocks(state, state.Find("C")), 0);
  ASSERT_EQ(BlocksOf(state).size(), 1u);
  EXPECT_EQ(BlocksOf(state)[0].extent, 256);
  EXPECT_EQ(BlocksOf(state)[0].threads, 128);
  EXPECT_THAT(WithoutBindings(state), IsEmpty());
}

// A sum shared by threads takes a block; tiles have threads of their own.
TEST(BindThreadsTest, FindsNoBlocksOfSumsAndTiles) {
  const auto rows = TaskOf("input A[70, 200]\nS[i:70] = sum(k:200) A[i, k]\nC[i:70] = S[i] / 200\n",
                           BackendKind::kOpenCl);
  const ScheduleState shared = DeriveSketches(rows, AnsorRules())[0].state;
  EXPECT_EQ(IterationsOfBlocks(shared, shared.Find("C")), 0);
  EXPECT_THAT(BlocksOf(*BindThreads(shared)), SizeIs(0));
  const auto matmul = GpuTask("matmul(m=64,n=64,k=64)");
  const ScheduleState tiled = DeriveSketches(matmul, AnsorRules())[0].state;
  EXPECT_EQ(IterationsOfBlocks(tiled, tiled.Find("C")), 0);
  EXPECT_THAT(BlocksOf(*BindThreads(tiled)), SizeIs(0));
}

TEST(BindThreadsTest, IsTakenOffAgain) {
  const auto task = GpuTask("matmul(m=64,n=64,k=64)");
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const ScheduleState state = space->Sample(task, rng).value();
    const ScheduleState bare = Replay(task, WithoutBindings(state)).value();
    EXPECT_EQ(BindThreads(bare)->TraceText(), state.TraceText());
  }
}

TEST(BindThreadsTest, RefusesWhatNoDeviceLaunches) {
  const auto task = GpuTask("matmul(m=512,n=512,k=8)");
  const auto refusal = [&](const std::string& trace) {
    const Result<void> fits = CheckLaunch(AfterOn(task, trace));
    return fits ? "none" : fits.error().message;
  };
  EXPECT_THAT(refusal("bind(stage=C, loop=0, thread=threadIdx.x)"),
              HasSubstr("found 512 threads, expected at most 256"));
  EXPECT_THAT(
      refusal("split(stage=C, loop=0, lengths=[16])\nbind(stage=C, loop=0, thread=vthread)"),
      HasSubstr("found 32 virtual threads, expected at most 8"));
  EXPECT_THAT(refusal("split(stage=C, loop=0, lengths=[4])\n"
                      "bind(stage=C, loop=1, thread=threadIdx.x)"),
              HasSubstr("found 4 threads, expected a warp of 32 at least"));
}

// Limits of a device's driver: bytes of a block, and of one access.
TEST(BindThreadsTest, RefusesWhatDoesNotFitTheBlock) {
  const auto task = std::make_shared<const Task>(
      Task{MakeWorkload(ParseSpec("matmul(m=64,n=64,k=64)").value()),
           MakeTarget(ParseSpec("opencl(shared=1000,warp=1)").value()), "matmul"});
  const std::string copy =
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n";
  const auto refusal = [&](const std::string& steps) {
    const Result<void> fits = CheckLaunch(AfterOn(task, copy + steps));
    return fits ? "none" : fits.error().message;
  };
  // All 64 threads read one column of 64, or all columns.
  EXPECT_EQ(refusal("compute_at(stage=A.shared, target=C, loop=2)"), "none");
  EXPECT_THAT(refusal("compute_at(stage=A.shared, target=C, loop=1)"),
              HasSubstr("found 16384 shared bytes, expected at most 1000"));
  EXPECT_THAT(refusal("compute_at(stage=A.shared, target=C, loop=2)\nsplit(stage=A.shared, loop=0, "
                      "lengths=[8])\nreorder(stage=A.shared, order=[0, 2, 1])\n"
                      "vectorize(stage=A.shared, loop=2)"),
              HasSubstr("found 32 bytes of a vector, expected at most 16"));
}

// With four threads in a warp, 16 elements of A and of B are copied in vectors of two.
TEST(BindThreadsTest, FetchesCopiesTogether) {
  const auto task =
      TaskOf("input A[4, 4]\ninput B[4, 4]\nC[i:4, j:4] = sum(k:4) A[i, k] * B[k, j]\n",
             BackendKind::kOpenCl);
  const ScheduleState state = StateAfter(
      task,
      "split(stage=C, loop=0, lengths=[1, 2, 2, 1])\nsplit(stage=C, loop=5, lengths=[1, 2, 2, 1])\n"
      "split(stage=C, loop=10, lengths=[4, 1])\n"
      "reorder(stage=C, order=[0, 5, 1, 6, 2, 7, 10, 11, 3, 8, 12, 4, 9])\n"
      "cache_read(stage=A, scope=shared, readers=[C])\n"
      "compute_at(stage=A.shared, target=C, loop=6)\nfuse(stage=A.shared, loops=[0, 1])\n"
      "split(stage=A.shared, loop=0, lengths=[2])\nvectorize(stage=A.shared, loop=1)\n");
  const std::string bound = BindThreads(state)->TraceText();
  EXPECT_THAT(bound,
              HasSubstr("follow_fused_split(stage=A.shared, loop=0, sources=[0, 1], level=1)\n"
                        "bind(stage=A.shared, loop=1, thread=threadIdx.x)\n"));
  EXPECT_EQ(Replay(task, WithoutBindings(*BindThreads(state)))->TraceText(), state.TraceText());
}

size_t SketchesOf(const std::string& dag) {
  return DeriveSketches(TaskOf(dag, BackendKind::kOpenCl), AnsorRules()).size();
}

size_t SketchesOfWorkload(const std::string& workload) {
  return DeriveSketches(GpuTask(workload), AnsorRules()).size();
}

// TVM's numbers for its rules on CUDA (from its unit tests of sketch generation).
TEST(BindThreadsTest, HasThePublishedNumbersOfSketches) {
  EXPECT_EQ(SketchesOfWorkload("matmul(m=512,n=512,k=512)"), 1u);
  EXPECT_EQ(SketchesOfWorkload("matmul(m=8,n=8,k=1024)"), 2u);
  EXPECT_EQ(SketchesOfWorkload("softmax(n=512,m=512)"), 4u);
  EXPECT_EQ(SketchesOfWorkload("conv_layer(n=1,h=56,w=56,ci=64,co=64,k=3,s=1,p=1)"), 1u);
  EXPECT_EQ(SketchesOf("input A[10, 1024]\nC[i:10] = min(k:1024) A[i, k]\n"), 2u);
  EXPECT_EQ(SketchesOf("input A[10, 1021]\nC[i:10] = min(k:1021) A[i, k]\n"), 2u);
  EXPECT_EQ(SketchesOf("input A[64, 64]\ninput B[64, 64]\ninput D[64, 64]\n"
                       "C[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n"
                       "E[i:64, j:64] = sum(k:64) C[i, k] * D[k, j]\n"),
            1u);
  EXPECT_EQ(SketchesOf("input A[8, 16, 16]\n"
                       "C[c:8, y:8, x:8] = max(r:2, q:2) A[c, y * 2 + r, x * 2 + q]\n"),
            1u);
}

// The trace of the rules' first sketch, bound to threads.
std::string FirstBound(const std::string& dag) {
  const auto task = TaskOf(dag, BackendKind::kOpenCl);
  return BindThreads(DeriveSketches(task, AnsorRules())[0].state)->TraceText();
}

// A block for each row, and a warp for its sum.
TEST(BindThreadsTest, SharesLongReductionsAmongThreads) {
  EXPECT_EQ(FirstBound("input A[10, 1024]\nC[i:10] = min(k:1024) A[i, k]\n"),
            "trace 1\nsplit(stage=C, loop=1, lengths=[32])\n"
            "bind(stage=C, loop=2, thread=threadIdx.x)\n"
            "bind(stage=C, loop=0, thread=blockIdx.x)\n");
}

// No number of threads from one warp to four divides 262 terms.
TEST(BindThreadsTest, SharesWhatNoWarpDivides) {
  EXPECT_EQ(FirstBound("input A[10, 2, 131]\nC[i:10] = sum(j:2, k:131) A[i, j, k]\n"),
            "trace 1\nfuse(stage=C, loops=[1, 2])\nsplit(stage=C, loop=1, lengths=[32])\n"
            "bind(stage=C, loop=2, thread=threadIdx.x)\n"
            "bind(stage=C, loop=0, thread=blockIdx.x)\n");
}

TEST(BindThreadsTest, SharesAWholeSum) {
  EXPECT_EQ(FirstBound("input A[100]\nC[] = sum(k:100) A[k]\n"),
            "trace 1\nsplit(stage=C, loop=0, lengths=[32])\n"
            "bind(stage=C, loop=1, thread=threadIdx.x)\n");
}

// TVM 0.16, RuleCrossThreadReduction: the single reader is split by a warp. The sum is split alike
// and computed at the last axis that both have.
TEST(BindThreadsTest, SharesSumsWithinTheirReader) {
  EXPECT_EQ(FirstBound("input A[10, 9, 200]\nS[i:10, j:9] = sum(k:200) A[i, j, k]\n"
                       "C[i:10, j:9, k:200] = A[i, j, k] / S[i, j]\n"),
            "trace 1\nsplit(stage=C, loop=2, lengths=[32])\n"
            "bind(stage=C, loop=3, thread=threadIdx.x)\n"
            "follow_split(stage=S, loop=2, source=0, count=1)\n"
            "bind(stage=S, loop=3, thread=threadIdx.x)\n"
            "compute_at(stage=S, target=C, loop=1)\n"
            "fuse(stage=C, loops=[0, 1])\nbind(stage=C, loop=0, thread=blockIdx.x)\n");
}

// All axes are common: the sums of a block's 32 rows are computed one after the other.
TEST(BindThreadsTest, SharesMeansWithinTheirReader) {
  EXPECT_EQ(FirstBound("input A[70, 200]\nS[i:70] = sum(k:200) A[i, k]\nC[i:70] = S[i] / 200\n"),
            "trace 1\nsplit(stage=C, loop=0, lengths=[32])\n"
            "bind(stage=C, loop=1, thread=threadIdx.x)\n"
            "follow_split(stage=S, loop=1, source=0, count=1)\n"
            "bind(stage=S, loop=2, thread=threadIdx.x)\n"
            "compute_at(stage=S, target=C, loop=0)\nbind(stage=C, loop=0, thread=blockIdx.x)\n");
}

constexpr const char* kSquares =
    "input A[10, 200]\nM[i:10] = sum(k:200) A[i, k]\n"
    "S[i:10] = sum(k:200) (A[i, k] - M[i]) * (A[i, k] - M[i])\n"
    "C[i:10, k:200] = A[i, k] * rsqrt(S[i])\n";

// The operand of a shared sum follows its split, as the sum follows its reader's.
TEST(BindThreadsTest, SharesSumsWithinSharedSums) {
  EXPECT_EQ(FirstBound(kSquares),
            "trace 1\nsplit(stage=C, loop=1, lengths=[32])\n"
            "bind(stage=C, loop=2, thread=threadIdx.x)\n"
            "follow_split(stage=S, loop=1, source=0, count=1)\n"
            "bind(stage=S, loop=2, thread=threadIdx.x)\n"
            "compute_at(stage=S, target=C, loop=0)\n"
            "follow_split(stage=M, loop=1, source=0, count=1)\n"
            "bind(stage=M, loop=2, thread=threadIdx.x)\n"
            "compute_at(stage=M, target=S, loop=0)\nbind(stage=C, loop=0, thread=blockIdx.x)\n");
}

// Stages stay at the root if they have two readers or no common axis, or if the reader has tiles or
// is a sum of one thread.
TEST(BindThreadsTest, LeavesSumsAtTheRoot) {
  const std::string rows = "input A[10, 200]\nS[i:10] = sum(k:200) A[i, k]\n";
  EXPECT_THAT(FirstBound(rows + "C[i:10, k:200] = A[i, k] / S[i]\nD[i:10] = S[i] * 2\n"),
              Not(HasSubstr("compute_at")));
  EXPECT_THAT(FirstBound(rows + "C[k:200, i:10] = A[i, k] / S[i]\n"), Not(HasSubstr("compute_at")));
  EXPECT_THAT(FirstBound(rows + "C[i:10] = sum(k:4) S[i] * A[i, k]\n"),
              Not(HasSubstr("compute_at")));
  EXPECT_THAT(FirstBound("input A[64, 64]\ninput B[64, 64]\nS[i:64] = sum(k:64) A[i, k]\n"
                         "E[i:64, k:64] = A[i, k] / S[i]\n"
                         "C[i:64, j:64] = sum(k:64) E[i, k] * B[k, j]\n"),
              Not(HasSubstr("compute_at(stage=S")));
  EXPECT_THAT(FirstBound(rows + "output S\nC[i:10, k:200] = A[i, k] / S[i]\noutput C\n"),
              Not(HasSubstr("compute_at")));
}

TEST(BindThreadsTest, LeavesTheStepsOfRulesWhenTakenOff) {
  for (const std::string dag : {"input A[10, 1024]\nC[i:10] = min(k:1024) A[i, k]\n",
                                "input A[10, 2, 131]\nC[i:10] = sum(j:2, k:131) A[i, j, k]\n",
                                "input A[100]\nC[] = sum(k:100) A[k]\n", kSquares}) {
    const auto task = TaskOf(dag, BackendKind::kOpenCl);
    for (const OpenSketch& sketch : DeriveSketches(task, AnsorRules())) {
      const ScheduleState bound = BindThreads(sketch.state).value();
      EXPECT_EQ(Replay(task, WithoutBindings(bound))->TraceText(), sketch.state.TraceText());
    }
  }
}

TEST(BindThreadsTest, HasOneSketchOfAMatmul) {
  const auto task = GpuTask("matmul(m=512,n=512,k=512)");
  const std::vector<OpenSketch> sketches = DeriveSketches(task, AnsorRules());
  ASSERT_EQ(sketches.size(), 1u);
  EXPECT_THAT(sketches[0].rules,
              ElementsAre("C: cache_write", "C.local: tile_and_fuse", "B: cache_read", "B: skip",
                          "A: cache_read", "A: skip"));
  double tiles = 1;
  for (const OpenSplit& split : sketches[0].splits) {
    tiles *= static_cast<double>(split.choices.size());
  }
  EXPECT_EQ(tiles, 700.0 * 700.0 * 49.0);
}

TEST(BindThreadsTest, DrawsWhatDevicesLaunch) {
  const auto task = GpuTask("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)");
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(5);
  for (int i = 0; i < 50; ++i) {
    const Result<ScheduleState> state = space->Sample(task, rng);
    ASSERT_TRUE(state.ok()) << state.error().message;
    EXPECT_TRUE(CheckLaunch(*state)) << state->TraceText();
    const Result<ScheduleState> mutant = space->Mutate(*state, rng);
    if (!mutant) continue;
    EXPECT_EQ(Replay(task, mutant->trace())->TraceText(), mutant->TraceText());
  }
}

}  // namespace
}  // namespace schedulegym
