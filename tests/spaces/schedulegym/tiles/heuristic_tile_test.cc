#include "spaces/schedulegym/tiles/heuristic_tile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

struct Nest : WorkloadNest {
  using WorkloadNest::WorkloadNest;
  TilePlan Plan() const { return HeuristicTile(state, facts); }
};

// The panel of weights does not fit with the pixels: it stays in the cache while pixels change. A
// small filter is read again for every pixel.
TEST(HeuristicTileTest, KeepsPanelsWhileTheRestPasses) {
  const Nest heavy("conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)", Avx2Target(), "Y");
  EXPECT_EQ(heavy.Plan().tile.vector, 3);
  EXPECT_EQ(heavy.Plan().outer, (std::vector<int>{0, 3, 1, 2}));
  const Nest light("depthwise(h=112,w=112,c=64,k=3,p=1)", Avx2Target(), "Y");
  EXPECT_EQ(light.Plan().outer.back(), light.Plan().tile.vector);
}

TEST(HeuristicTileTest, SharesBalancedLoops) {
  const Nest nest("matmul(m=960,n=960,k=960)", Avx2Target(), "C");
  TilePlan plan = nest.Plan();
  EXPECT_GE(plan.parallel, 1);
  // After an odd first loop, the next loop is fused with it.
  plan.tile.size = {6, 2, 1};
  plan.outer = {1, 0};
  const Nest three("matmul(m=960,n=48,k=960)", Avx2Target(), "C");
  EXPECT_EQ(ChooseParallel(three.state, three.facts, plan), 2);
  plan.inside = 1;
  EXPECT_EQ(ChooseParallel(three.state, three.facts, plan), 1);
  EXPECT_EQ(Nest("matmul(m=960,n=960,k=960)", Avx2Target(1), "C").Plan().parallel, 0);
}

TEST(HeuristicTileTest, UnrollsShortFilters) {
  const Nest nest("depthwise(h=16,w=16,c=32,k=3)", Avx2Target(), "Y");
  const TilePlan plan = nest.Plan();
  EXPECT_TRUE(plan.levels[4].unroll);
  EXPECT_TRUE(plan.levels[5].unroll);
  const Nest conv("conv2d(h=16,w=16,ci=64,co=32,k=3)", Avx2Target(), "Y");
  for (const TilePlan::Levels& levels : conv.Plan().levels) EXPECT_FALSE(levels.unroll);
}

// Constant taps and parities decide which terms of a transposed convolution count.
TEST(HeuristicTileTest, UnrollsTapsThatDecide) {
  const Nest nest("conv2d_transpose(h=8,w=8,ci=64,co=32,k=4,s=2,p=1)", Avx2Target(), "Y");
  const TilePlan plan = nest.Plan();
  EXPECT_TRUE(plan.levels[6].unroll);
  EXPECT_TRUE(plan.levels[7].unroll);
  EXPECT_FALSE(plan.levels[8].unroll);
}

TEST(HeuristicTileTest, PacksWeightsAndFarRows) {
  const auto packed = [](const std::string& workload, const std::string& stage) {
    return Nest(workload, Avx2Target(), stage).Plan().packs.size();
  };
  EXPECT_EQ(packed("conv2d(h=16,w=16,ci=64,co=32,k=3)", "Y"), 1u);
  EXPECT_EQ(packed("matmul(m=256,n=256,k=256)", "C"), 0u);
  EXPECT_EQ(packed("matmul(m=1024,n=1024,k=1024)", "C"), 1u);
}

TEST(HeuristicTileTest, KeepsTheRules) {
  const auto plan = [](const std::string& workload, const Rules& rules) {
    const Nest nest(workload, Avx2Target(), "C");
    BestTiles best;
    return HeuristicTile(nest.state, nest.facts, best, rules);
  };
  const std::string product = "matmul(m=1024,n=1024,k=1024)";
  EXPECT_EQ(plan(product, {}).packs.size(), 1u);
  EXPECT_TRUE(plan(product, {.pack = false}).packs.empty());
  EXPECT_EQ(plan(product, {.layout = false}).packs.size(), 1u);
  // Rows in sixes leave four of a thousand.
  const std::string odd = "matmul(m=1000,n=1024,k=1024)";
  EXPECT_EQ(plan(odd, {}).tile.size[0], 6);
  EXPECT_EQ(plan(odd, {.tails = false}).tile.size[0], 5);
}

// Vectors need a packed copy of a transposed operand; an operand's copy covers whole panels.
TEST(HeuristicTileTest, OffersPanels) {
  const ScheduleState state = ScheduleState::Initial(
      DagTask("input A[96, 64]\ninput B[128, 64]\nC[i:96, j:128] = sum(k:64) A[i, k] * B[j, k]\n",
              Avx2Target()));
  const NestFacts facts = AnalyzeNest(state, 2);
  TilePlan plan = HeuristicTile(state, facts);
  plan.tile = {1, 8, {6, 2, 1}};
  const auto choices = PackChoices(state, facts, plan);
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].kind, PackKind::kBroadcastInput);
  EXPECT_EQ(choices[0].plan.panel, 6);
  EXPECT_EQ(choices[0].reuse, 128);
  EXPECT_TRUE(choices[0].is_matrix);
  EXPECT_EQ(choices[1].kind, PackKind::kVectorInput);
  EXPECT_EQ(choices[1].plan.panel, 16);
  EXPECT_TRUE(choices[1].needed);
  EXPECT_EQ(plan.packs.size(), 1u);
}

// Panels of 16 would cross the borders of groups of 24.
TEST(HeuristicTileTest, KeepsPanelsWithinGroups) {
  const Nest nest("conv2d(h=8,w=8,ci=16,co=48,k=1,groups=2)", Avx2Target(), "Y");
  TilePlan plan = nest.Plan();
  plan.tile = {4, 8, {1, 1, 6, 1, 2, 1, 1, 1}};
  const auto weights = [&] {
    const auto choices = PackChoices(nest.state, nest.facts, plan);
    return std::count_if(choices.begin(), choices.end(),
                         [](const auto& choice) { return choice.kind == PackKind::kWeight; });
  };
  EXPECT_EQ(weights(), 0);
  plan.tile.size[4] = 3;
  EXPECT_EQ(weights(), 1);
}

TEST(HeuristicTileTest, BlocksReductionsOfManyTaps) {
  const Nest nest("conv3d(d=16,h=7,w=7,ci=512,co=512,k=3,p=1)", Avx2Target(), "Y");
  const TilePlan plan = nest.Plan();
  EXPECT_EQ(plan.levels[5].block, 1);
  EXPECT_GT(plan.inside, 0);
  EXPECT_EQ(plan.outer.front(), plan.tile.vector);
}

}  // namespace
}  // namespace schedulegym
