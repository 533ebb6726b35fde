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

// As the driver of a device has them: bytes of a block, and of one access.
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
  // All 64 threads read a column of 64, or all columns.
  EXPECT_EQ(refusal("compute_at(stage=A.shared, target=C, loop=2)"), "none");
  EXPECT_THAT(refusal("compute_at(stage=A.shared, target=C, loop=1)"),
              HasSubstr("found 16384 shared bytes, expected at most 1000"));
  EXPECT_THAT(refusal("compute_at(stage=A.shared, target=C, loop=2)\nsplit(stage=A.shared, loop=0, "
                      "lengths=[8])\nreorder(stage=A.shared, order=[0, 2, 1])\n"
                      "vectorize(stage=A.shared, loop=2)"),
              HasSubstr("found 32 bytes of a vector, expected at most 16"));
}

// Four threads to a warp fetch 16 elements of A, and of B, in vectors of two.
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

// TVM's own counts for its rules on CUDA (its unit tests of sketch generation).
TEST(BindThreadsTest, HasThePublishedNumbersOfSketches) {
  EXPECT_EQ(SketchesOfWorkload("matmul(m=512,n=512,k=512)"), 1u);
  EXPECT_EQ(SketchesOfWorkload("matmul(m=8,n=8,k=1024)"), 2u);
  EXPECT_EQ(SketchesOfWorkload("softmax(n=512,m=512)"), 4u);
  EXPECT_EQ(SketchesOfWorkload("conv_layer(n=1,h=56,w=56,ci=64,co=64,k=3,s=1,p=1)"), 1u);
  EXPECT_EQ(SketchesOf("input A[10, 1024]\nC[i:10] = min(k:1024) A[i, k]\n"), 2u);
  EXPECT_EQ(SketchesOf("input A[64, 64]\ninput B[64, 64]\ninput D[64, 64]\n"
                       "C[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n"
                       "E[i:64, j:64] = sum(k:64) C[i, k] * D[k, j]\n"),
            1u);
  EXPECT_EQ(SketchesOf("input A[8, 16, 16]\n"
                       "C[c:8, y:8, x:8] = max(r:2, q:2) A[c, y * 2 + r, x * 2 + q]\n"),
            1u);
}

// A block for each row, a warp for its sum, and the sums of its threads in shared memory.
TEST(BindThreadsTest, SharesLongReductionsAmongThreads) {
  const auto task =
      TaskOf("input A[10, 1024]\nC[i:10] = min(k:1024) A[i, k]\n", BackendKind::kOpenCl);
  const ScheduleState shared = DeriveSketches(task, AnsorRules())[0].state;
  EXPECT_EQ(BindThreads(shared)->TraceText(),
            "trace 1\nsplit(stage=C, loop=1, lengths=[32])\nrfactor(stage=C, loop=2, axis=1)\n"
            "compute_at(stage=C.rf, target=C, loop=0)\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
            "bind(stage=C.rf, loop=1, thread=threadIdx.x)\n");
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
