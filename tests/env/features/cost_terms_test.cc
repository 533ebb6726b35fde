#include "env/features/cost_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/features/estimated_seconds.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;

// Two stages, computed by hand at 1 GHz: cycles times blocks over cores are seconds.
TEST(TermsOf, SumsTheStages) {
  AnalyticalCost cost;
  cost.stages.push_back({.l2_seconds = 2,
                         .memory_seconds = 3,
                         .blocks = 8e9,
                         .arithmetic_cycles = 5,
                         .access_cycles = 1,
                         .spill_cycles = 0.5,
                         .busy_cores = 2});
  cost.stages.push_back({.l3_seconds = 4, .parallel_seconds = 7, .blocks = 1e9, .chain_cycles = 6});
  EXPECT_THAT(TermsOf(cost, false, {.hertz = 1e9}).seconds, ElementsAre(20, 4, 6, 2, 2, 4, 3, 7));
}

// The larger of arithmetic without spills (22 - 2) and traffic, then 4 of the other stage.
TEST(TermsOf, RooflineTakesTheLargest) {
  AnalyticalCost cost;
  cost.stages.push_back({.compute_seconds = 22,
                         .memory_seconds = 3,
                         .blocks = 8e9,
                         .spill_cycles = 0.5,
                         .busy_cores = 2});
  cost.stages.push_back({.compute_seconds = 1, .l3_seconds = 4, .parallel_seconds = 7});
  EXPECT_THAT(TermsOf(cost, true, {.hertz = 1e9}).seconds, ElementsAre(24, 0, 0, 2, 0, 0, 0, 7));
}

TEST(SecondsBy, WeighsEachTerm) {
  const CostTerms terms = {{1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_DOUBLE_EQ(SecondsBy({1, 0, 0, 0, 0, 0, 0, 0.5}, terms), 5);
}

TEST(CalibratedCoefficients, NoneIsNegative) {
  for (double coefficient : CalibratedCoefficients()) EXPECT_GE(coefficient, 0);
}

// Version 1 is unchanged; version 2 is a separate sum.
TEST(EstimateSeconds, HasTwoVersions) {
  const ScheduleState state =
      ScheduleState::Initial(WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2)));
  const AnalyticalCost cost = EstimateCost(state);
  EXPECT_DOUBLE_EQ(EstimateSeconds(state), cost.Seconds());
  EXPECT_DOUBLE_EQ(EstimateSeconds(state, {.version = 2}),
                   SecondsBy(CalibratedCoefficients(), TermsOf(cost, false)));
  EXPECT_EQ(FormulaName(state.task().target), "analytical");
  EXPECT_EQ(FormulaName(state.task().target, 2), "analytical 2");
}

}  // namespace
}  // namespace schedulegym
