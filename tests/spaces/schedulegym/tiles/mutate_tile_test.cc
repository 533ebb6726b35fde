#include "spaces/schedulegym/tiles/random_tile.h"

#include <gtest/gtest.h>

#include <set>

#include "spaces/schedulegym/tiles/heuristic_tile.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

struct Nest : WorkloadNest {
  Nest() : WorkloadNest("matmul(m=960,n=960,k=512)", Avx2Target(), "C") {}

  // `count` mutations, starting from one plan.
  std::vector<TilePlan> EpisodeState(int count, const RandomTileOptions& options = {}) const {
    Rng rng(4);
    BestTiles best;
    TilePlan plan = RandomTile(state, facts, options, best, rng);
    std::vector<TilePlan> plans{plan};
    for (int i = 0; i < count; ++i) {
      plan = MutateTilePlan(state, facts, plan, options, best, rng);
      plans.push_back(plan);
    }
    return plans;
  }
};

TEST(MutateTileTest, ChangesThePlan) {
  const std::vector<TilePlan> plans = Nest().EpisodeState(300);
  int same = 0;
  for (size_t i = 1; i < plans.size(); ++i) same += plans[i] == plans[i - 1];
  EXPECT_LE(same, 5);
}

TEST(MutateTileTest, ReachesEveryPartOfThePlan) {
  std::set<std::vector<int64_t>> sizes;
  std::set<int64_t> middles, blocks, steps, orders, inside, packs, at;
  for (const TilePlan& plan : Nest().EpisodeState(600)) {
    sizes.insert(plan.tile.size);
    middles.insert(plan.levels[0].middle);
    blocks.insert(plan.levels[2].block);
    steps.insert(plan.unroll_step);
    orders.insert(plan.outer[0]);
    inside.insert(plan.inside);
    packs.insert(static_cast<int64_t>(plan.packs.size()));
    for (const PackPlan& pack : plan.packs) at.insert(pack.at);
  }
  EXPECT_GE(sizes.size(), 30u);
  EXPECT_GE(middles.size(), 5u);
  EXPECT_GE(blocks.size(), 8u);
  EXPECT_EQ(steps, (std::set<int64_t>{0, 16, 64, 512}));
  EXPECT_EQ(orders, (std::set<int64_t>{0, 1}));
  EXPECT_EQ(inside, (std::set<int64_t>{0, 1}));
  EXPECT_EQ(packs, (std::set<int64_t>{0, 1, 2}));
  EXPECT_EQ(at, (std::set<int64_t>{-1, 0, 1}));
}

TEST(MutateTileTest, KeepsPlansWhole) {
  const Nest nest;
  for (const TilePlan& plan : nest.EpisodeState(600)) {
    EXPECT_LE(plan.tile.Vectors(), 24);
    EXPECT_LE(plan.parallel + plan.inside, 2);
    // Panels have the length of the register tile that reads them.
    for (const PackPlan& pack : plan.packs) {
      const int64_t lanes = pack.dimension == plan.tile.vector ? plan.tile.lanes : 1;
      EXPECT_EQ(pack.panel, plan.tile.size[pack.dimension] * lanes);
    }
  }
}

TEST(MutateTileTest, FollowsTheRules) {
  for (const TilePlan& plan : Nest().EpisodeState(300, {.rules = {.tails = false}})) {
    EXPECT_EQ(960 % plan.tile.size[0], 0);
  }
  for (const TilePlan& plan :
       Nest().EpisodeState(300, {.rules = {.pack = false, .layout = false}})) {
    EXPECT_TRUE(plan.packs.empty());
  }
  int beyond = 0;
  for (const TilePlan& plan : Nest().EpisodeState(300, {.rules = {.register_tile = false}})) {
    beyond += plan.tile.Vectors() > 24;
  }
  EXPECT_GT(beyond, 0);
}

}  // namespace
}  // namespace schedulegym
