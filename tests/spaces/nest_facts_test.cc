#include "spaces/nest_facts.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

NestFacts FactsOf(const ScheduleState& state, const std::string& stage) {
  return AnalyzeNest(state, state.Find(stage));
}
NestFacts FactsOf(const std::string& workload, const std::string& stage) {
  return FactsOf(ScheduleState::Initial(WorkloadTask(workload, Avx2Target())), stage);
}

using Longs = std::vector<int64_t>;
using Ints = std::vector<int>;

TEST(NestFactsTest, MatmulMovesByRowsAndColumns) {
  const NestFacts facts = FactsOf("matmul(m=24,n=32,k=10)", "C");
  ASSERT_EQ(facts.dimensions.size(), 3u);
  EXPECT_EQ(facts.Spatial(), (Ints{0, 1}));
  EXPECT_EQ(facts.Reductions(), (Ints{2}));
  ASSERT_EQ(facts.operands.size(), 2u);
  EXPECT_EQ(facts.operands[0].strides, (Longs{10, 0, 1}));
  EXPECT_EQ(facts.operands[0].axis_of, (Ints{0, 2}));
  EXPECT_EQ(facts.operands[1].strides, (Longs{0, 1, 32}));
  EXPECT_EQ(facts.output.strides, (Longs{32, 1, 0}));
  EXPECT_EQ(facts.Points(false), 24 * 32);
  EXPECT_EQ(facts.Points(true), 10);
  EXPECT_EQ(facts.steps, 24 * 32 * 10);
  EXPECT_FALSE(facts.has_conditions);
}

// Four groups of 8 outputs: o is (group, output of the group), and X depends on the group alone.
TEST(NestFactsTest, GroupsArePartsOfAnAxis) {
  const NestFacts facts = FactsOf("conv2d(h=8,w=8,ci=16,co=32,k=1,groups=4)", "Y");
  // b, y, x, o // 8, o % 8, r, q, c
  ASSERT_EQ(facts.dimensions.size(), 8u);
  EXPECT_EQ(facts.dimensions[3].part, NestDimension::Part::kOuter);
  EXPECT_EQ(facts.dimensions[3].extent, 4);
  EXPECT_EQ(facts.dimensions[3].stride, 8);
  EXPECT_EQ(facts.dimensions[4].part, NestDimension::Part::kInner);
  EXPECT_EQ(facts.dimensions[4].extent, 8);
  EXPECT_FALSE(facts.dimensions[4].decides);
  EXPECT_EQ(facts.operands[0].strides, (Longs{0, 8 * 16, 16, 4, 0, 0, 0, 1}));
  EXPECT_EQ(facts.operands[1].strides, (Longs{0, 0, 0, 8, 1, 0, 0, 32}));
}

// With stride 2 every second tap of a transposed convolution reads a zero; the parity of the pixel
// decides which.
TEST(NestFactsTest, ParitiesDecide) {
  const NestFacts facts = FactsOf("conv2d_transpose(h=4,w=5,ci=8,co=16,k=4,s=2,p=1)", "Y");
  // b, y // 2, y % 2, x // 2, x % 2, o, r, q, c
  ASSERT_EQ(facts.dimensions.size(), 9u);
  EXPECT_EQ(facts.Deciding(), (Ints{2, 4}));
  EXPECT_EQ(facts.Spatial(), (Ints{0, 1, 3, 5}));
  EXPECT_EQ(facts.dimensions[1].extent, 4);
  EXPECT_EQ(facts.dimensions[3].extent, 5);
  EXPECT_TRUE(facts.has_conditions);
  // One step of y // 2 is a row of X, one of x // 2 a pixel.
  EXPECT_EQ(facts.operands[0].strides[1], 5 * 8);
  EXPECT_EQ(facts.operands[0].strides[3], 8);
  EXPECT_EQ(facts.operands[0].axis_of[3], 6);
  EXPECT_EQ(facts.operands[0].axis_of[1], -1);
}

// Lanes of partial results and the loop around them form an axis of a weight together. The same
// holds for an input, but inputs are not rewritten ahead.
TEST(NestFactsTest, LanesMakeUpAnAxisOfAWeight) {
  const ScheduleState state = ScheduledDag(
      "input X[20, 16]\nweight W[16, 3]\nY[x:20, o:3] = sum(c:16) X[x, c] * W[c, o]\n",
      "trace 1\nsplit(stage=Y, loop=2, lengths=[8])\nrfactor(stage=Y, loop=3, axis=2)\n");
  const NestFacts facts = AnalyzeNest(state, state.Find("Y.rf"));
  ASSERT_EQ(facts.operands.size(), 2u);
  EXPECT_EQ(facts.operands[0].axis_of, (Ints{0, -1}));
  EXPECT_EQ(facts.operands[1].axis_of, (Ints{2, 1}));
}

// A window reads each pixel nine times, a row each element once.
TEST(NestFactsTest, TellsWhatIsReadAgain) {
  const auto again = [](const std::string& workload, const std::string& stage) {
    const WorkloadNest nest(workload, Avx2Target(), stage);
    return ReadsAgain(nest.state, nest.facts);
  };
  EXPECT_FALSE(again("norm(n=9,m=13)", "S"));
  EXPECT_FALSE(again("matmul(m=16,n=4,k=16)", "C"));
  EXPECT_TRUE(again("matmul(m=16,n=16,k=16)", "C"));
  EXPECT_TRUE(again("conv2d(h=8,w=8,ci=16,co=1,k=3,p=1)", "Y"));
}

TEST(NestFactsTest, EqualReadsCountOnce) {
  const NestFacts facts = FactsOf("norm(n=9,m=13)", "S");
  EXPECT_EQ(facts.operands.size(), 1u);
  EXPECT_EQ(facts.operands[0].strides, (Longs{0, 13, 1}));
}

// Reads of an inlined stage are replaced by the reads inside it.
TEST(NestFactsTest, LooksThroughInlinedStages) {
  const auto task =
      DagTask("input A[6, 8]\nT[j:8, i:6] = A[i, j]\nS[j:8] = sum(i:6) T[j, i]\n", Avx2Target());
  const ScheduleState state = Apply(ScheduleState::Initial(task), ComputeInline{{1}}).value();
  const NestFacts facts = FactsOf(state, "S");
  ASSERT_EQ(facts.operands.size(), 1u);
  EXPECT_EQ(facts.operands[0].stage, 0);
  EXPECT_EQ(facts.operands[0].strides, (Longs{1, 8}));
}

TEST(NestFactsTest, KnowsTensorsAndWeights) {
  const ScheduleState state = ScheduleState::Initial(DagTask(
      "input A[6, 8]\nweight W[8]: f64\nB[i:6] = sum(j:8) f64(A[i, j]) * W[j]\n", Avx2Target()));
  EXPECT_FALSE(IsWeightStage(state, 0));
  EXPECT_TRUE(IsWeightStage(state, 1));
  EXPECT_FALSE(IsWeightStage(state, 2));
  EXPECT_EQ(TensorBytes(*state.stage(0).op), 6 * 8 * 4);
  EXPECT_EQ(TensorBytes(*state.stage(2).op), 6 * 8);
}

}  // namespace
}  // namespace schedulegym
