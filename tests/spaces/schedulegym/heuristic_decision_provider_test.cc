#include "spaces/schedulegym/decision_provider.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

bool Inlines(const ScheduleState& state, const std::string& stage) {
  HeuristicDecisionProvider decisions;
  return decisions.Inline(state, state.Find(stage));
}
bool Inlines(const std::string& workload, const std::string& stage) {
  return Inlines(ScheduleState::Initial(WorkloadTask(workload, Avx2Target())), stage);
}
ScheduleState DagState(const char* dag) {
  return ScheduleState::Initial(DagTask(dag, Avx2Target()));
}

// Padding read by every output channel is stored; padding read by few taps, or none, is inlined.
TEST(HeuristicDecisionProviderTest, InlinesPaddingThatIsReadSeldom) {
  EXPECT_FALSE(Inlines("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)", "P"));
  EXPECT_TRUE(Inlines("conv2d(h=14,w=14,ci=32,co=64,k=3,p=0)", "P"));
  EXPECT_TRUE(Inlines("depthwise(h=14,w=14,c=64,k=3,p=1)", "P"));
}

TEST(HeuristicDecisionProviderTest, NeverComputesFunctionsTwice) {
  EXPECT_FALSE(Inlines("softmax(n=16,m=16)", "E"));
  EXPECT_FALSE(Inlines("mlp(t=16,d=16,hidden=16)", "A"));
  EXPECT_TRUE(Inlines(DagState("input A[9]\nB[i:9] = exp(A[i])\nC[i:9] = B[i] + 1\n"), "B"));
  EXPECT_FALSE(
      Inlines(DagState("input A[9]\nB[i:9] = exp(A[i])\nC[i:9, j:9] = B[i] + B[j]\n"), "B"));
}

TEST(HeuristicDecisionProviderTest, InlinesCopiesAndCheapSteps) {
  EXPECT_TRUE(Inlines("tbs(l=16,heads=2,size=8)", "T"));
  EXPECT_TRUE(Inlines("tbs(l=16,heads=2,size=8)", "U"));
  EXPECT_TRUE(Inlines("attention(heads=2,t=16,d=8)", "N"));
  // A sum for each step of a matrix product costs more than it saves.
  EXPECT_FALSE(Inlines(DagState("input A[9, 9]\ninput B[9, 9]\nD[i:9, k:9] = A[i, k] + 1\n"
                                "C[i:9, j:9] = sum(k:9) D[i, k] * B[k, j]\n"),
                       "D"));
}

TEST(HeuristicDecisionProviderTest, ChoosesVectorsOfMaps) {
  HeuristicDecisionProvider decisions;
  const ScheduleState state = DagState(
      "input A[9, 100]\nB[i:9, j:100] = A[i, j] + 1\n"
      "C[i:9, j:100] = exp(A[i, j])\nD[i:9, j:5] = A[i, j] + 1\n");
  EXPECT_EQ(decisions.Map(state, state.Find("B")).vector, 32);
  EXPECT_EQ(decisions.Map(state, state.Find("C")).vector, 16);
  EXPECT_EQ(decisions.Map(state, state.Find("D")).vector, 5);
}

TEST(HeuristicDecisionProviderTest, ChoosesLanesByTheLengthOfRows) {
  HeuristicDecisionProvider decisions;
  const ScheduleState state = DagState("input A[9]\nS[] = sum(i:9) A[i]\n");
  EXPECT_EQ(decisions.Lanes(state, 1, 64), 8);
  EXPECT_EQ(decisions.Lanes(state, 1, 128), 16);
  EXPECT_EQ(decisions.Lanes(state, 1, 512), 32);
  EXPECT_EQ(decisions.Lanes(state, 1, 520), 8);  // 65 vectors
  EXPECT_EQ(decisions.Lanes(state, 1, 97), 1);
}

}  // namespace
}  // namespace schedulegym
