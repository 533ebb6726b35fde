#include "spaces/nest_facts.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

TEST(WorkTest, FusesAsManyLoopsAsBalanceNeeds) {
  EXPECT_EQ(BalancedPrefix({8, 100}, 2), 1);
  EXPECT_EQ(BalancedPrefix({1, 8}, 2), 2);
  // 3 on 2 cores leave a quarter idle; 3 * 5 do not.
  EXPECT_EQ(BalancedPrefix({3, 5}, 2), 2);
  // Nine tenths are not reachable: the best prefix is returned.
  EXPECT_EQ(BalancedPrefix({3, 1}, 2), 1);
  EXPECT_EQ(BalancedPrefix({1, 1}, 2), 0);
  EXPECT_EQ(BalancedPrefix({}, 2), 0);
}

// 2 * 1024^3 operations, 16 per vector step, take about 20 ms on one core, far more than 8 us.
TEST(WorkTest, EstimatesByArithmeticAndTraffic) {
  const auto state =
      ScheduleState::Initial(WorkloadTask("matmul(m=1024,n=1024,k=1024)", Avx2Target()));
  const double seconds = EstimateSeconds(state, state.Find("C"));
  EXPECT_GT(seconds, 5e-3);
  EXPECT_LT(seconds, 0.5);
  // A copy of 64 MiB moves twice as many bytes, at about 15 GB/s.
  const auto copy = ScheduleState::Initial(
      DagTask("input A[4096, 4096]\nB[i:4096, j:4096] = A[i, j]\n", Avx2Target()));
  EXPECT_NEAR(EstimateSeconds(copy, 1), 2 * 64e6 * 1.05 / 15e9, 1e-3);
}

// Functions cost more than sums.
TEST(WorkTest, CountsFunctions) {
  const auto seconds = [](const std::string& body) {
    const auto state = ScheduleState::Initial(
        DagTask("input A[64]\nB[i:64, j:64, k:64] = " + body + "\n", Avx2Target()));
    return EstimateSeconds(state, 1);
  };
  EXPECT_GT(seconds("exp(A[k]) + exp(A[j])"), 3 * seconds("A[k] + A[j]"));
}

TEST(WorkTest, ParallelizesOuterLoops) {
  ScheduleBuilder builder(ScheduleState::Initial(
      DagTask("input A[3, 512, 512]\nB[i:3, j:512, k:512] = A[i, j, k] + 1\n", Avx2Target())));
  ParallelizeOuter(builder, 1, 1);
  EXPECT_EQ(Annotated(builder.state(), Annotation::kParallel), "B.0");
  EXPECT_EQ(builder.Extent(1, builder.stage(1).loops[0].node), 3 * 512);
}

TEST(WorkTest, LeavesSerialWhatIsSmallOrAlone) {
  for (const auto& [extent, cores] : {std::pair{16, 2}, {512, 1}}) {
    const std::string n = std::to_string(extent);
    ScheduleBuilder builder(ScheduleState::Initial(
        DagTask("input A[" + n + ", " + n + "]\nB[i:" + n + ", j:" + n + "] = A[i, j] + 1\n",
                Avx2Target(cores))));
    ParallelizeOuter(builder, 1, 1);
    EXPECT_EQ(Annotated(builder.state(), Annotation::kParallel), "");
  }
}

// Reductions, and the loops to keep, are left out.
TEST(WorkTest, StopsAtReductionsAndLoopsToKeep) {
  ScheduleBuilder sums(ScheduleState::Initial(
      DagTask("input A[4096, 512]\nS[j:512] = sum(i:4096) A[i, j]\n", Avx2Target())));
  sums.Reorder(1, {1, 0});
  ParallelizeOuter(sums, 1, 0);
  EXPECT_EQ(Annotated(sums.state(), Annotation::kParallel), "");
  ScheduleBuilder row(
      ScheduleState::Initial(DagTask("input A[999999]\nB[i:999999] = A[i] + 1\n", Avx2Target())));
  ParallelizeOuter(row, 1, 1);
  EXPECT_EQ(Annotated(row.state(), Annotation::kParallel), "");
}

}  // namespace
}  // namespace schedulegym
