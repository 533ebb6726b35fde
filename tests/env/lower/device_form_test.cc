#include "env/lower/device_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/schedule/loop_structure.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/env/lower/lowered.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ScheduleState GpuState(const std::string& dag, const std::string& steps) {
  return StateAfter(TaskOf(dag, BackendKind::kOpenCl), steps);
}

LoopProgram LoweredMatmul() { return Lower(GpuState(kMatmul128, kMatmul128Steps)).value(); }

const Buffer* FindBuffer(const LoopProgram& program, const std::string& name) {
  const auto found = std::ranges::find(program.buffers, name, &Buffer::name);
  return found == program.buffers.end() ? nullptr : &*found;
}

// Ansor's own schedule: a block reads 64 rows of 8 of A and 8 rows of 64 of B in each step.
TEST(DeviceFormTest, SharesTheRegionsThatABlockReads) {
  const LoopProgram program = LoweredMatmul();
  const Buffer* a = FindBuffer(program, "A.shared");
  const Buffer* b = FindBuffer(program, "B.shared");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{64, 8}));
  EXPECT_EQ(b->shape, (std::vector<int64_t>{8, 64}));
  EXPECT_EQ(a->byte_offset, 0);
  EXPECT_EQ(b->byte_offset, 64 * 8 * 4);
}

TEST(DeviceFormTest, AgreesWithBoundInference) {
  const std::string loops = LoopsOf(GpuState(kMatmul128, kMatmul128Steps));
  EXPECT_THAT(loops, HasSubstr("A.shared[64, 8]"));
  EXPECT_THAT(loops, HasSubstr("B.shared[8, 64]"));
  EXPECT_THAT(loops, HasSubstr("C.local[2, 2]"));
}

TEST(DeviceFormTest, HasOneLoopOfThreadsAndTwoBarriersAStep) {
  const LoopProgram program = LoweredMatmul();
  const std::string body = BodyOf(program);
  EXPECT_EQ(CountOf("threadIdx.x", body), 1);
  EXPECT_THAT(body, HasSubstr("threadIdx.x i@j.2 in 0..256"));
  EXPECT_EQ(CountOf("barrier", body), 2);
  EXPECT_THAT(body, HasSubstr("    for k.0 in 0..16\n      barrier\n"));
  const auto valid = Validate(program);
  EXPECT_TRUE(valid) << valid.error().message;
}

// Four virtual threads of 2 x 2 cells: the thread keeps 16, and copies once for all of them.
TEST(DeviceFormTest, RunsVirtualThreadsBetweenBarriers) {
  const LoopProgram program = LoweredMatmul();
  EXPECT_EQ(FindBuffer(program, "C.local")->shape, (std::vector<int64_t>{4, 2, 2}));
  const std::string body = BodyOf(program);
  EXPECT_EQ(CountOf("vthread", body), 3);  // zeros, products, results
  const std::string copies = body.substr(body.find("barrier"), body.rfind("barrier"));
  EXPECT_EQ(CountOf("A.shared[i0, i1] = ", copies), 1);
}

constexpr char kRows[] = "input A[6, 8]\nC[i:6, j:8] = sum(k:8) A[i, k] * A[i, j]\n";

// Five threads have rows, and four of them copy columns; the fifth waits at their barrier.
TEST(DeviceFormTest, GuardsShorterLoopsAndNoBarrier) {
  const ScheduleState state = GpuState(
      kRows,
      "split(stage=C, loop=0, lengths=[5])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
      "bind(stage=C, loop=1, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n"
      "compute_at(stage=A.shared, target=C, loop=1)\nsplit(stage=A.shared, loop=1, lengths=[4])\n"
      "bind(stage=A.shared, loop=2, thread=threadIdx.x)");
  const LoopProgram program = Lower(state).value();
  EXPECT_EQ(FindBuffer(program, "A.shared")->shape, (std::vector<int64_t>{5, 8}));
  const std::string body = BodyOf(program);
  EXPECT_EQ(CountOf("threadIdx.x", body), 1);
  EXPECT_EQ(CountOf("barrier", body), 1);
  EXPECT_THAT(body, HasSubstr("if i.1 < 4"));
  EXPECT_THAT(body, HasSubstr("\n    barrier\n")) << body;
  const auto valid = Validate(program);
  EXPECT_TRUE(valid) << valid.error().message << "\n" << program.ToText();
}

// A single thread runs a copy without bound loops.
TEST(DeviceFormTest, LetsOneThreadFillWhatIsNotBound) {
  const ScheduleState state = GpuState(kRows,
                                       "bind(stage=C, loop=0, thread=threadIdx.x)\n"
                                       "cache_read(stage=A, scope=shared, readers=[C])\n"
                                       "compute_at(stage=A.shared, target=C, loop=0)");
  const LoopProgram program = Lower(state).value();
  EXPECT_THAT(BodyOf(program), HasSubstr("if i == 0\n"));
  EXPECT_TRUE(Validate(program));
}

// Only one copy is live at a time: the second reuses the bytes of the first, behind a barrier.
TEST(DeviceFormTest, LetsBuffersThatNeverLiveTogetherShareBytes) {
  const ScheduleState state = GpuState(
      "input A[4, 8]\ninput B[4, 8]\nS[i:4] = sum(k:8) A[i, k]\nC[i:4, j:8] = B[i, j] + S[i]\n",
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncompute_at(stage=S, target=C, loop=0)\n"
      "cache_read(stage=A, scope=shared, readers=[S])\ncompute_at(stage=A.shared, target=S, "
      "loop=0)\n"
      "cache_read(stage=B, scope=shared, readers=[C])\ncompute_at(stage=B.shared, target=C, "
      "loop=1)");
  const LoopProgram program = Lower(state).value();
  EXPECT_EQ(FindBuffer(program, "A.shared")->byte_offset, 0);
  EXPECT_EQ(FindBuffer(program, "B.shared")->byte_offset, 0);
  const auto valid = Validate(program);
  EXPECT_TRUE(valid) << valid.error().message << "\n" << program.ToText();
}

TEST(DeviceFormTest, RefusesThreadsWithinThreads) {
  const ScheduleState state =
      GpuState("input A[4, 4]\nB[i:4, j:4] = A[i, j] + 1\nC[i:4, j:4] = B[i, j] * B[i, j]\n",
               "cache_read(stage=A, scope=shared, readers=[B])\n"
               "bind(stage=C, loop=0, thread=threadIdx.x)\ncompute_at(stage=B, target=C, loop=0)\n"
               "compute_at(stage=A.shared, target=B, loop=0)\n"
               "bind(stage=B, loop=1, thread=threadIdx.x)");
  const Result<LoopProgram> program = Lower(state);
  ASSERT_FALSE(program.ok());
  EXPECT_THAT(program.error().message, HasSubstr("threads share B, which is local"));
}

// With a single row C has no loop to bind. Its kernel still has the threads of the copies, and each
// of them has its own sum.
TEST(DeviceFormTest, KeepsLocalsWithinTheKernel) {
  const ScheduleState state =
      GpuState("input A[1, 8]\nC[i:1] = sum(k:8) A[i, k]\n",
               "cache_write(stage=C, scope=local)\nbind(stage=C, loop=0, thread=threadIdx.x)\n"
               "compute_at(stage=C.local, target=C, loop=0)\n"
               "cache_read(stage=A, scope=shared, readers=[C.local])\n"
               "compute_at(stage=A.shared, target=C.local, loop=0)\n"
               "bind(stage=A.shared, loop=1, thread=threadIdx.x)");
  const LoopProgram program = Lower(state).value();
  EXPECT_THAT(BodyOf(program), HasSubstr("threadIdx.x i1 in 0..8\n  allocate C.local[1]"));
  const auto valid = Validate(program);
  EXPECT_TRUE(valid) << valid.error().message << "\n" << program.ToText();
}

TEST(DeviceFormTest, LeavesKernelsThatShareNothing) {
  const ScheduleState state =
      GpuState("input A[8]\nC[i:8] = A[i] + 1\n", "bind(stage=C, loop=0, thread=threadIdx.x)");
  EXPECT_THAT(BodyOf(Lower(state).value()), Not(HasSubstr("barrier")));
}

}  // namespace
}  // namespace schedulegym
