#include "env/features/analytical_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/program/workloads/suite.h"
#include "spaces/schedulegym/reference.h"
#include "spaces/schedulegym/schedulegym_space.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

double SecondsOf(const std::shared_ptr<const Task>& task, std::string_view steps) {
  return EstimateCost(StateAfter(task, steps)).Seconds();
}

constexpr char kElementwise[] = "input A[1048576]\nD[i:1048576] = exp(A[i]) * 2\n";
constexpr char kVector[] = "split(stage=D, loop=0, lengths=[8])\nvectorize(stage=D, loop=1)\n";

TEST(AnalyticalCostTest, VectorsBeatScalars) {
  const auto task = TaskOf(kElementwise);
  EXPECT_LT(SecondsOf(task, kVector), 0.3 * SecondsOf(task, ""));
}

TEST(AnalyticalCostTest, TwoCoresBeatOne) {
  const auto task = TaskOf(kElementwise);
  const std::string parallel =
      "split(stage=D, loop=0, lengths=[8])\nvectorize(stage=D, loop=1)\n"
      "split(stage=D, loop=0, lengths=[1024])\nparallel(stage=D, loop=0)\n";
  EXPECT_LT(SecondsOf(task, parallel), 0.6 * SecondsOf(task, kVector));
}

// Threads cost more than 64 additions.
TEST(AnalyticalCostTest, SmallWorkStaysSerial) {
  const auto task = TaskOf("input A[64]\nD[i:64] = A[i] + 1\n");
  EXPECT_GT(SecondsOf(task, "parallel(stage=D, loop=0)"), SecondsOf(task, ""));
}

// One part in three leaves a core idle while the last part runs.
TEST(AnalyticalCostTest, UnevenSharesIdle) {
  const auto task = TaskOf("input A[3145728]\nD[i:3145728] = exp(A[i])\n");
  const auto seconds = [&](const char* lengths) {
    return SecondsOf(task, std::string("split(stage=D, loop=0, lengths=[") + lengths +
                               "])\nparallel(stage=D, loop=0)");
  };
  EXPECT_NEAR(seconds("1048576") / seconds("786432"), 4.0 / 3, 0.01);
}

constexpr char kMatmul[] =
    "input A[1024, 1024]\ninput B[1024, 1040]\n"
    "C[i:1024, j:1040] = sum(k:1024) A[i, k] * B[k, j]\n";

// Loops i.0, j.0, k, i.1, j.1 with a tile of `rows` x 16 results in vectors.
std::string Tile(int rows) {
  return "split(stage=C, loop=0, lengths=[" + std::to_string(rows) +
         "])\nsplit(stage=C, loop=2, lengths=[16])\nreorder(stage=C, order=[0, 2, 4, 1, 3])\n"
         "unroll(stage=C, loop=3)\nvectorize(stage=C, loop=4)\n";
}

TEST(AnalyticalCostTest, TilesBeatNaiveLoops) {
  const auto task = TaskOf(kMatmul);
  EXPECT_LT(SecondsOf(task, Tile(4)), 0.1 * SecondsOf(task, ""));
}

// There are 16 registers of 8 lanes. 4 x 16 results take 8 of them, 16 x 16 take 32.
TEST(AnalyticalCostTest, SpillingTilesLose) {
  const auto task = TaskOf(kMatmul);
  EXPECT_LT(SecondsOf(task, Tile(4)), SecondsOf(task, Tile(16)));
  const auto wide = std::make_shared<const Task>(Task{task->dag, Avx512Target(), "wide"});
  EXPECT_LT(SecondsOf(wide, Tile(16)), SecondsOf(wide, Tile(2)));
}

// A tile of one row waits for its own sums: two results, four cycles each.
TEST(AnalyticalCostTest, FewResultsWaitForEachOther) {
  const auto task = TaskOf(kMatmul);
  EXPECT_GT(EstimateCost(StateAfter(task, Tile(1))).stages[0].compute_seconds,
            3 * EstimateCost(StateAfter(task, Tile(4))).stages[0].compute_seconds);
}

// B's rows are 4160 bytes. In 65 columns of it at a time all 1024 rows fit the second cache.
TEST(AnalyticalCostTest, BlockingSavesTraffic) {
  const auto task = TaskOf(kMatmul);
  const std::string split = "split(stage=C, loop=1, lengths=[65])\n";
  const StageCost plain = EstimateCost(StateAfter(task, split)).stages[0];
  const StageCost blocked =
      EstimateCost(StateAfter(task, split + "reorder(stage=C, order=[1, 0, 2, 3])")).stages[0];
  EXPECT_LT(blocked.l3_seconds, 0.2 * plain.l3_seconds);
  EXPECT_NEAR(blocked.compute_seconds, plain.compute_seconds, 1e-9);
}

// A walk down columns takes a line for each element, unless the lines stay until the next column.
TEST(AnalyticalCostTest, StridesWasteLines) {
  const auto task = TaskOf("input A[4096, 4112]\nD[i:4096, j:4112] = A[i, j] + 1\n");
  const StageCost rows = EstimateCost(StateAfter(task, "")).stages[0];
  const StageCost columns =
      EstimateCost(StateAfter(task, "reorder(stage=D, order=[1, 0])")).stages[0];
  EXPECT_NEAR(columns.l2_seconds / rows.l2_seconds, 16, 0.01);
  EXPECT_NEAR(columns.l3_seconds / rows.l3_seconds, 1, 0.01);  // 2 * 4096 lines are 512 KiB
}

// Sums 16 columns repeatedly. That many lines fit into the cache, unless rows are a page apart: the
// cache keeps only eight lines of one set.
StageCost SumOfColumns(int rows, int width) {
  const auto task = TaskOf("input A[" + std::to_string(rows) + ", " + std::to_string(width) +
                           "]\nD[t:100, j:16] = sum(i:" + std::to_string(rows) + ") A[i, j]\n");
  const char* steps = "reorder(stage=D, order=[0, 2, 1])\nvectorize(stage=D, loop=2)\n";
  return EstimateCost(StateAfter(task, steps)).stages[0];
}

TEST(AnalyticalCostTest, RowsAPageApartCrowd) {
  EXPECT_GT(SumOfColumns(64, 1024).l2_seconds, 0);
  EXPECT_EQ(SumOfColumns(64, 1024).l3_seconds, 0);
  EXPECT_EQ(SumOfColumns(64, 1040).l2_seconds, 0);
  EXPECT_GT(SumOfColumns(4096, 1024).l3_seconds, 0);
  EXPECT_EQ(SumOfColumns(4096, 1040).l3_seconds, 0);
}

// Shared caches select the set by a hash of the address.
TEST(AnalyticalCostTest, SharedCachesAreNotCrowded) {
  EXPECT_EQ(SumOfColumns(4096, 1024).memory_seconds, 0);
}

// 16 rows a page apart, kept in registers for all of k.
TEST(AnalyticalCostTest, ResultsInRegistersCrowdNothing) {
  const auto missed = [](int width) {
    const std::string columns = std::to_string(width);
    const auto task = TaskOf("input A[4096, 16]\ninput B[4096, 16]\nC[i:16, j:" + columns +
                             "] = sum(k:4096) A[k, i] * B[k, j % 16]\n");
    return EstimateCost(StateAfter(task,
                                   "split(stage=C, loop=1, lengths=[16])\n"
                                   "reorder(stage=C, order=[1, 3, 0, 2])\n"
                                   "unroll(stage=C, loop=2)\nvectorize(stage=C, loop=3)\n"))
        .stages[0]
        .l2_seconds;
  };
  EXPECT_NEAR(missed(1024) / 64, missed(1040) / 65, 0.01 * missed(1024) / 64);
}

// P's rows are produced and consumed in the first cache.
TEST(AnalyticalCostTest, FusionSavesTraffic) {
  const auto task = TaskOf(
      "input A[2048, 2048]\nP[i:2048, j:2048] = A[i, j] + 1\nD[i:2048, j:2048] = P[i, j] * 2\n");
  const double apart = SecondsOf(task, "");
  const AnalyticalCost fused =
      EstimateCost(StateAfter(task, "compute_at(stage=P, target=D, loop=0)"));
  ASSERT_EQ(fused.stages.size(), 2u);
  EXPECT_LE(fused.Seconds(), apart);
  const AnalyticalCost separate = EstimateCost(StateAfter(task, ""));
  EXPECT_NEAR(fused.stages[1].l3_seconds, 0.5 * separate.stages[1].l3_seconds, 1e-6);
}

// All data stay in the first cache from call to call.
TEST(AnalyticalCostTest, SmallDataIsWarm) {
  const std::string dag = "input A[16, 16]\nD[i:16, j:16] = A[i, j] + 1\n";
  const StageCost warm = EstimateCost(StateAfter(dag, "")).stages[0];
  EXPECT_EQ(warm.l2_seconds, 0);
  Target target = TaskOf(dag)->target;
  target.warm = false;
  const auto cold = std::make_shared<const Task>(Task{TaskOf(dag)->dag, target, "cold"});
  // 2 * 16 lines of 64 bytes from memory.
  const StageCost cost = EstimateCost(ScheduleState::Initial(cold)).stages[0];
  EXPECT_DOUBLE_EQ(cost.memory_seconds, 2048 / AnalyticalCostOptions().memory_bytes_per_second);
}

// 1048576 scalar function calls in sequence: cycles of the options, divided by their clock.
TEST(AnalyticalCostTest, FollowsItsOptions) {
  const ScheduleState state = StateAfter("input A[1048576]\nD[i:1048576] = exp(A[i])\n", "");
  const AnalyticalCostOptions options{.hertz = 1e9, .function_cycles = 7, .loop_cycles = 1};
  EXPECT_DOUBLE_EQ(EstimateCost(state, options).stages[0].compute_seconds, 1048576 * 8 / 1e9);
}

TEST(AnalyticalCostTest, WeightsArePreparedForNothing) {
  const ScheduleState state =
      StateAfter("input A[4, 16]\nweight W[16, 24]\nC[i:4, j:24] = sum(k:16) A[i, k] * W[k, j]\n",
                 "pack(stage=W, readers=[C], tile=[1, 8], order=[1, 0, 2])");
  const AnalyticalCost cost = EstimateCost(state);
  ASSERT_EQ(cost.stages.size(), 1u);
  EXPECT_EQ(cost.stages[0].stage, state.Find("C"));
}

// The heuristic's schedules are good; random ones of all kinds stay finite and above zero.
TEST(AnalyticalCostTest, RanksReferencesAboveNaivePrograms) {
  const auto space = MakeSchedulegymSpace(ParseSpec("schedulegym").value());
  for (const char* workload : {"matmul(m=512,n=512,k=512)", "softmax(n=512,m=512)",
                               "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)"}) {
    const auto task = WorkloadTask(workload, Avx2Target());
    EXPECT_LT(EstimateCost(ReferenceSchedule(task)).Seconds(),
              0.5 * EstimateCost(ScheduleState::Initial(task)).Seconds())
        << workload;
    Rng rng(2);
    for (int i = 0; i < 30; ++i) {
      const double seconds = EstimateCost(space->Sample(task, rng).value()).Seconds();
      EXPECT_TRUE(std::isfinite(seconds) && seconds > 0) << workload;
    }
  }
}

}  // namespace
}  // namespace schedulegym
