#include "spaces/gpu_registers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Four virtual threads of 2 x 2 cells each, and eight loops: one of each copy, two of the
// reduction, two of cells in it and two behind it. 16 + 4 * 4 + 10 + 4 * 8.
TEST(GpuRegistersTest, CountsCellsOfAllVirtualThreads) {
  const auto kernels =
      EstimateRegisters(StateAfter(TaskOf(kMatmul128, BackendKind::kCuda), kMatmul128Steps));
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].accumulators, 16);
  EXPECT_EQ(kernels[0].registers, 74);
}

// A sum at the root, 16 of whose loads overlap: 1 + 2 + 14 + 1.5 * 16; one read: 9 + 2.5.
TEST(GpuRegistersTest, OneEstimateForEachKernel) {
  const auto kernels = EstimateRegisters(StateAfter(
      TaskOf("input A[64, 32]\nM[i:64] = sum(k:32) A[i, k]\nC[i:64] = M[i] * 2\n",
             BackendKind::kCuda),
      "bind(stage=M, loop=0, thread=threadIdx.x)\nbind(stage=C, loop=0, thread=threadIdx.x)"));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].accumulators, 1);
  EXPECT_EQ(kernels[0].registers, 41);
  EXPECT_EQ(kernels[1].accumulators, 0);
  EXPECT_EQ(kernels[1].registers, 11.5);
}

// 65536 registers for 1024 threads are 64 for each.
TEST(GpuRegistersTest, ThreadsShareTheBlocksRegisters) {
  const auto task = [](const char* facts) {
    return std::make_shared<const Task>(
        Task{TaskOf("input A[1024, 8]\nC[i:1024] = sum(k:8) A[i, k]\n")->dag,
             MakeTarget(ParseSpec(facts).value()), "rows"});
  };
  constexpr const char* kSteps = "bind(stage=C, loop=0, thread=threadIdx.x)";
  const auto most = [&](const char* facts) {
    return EstimateRegisters(StateAfter(task(facts), kSteps)).at(0).most;
  };
  EXPECT_EQ(most("cuda(card=h100)"), 64);
  EXPECT_EQ(most("cuda(card=h100,block_registers=40000)"), 32);
  EXPECT_EQ(most("cuda(card=h100,thread_registers=30)"), 30);
}

// Of 41 registers for a sum of 64 steps, 29 have to be there.
TEST(GpuRegistersTest, LoadsOverlapAsFarAsThereAreRegisters) {
  const auto registers = [](const char* facts) {
    const auto task = std::make_shared<const Task>(
        Task{TaskOf("input A[64, 64]\nC[i:64] = sum(k:64) A[i, k]\n")->dag,
             MakeTarget(ParseSpec(facts).value()), "rows"});
    const char* steps = "bind(stage=C, loop=0, thread=threadIdx.x)";
    return EstimateRegisters(StateAfter(task, steps)).at(0).registers;
  };
  EXPECT_EQ(registers("cuda(card=h100)"), 41);
  EXPECT_EQ(registers("cuda(card=h100,thread_registers=36)"), 36);
  EXPECT_EQ(registers("cuda(card=h100,thread_registers=20)"), 29);
}

TEST(GpuRegistersTest, RefusesWhatWouldSpill) {
  const std::string dag = "input A[512, 8]\nC[i:512] = sum(k:8) A[i, k]\n";
  const std::string steps =
      "cache_write(stage=C, scope=local)\nsplit(stage=C, loop=0, lengths=[256])\n"
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncompute_at(stage=C.local, target=C, loop=0)\n"
      "reorder(stage=C.local, order=[1, 0])";
  const Result<void> found = CheckRegisters(StateAfter(TaskOf(dag, BackendKind::kCuda), steps));
  // 256 + 2 * 16 + 14 + 1.5 * 8.
  EXPECT_THAT(found.error().message,
              testing::HasSubstr("C: found about 314 registers of a thread, expected at most"));
  EXPECT_TRUE(CheckRegisters(StateAfter(TaskOf(dag, BackendKind::kOpenCl), steps)).ok());
}

}  // namespace
}  // namespace schedulegym
