#include "spaces/gpu_registers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Four virtual threads of 2 x 2 cells each, and eight loops: one of each copy, two of the
// reduction, two of cells inside and two after it. 16 + 4 * 4 + 10 + 4 * 8.
TEST(GpuRegistersTest, CountsCellsOfAllVirtualThreads) {
  const auto kernels =
      EstimateRegisters(StateAfter(TaskOf(kMatmul128, BackendKind::kCuda), kMatmul128Steps));
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].accumulators, 16);
  EXPECT_EQ(kernels[0].registers, 74);
}

// A sum at the root, whose loads overlap up to a 2,048th of the registers; one read: 9 + 2.5.
TEST(GpuRegistersTest, OneEstimateForEachKernel) {
  const auto kernels = EstimateRegisters(StateAfter(
      TaskOf("input A[64, 32]\nM[i:64] = sum(k:32) A[i, k]\nC[i:64] = M[i] * 2\n",
             BackendKind::kCuda),
      "bind(stage=M, loop=0, thread=threadIdx.x)\nbind(stage=C, loop=0, thread=threadIdx.x)"));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].accumulators, 1);
  EXPECT_EQ(kernels[0].registers, 32);
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

// All its loads, 1 + 2 + 4.5 + 1.5 * 8, limited by the registers for all threads of a
// multiprocessor, and by those of a thread; at least 29 are needed.
TEST(GpuRegistersTest, LoadsOverlapAsFarAsThereAreRegisters) {
  const auto registers = [](const std::string& facts, const std::string& steps) {
    const auto task = std::make_shared<const Task>(
        Task{TaskOf("input A[64, " + steps + "]\nC[i:64] = sum(k:" + steps + ") A[i, k]\n")->dag,
             MakeTarget(ParseSpec("cuda(" + facts + ")").value()), "rows"});
    return EstimateRegisters(StateAfter(task, "bind(stage=C, loop=0, thread=threadIdx.x)"))
        .at(0)
        .registers;
  };
  EXPECT_EQ(registers("card=h100", "8"), 19.5);
  EXPECT_EQ(registers("card=h100", "64"), 32);
  EXPECT_EQ(registers("card=rtx4090", "64"), 40);
  EXPECT_EQ(registers("arch=sm_75", "64"), 64);
  EXPECT_EQ(registers("card=rtx4090,thread_registers=36", "64"), 36);
  EXPECT_EQ(registers("card=rtx4090,thread_registers=20", "64"), 29);
}

TEST(GpuRegistersTest, RefusesWhatWouldSpill) {
  const std::string dag = "input A[512, 8]\nC[i:512] = sum(k:8) A[i, k]\n";
  const std::string steps =
      "cache_write(stage=C, scope=local)\nsplit(stage=C, loop=0, lengths=[256])\n"
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncompute_at(stage=C.local, target=C, loop=0)\n"
      "reorder(stage=C.local, order=[1, 0])";
  const Result<void> found = CheckRegisters(StateAfter(TaskOf(dag, BackendKind::kCuda), steps));
  // 256 + 2 * 16 + 14: no load overlaps.
  EXPECT_THAT(found.error().message,
              testing::HasSubstr("C: found about 302 registers of a thread, expected at most"));
  EXPECT_TRUE(CheckRegisters(StateAfter(TaskOf(dag, BackendKind::kOpenCl), steps)).ok());
}

}  // namespace
}  // namespace schedulegym
