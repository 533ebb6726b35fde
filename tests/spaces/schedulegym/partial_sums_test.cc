#include "spaces/schedulegym/partial_sums.h"

#include <gtest/gtest.h>

#include "spaces/schedulegym/decision_provider.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using Longs = std::vector<int64_t>;

// The shape of a stage after partial sums; empty if there is no such stage.
Longs ShapeAfter(const std::string& dag, const Target& target, const std::string& stage) {
  ScheduleBuilder builder(ScheduleState::Initial(DagTask(dag, target)));
  HeuristicDecisionProvider decisions;
  KeepPartialSums(builder, decisions);
  const ScheduleState state = builder.Finish().value();
  const int id = state.Find(stage);
  if (id < 0) return {};
  Longs shape;
  for (int i = 0; i < state.stage(id).op->spatial; ++i) {
    shape.push_back(state.stage(id).op->axes[i].extent);
  }
  return shape;
}

TEST(LaneChoicesTest, AreWholeVectorsIfAny) {
  EXPECT_EQ(LaneChoices(96, 8, 32), (Longs{32, 24, 16, 8}));
  EXPECT_EQ(LaneChoices(40, 8, 32), (Longs{8}));
}

// No multiple of 8 divides 36: the largest divisor is used if it fills half a vector.
TEST(LaneChoicesTest, AreTheLargestDivisorElse) {
  EXPECT_EQ(LaneChoices(36, 8, 16), (Longs{12}));
  EXPECT_EQ(LaneChoices(35, 8, 32), (Longs{7}));
  EXPECT_EQ(LaneChoices(33, 8, 8), (Longs{}));
  EXPECT_EQ(LaneChoices(97, 8, 32), (Longs{}));
}

TEST(PartialSumsTest, KeepsLanesOfRows) {
  EXPECT_EQ(ShapeAfter("input A[40, 64]\nS[i:40] = sum(j:64) A[i, j]\n", Avx2Target(), "S.rf"),
            (Longs{40, 8}));
  // Longer rows hide more latency.
  EXPECT_EQ(ShapeAfter("input A[40, 512]\nS[i:40] = sum(j:512) A[i, j]\n", Avx2Target(), "S.rf"),
            (Longs{40, 32}));
}

TEST(PartialSumsTest, LeavesWhatVectorsCanDo) {
  EXPECT_EQ(ShapeAfter("input A[64, 40]\nS[j:40] = sum(i:64) A[i, j]\n", Avx2Target(), "S.rf"),
            (Longs{}));
}

// Three channels would leave more than half of a vector of eight unused; five would leave less.
TEST(PartialSumsTest, KeepsLanesWhereResultsFillNoVector) {
  const auto shape = [](int channels, const std::string& kind, int terms = 16) {
    const std::string o = std::to_string(channels), c = std::to_string(terms);
    return ShapeAfter("input X[20, " + c + "]\n" + kind + " W[3, " + c + ", " + o +
                          "]\nY[x:18, o:" + o + "] = sum(r:3, c:" + c +
                          ") X[x + r, c] * W[r, c, o]\n",
                      Avx2Target(), "Y.rf");
  };
  EXPECT_EQ(shape(3, "weight"), (Longs{18, 3, 8}));
  EXPECT_EQ(shape(5, "weight"), (Longs{}));
  EXPECT_EQ(shape(3, "weight", 12), (Longs{}));  // vectors of terms would not be full
  EXPECT_EQ(shape(3, "input"), (Longs{}));       // inputs are not rewritten ahead
}

// A prime length has no lanes; rows are unchanged.
TEST(PartialSumsTest, LeavesPrimeLengths) {
  EXPECT_EQ(ShapeAfter("input A[40, 97]\nS[i:40] = sum(j:97) A[i, j]\n", Avx2Target(), "S.rf"),
            (Longs{}));
}

// One result of 4 million terms: eight groups of rows for two cores, then 32 lanes.
TEST(PartialSumsTest, SharesFewResultsAmongCores) {
  const std::string dag = "input A[2048, 2048]\nS[] = sum(i:2048, j:2048) A[i, j] * A[i, j]\n";
  EXPECT_EQ(ShapeAfter(dag, Avx2Target(2), "S.rf.rf"), (Longs{8, 32}));
  EXPECT_EQ(ShapeAfter(dag, Avx2Target(1), "S.rf.rf"), (Longs{}));
  EXPECT_EQ(
      ShapeAfter("input A[64, 64]\nS[] = sum(i:64, j:64) A[i, j]\n", Avx2Target(2), "S.rf.rf"),
      (Longs{}));
}

}  // namespace
}  // namespace schedulegym
