#include "env/features/state_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/features/analytical_cost.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using Place = EstimatedLayout;

ScheduleState Matmul(const std::string& trace) {
  const auto task = WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target());
  return ReplayText(task, "trace 1\n" + trace).value();
}

TEST(EstimatedFeaturesTest, BeginWithAnsors) {
  const ScheduleState state = Matmul(
      "reorder(stage=C, order=[0, 2, 1])\n"
      "vectorize(stage=C, loop=2)\n");
  const FeatureRows ansor = AnsorFeatures(state);
  const std::vector<float> all = EstimatedFeatures(state);
  ASSERT_EQ(all.size(), static_cast<size_t>(ansor.size() * Place::kWidth));
  for (int i = 0; i < AnsorLayout::kWidth; ++i) EXPECT_EQ(all[i], ansor.Row(0)[i]);
}

TEST(EstimatedFeaturesTest, HoldTheEstimate) {
  const ScheduleState state = Matmul(
      "reorder(stage=C, order=[0, 2, 1])\n"
      "vectorize(stage=C, loop=2)\n");
  const AnalyticalCost cost = EstimateCost(state);
  const std::vector<float> row = EstimatedFeatures(state);
  EXPECT_FLOAT_EQ(row[Place::kSeconds],
                  static_cast<float>(std::log2(1 + 1e9 * cost.stages[0].Seconds())));
  EXPECT_FLOAT_EQ(row[Place::kProgram], row[Place::kSeconds]);
  EXPECT_EQ(row[Place::kShare], 1);
  // 64 x 64 blocks, each of 64 elements in 8 vectors of 8.
  EXPECT_FLOAT_EQ(row[Place::kBlocks], std::log2(1 + 4096.0f));
  EXPECT_FLOAT_EQ(row[Place::kBlockVectors], std::log2(1 + 8.0f));
  EXPECT_EQ(row[Place::kKeepsResults], 1);
  EXPECT_EQ(row[Place::kBusyShare], 0.5f);
  EXPECT_EQ(row[Place::kSteps], 1);
}

// 64 elements in tiles of 24: the third tile is the tail, so 64 elements take 72 steps.
TEST(EstimatedFeaturesTest, TellOfTails) {
  const std::vector<float> row =
      EstimatedFeatures(Matmul("split(stage=C, loop=0, lengths=[24])\n"));
  EXPECT_FLOAT_EQ(row[Place::kSteps], std::log2(1 + 72.0f / 64));
}

// Weights that are packed once, before the timed call, cost nothing.
TEST(EstimatedFeaturesTest, AreZeroForPreparedWeights) {
  const auto task = DagTask(
      "input A[8, 8]\nweight W[8, 8]\nC[i:8, j:8] = sum(k:8) A[i, k] * W[k, j]\n", Avx2Target());
  const ScheduleState state =
      ReplayText(task, "trace 1\npack(stage=W, readers=[C], tile=[1, 4], order=[1, 0, 2])\n")
          .value();
  const FeatureRows ansor = AnsorFeatures(state);
  const std::vector<float> all = EstimatedFeatures(state);
  ASSERT_EQ(ansor.size(), 2);
  const int weights = state.stage(ansor.stages[0]).op->name == "W.pack" ? 0 : 1;
  for (int place = Place::kSeconds; place < Place::kWidth; ++place) {
    EXPECT_EQ(all[weights * Place::kWidth + place], 0) << place;
  }
  EXPECT_GT(all[(1 - weights) * Place::kWidth + Place::kSeconds], 0);
}

TEST(EstimatedFeaturesTest, HaveNames) {
  EXPECT_EQ(EstimatedFeatureNames().size(),
            static_cast<size_t>(Place::kWidth - AnsorLayout::kWidth));
}

}  // namespace
}  // namespace schedulegym
