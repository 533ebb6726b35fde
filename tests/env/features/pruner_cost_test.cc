// Pruner's formula against numbers worked out by hand.
#include "env/features/pruner_cost.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/features/estimated_seconds.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/input_fault.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

GpuFacts FactsOf(const char* card) {
  return MakeTarget(ParseSpec(std::string("cuda(card=") + card + ")").value()).gpu;
}

// 1024^3: blocks of 128 x 128 with 256 threads of 8 x 8 cells. A thread does 2 * 64 * 1024
// operations, holds 64 + 8 + 8 places in a step, and touches 64 + 8 * 1024 + 8 * 1024. A block
// reads 2 * 128 * 1024 floats.
PrunerWork LargeMatmul() {
  return {.thread_operations = 131072,
          .registers = 80,
          .thread_accesses = 16448,
          .global_bytes = 64.0 * 2 * 128 * 1024 * 4,
          .blocks = 64,
          .threads = 256};
}

TEST(PrunerCostTest, PenaltiesOfALargeMatmul) {
  const PrunerPenalties penalties = PenaltiesOf(LargeMatmul(), FactsOf("h100"));
  EXPECT_EQ(penalties.warp, 1);
  // 1 + 131072 / 16448 = 8.96887.
  EXPECT_NEAR(penalties.reuse, 1 + 1 / 8.96887, 1e-6);
  // 64 blocks of at least four warps on 132 multiprocessors of four partitions.
  EXPECT_NEAR(penalties.occupancy, 256.0 / 528, 1e-9);
  EXPECT_EQ(penalties.registers, 1);
}

TEST(PrunerCostTest, SecondsOfALargeMatmul) {
  // 2^31 * 1.111497 / (67e12 * 0.484848) = 73.477 us; 2^26 bytes / 3.352e12 = 20.0 us.
  EXPECT_NEAR(PrunerSeconds(LargeMatmul(), FactsOf("h100")), 73.477e-6, 1e-8);
}

TEST(PrunerCostTest, MemoryWhereItTakesLonger) {
  PrunerWork work = LargeMatmul();
  work.global_bytes = 3.352e9;
  EXPECT_NEAR(PrunerSeconds(work, FactsOf("h100")), 1e-3, 1e-9);
}

// A block of 40 threads of 256 registers, for each penalty to cost something.
TEST(PrunerCostTest, EachPartMayBeLeftOut) {
  PrunerWork work = LargeMatmul();
  work.threads = 40;
  work.registers = 256;
  work.global_bytes /= 4;
  const GpuFacts gpu = FactsOf("h100");
  const PrunerPenalties penalties = PenaltiesOf(work, gpu);
  const double whole = PrunerSeconds(work, gpu);
  const double traffic = work.global_bytes / gpu.bandwidth;
  ASSERT_GT(whole, traffic);
  const auto without = [&](PrunerPart part) { return PrunerSeconds(work, gpu, part); };
  EXPECT_DOUBLE_EQ(without(PrunerPart::kNone), whole);
  EXPECT_DOUBLE_EQ(without(PrunerPart::kWarp), whole * penalties.warp);
  EXPECT_DOUBLE_EQ(without(PrunerPart::kReuse), whole / penalties.reuse);
  EXPECT_DOUBLE_EQ(without(PrunerPart::kOccupancy), whole * penalties.occupancy);
  EXPECT_DOUBLE_EQ(without(PrunerPart::kRegisters), whole / penalties.registers);
  EXPECT_DOUBLE_EQ(without(PrunerPart::kTraffic), whole);
  EXPECT_DOUBLE_EQ(without(PrunerPart::kCompute), traffic);
}

TEST(PrunerCostTest, WavesWarpsAndRegisters) {
  PrunerWork work = LargeMatmul();
  work.blocks = 133;  // two waves of 132
  EXPECT_NEAR(PenaltiesOf(work, FactsOf("h100")).occupancy, 133.0 / 264, 1e-9);
  work.threads = 40;  // 1.25 of 2 warps
  EXPECT_NEAR(PenaltiesOf(work, FactsOf("h100")).warp, 0.625, 1e-9);
  work.registers = 256;
  EXPECT_NEAR(PenaltiesOf(work, FactsOf("h100")).registers, 2, 1e-9);
}

// A thread does 4,096 operations with 1,024 accesses in blocks of three warps, on Pruner's T4:
// 8,141 GFLOP/s, where ours has the data sheet's 8,100; 40 multiprocessors.
TEST(PrunerCostTest, SecondsOfTwoKernelsOnAT4) {
  GpuFacts card = FactsOf("a100");
  card.arch = "sm_75";
  card.units = 40;
  card.bandwidth = 320.0 * (1 << 30);
  const double faster = 8141e9 / PeakFlops(card);
  EXPECT_NEAR(faster, 1, 0.01);
  PrunerWork work = {.thread_operations = 4096,
                     .registers = 64,
                     .thread_accesses = 1024,
                     .global_bytes = 1 << 20,
                     .blocks = 60,
                     .threads = 96};
  // Reuse 1 + 1/5, occupancy 60 of 80; the traffic takes 0.00305176 ms.
  EXPECT_NEAR(PrunerSeconds(work, card) / faster, 0.00463687e-3, 1e-11);
  // 10 blocks of 3 warps on 160 partitions, and twice the free registers.
  work.blocks = 10;
  work.registers = 256;
  EXPECT_NEAR(PenaltiesOf(work, card).occupancy, 0.1875, 1e-9);
  EXPECT_NEAR(PrunerSeconds(work, card) / faster, 0.00618249e-3, 1e-11);
  // With one operation a thread, traffic takes all the time.
  work.thread_operations = 1;
  EXPECT_NEAR(PrunerSeconds(work, card), 0.00305176e-3, 1e-11);
}

TEST(PrunerCostTest, PeaksOfCards) {
  EXPECT_NEAR(PeakFlops(FactsOf("a100")), 19.5e12, 1e9);
  EXPECT_NEAR(PeakFlops(FactsOf("rtx3090")), 35.6e12, 1e9);
  EXPECT_NEAR(PeakFlops(FactsOf("rtx4090")), 82.6e12, 1e9);
  EXPECT_NEAR(PeakFlops(FactsOf("h100")), 67e12, 1e9);
}

// Ansor's schedule of a matmul of 128: four blocks, 4 virtual threads, 256 threads of 2 x 2 cells.
TEST(PrunerCostTest, WorkOfASchedule) {
  const ScheduleState state = StateAfter(TaskOf(kMatmul128, BackendKind::kCuda), kMatmul128Steps);
  const std::vector<PrunerWork> work = FindPrunerWork(state);
  ASSERT_EQ(work.size(), 4u);
  double bytes = 0;
  for (const PrunerWork& one : work) {
    EXPECT_EQ(one.blocks, 4) << one.stage;
    EXPECT_EQ(one.threads, 256) << one.stage;
    bytes += one.global_bytes;
  }
  // A block copies 64 x 128 of A and 128 x 64 of B, and all of them store 128 x 128 cells.
  EXPECT_EQ(bytes, 2 * 4 * 8192 * 4.0 + 128 * 128 * 4);
  const auto multiply =
      std::ranges::find_if(work, [](const PrunerWork& one) { return one.thread_operations > 0; });
  ASSERT_NE(multiply, work.end());
  // 4 * 4 cells over 128 terms of two operations.
  EXPECT_EQ(multiply->thread_operations, 4096);
  EXPECT_EQ(multiply->Operations(), 2.0 * 128 * 128 * 128);
  // The fused virtual threads move A and B: 16 + 4 * 2 + 4 * 2, and with all terms 16 + 2 * 1024.
  EXPECT_EQ(multiply->registers, 32);
  EXPECT_EQ(multiply->thread_accesses, 16 + 2 * 1024);
  EXPECT_EQ(multiply->global_bytes, 0);
}

// A stage without tiles reads its rows and columns once per block.
TEST(PrunerCostTest, TrafficOfABlockThatReadsMemory) {
  const ScheduleState state =
      StateAfter(TaskOf("input A[64, 32]\nC[i:64] = sum(k:32) A[i, k]\n", BackendKind::kCuda),
                 "split(stage=C, loop=0, lengths=[16])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
                 "bind(stage=C, loop=1, thread=threadIdx.x)");
  const std::vector<PrunerWork> work = FindPrunerWork(state);
  ASSERT_EQ(work.size(), 1u);
  EXPECT_EQ(work[0].global_bytes, (64 * 32 + 64) * 4);
  EXPECT_EQ(work[0].thread_operations, 32);
}

TEST(EstimatedSecondsTest, NamesTheFormula) {
  EXPECT_EQ(FormulaName(MakeTarget(ParseSpec("cuda(card=a100)").value())),
            "analytical, pruner draft 1");
  EXPECT_EQ(FormulaName(MakeTarget(ParseSpec("llvm").value())), "analytical");
}

TEST(EstimatedSecondsTest, NeedsFacts) {
  CheckHasFormula(MakeTarget(ParseSpec("cuda(card=a100)").value()));
  EXPECT_THROW(CheckHasFormula(MakeTarget(ParseSpec("opencl").value())), InputError);
  EXPECT_THROW(CheckHasFormula(MakeTarget(ParseSpec("cuda(arch=sm_80)").value())), InputError);
  EXPECT_THROW(CheckHasFormula(MakeTarget(ParseSpec("opencl(bandwidth=1e11)").value())),
               InputError);
}

TEST(EstimatedSecondsTest, OrdersSchedulesWhereTheBandwidthIsKnown) {
  const auto can = [](const char* target) {
    return CanEstimate(MakeTarget(ParseSpec(target).value()));
  };
  EXPECT_TRUE(can("llvm"));
  EXPECT_TRUE(can("cuda(card=a100)"));
  EXPECT_TRUE(can("opencl(bandwidth=1e11)"));
  EXPECT_FALSE(can("opencl"));
  EXPECT_EQ(InputFaultOf([] {
              CheckCanEstimate(MakeTarget(ParseSpec("opencl").value()), "model analytical");
            }),
            "model analytical on target 'opencl': key 'bandwidth' is missing, which the analytical "
            "estimate needs, expected bytes a second of the device's memory, such as "
            "opencl(bandwidth=1e11)");
}

}  // namespace
}  // namespace schedulegym
