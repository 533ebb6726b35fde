#include "spaces/schedulegym/tiles/random_tile.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

struct Nest : WorkloadNest {
  Nest(const std::string& workload, const std::string& stage)
      : WorkloadNest(workload, Avx2Target(), stage) {}

  std::vector<TilePlan> Draw(int count, const RandomTileOptions& options = {}) const {
    Rng rng(4);
    BestTiles best;
    std::vector<TilePlan> plans;
    for (int i = 0; i < count; ++i) plans.push_back(RandomTile(state, facts, options, best, rng));
    return plans;
  }
};

// 6 x 2 is the best for this CPU; draws use at most one and a half register files.
TEST(RandomTileTest, StaysNearTheRegisters) {
  const Nest nest("matmul(m=960,n=960,k=512)", "C");
  int fitting = 0;
  std::set<std::vector<int64_t>> sizes;
  for (const TilePlan& plan : nest.Draw(400)) {
    EXPECT_LE(plan.tile.Vectors(), 24);
    fitting += plan.tile.Vectors() <= 14;
    sizes.insert(plan.tile.size);
  }
  EXPECT_GE(fitting, 300);
  EXPECT_GE(sizes.size(), 20u);
  EXPECT_TRUE(sizes.count({6, 2, 1}));
}

TEST(RandomTileTest, FitsAlwaysIfAsked) {
  const Nest nest("matmul(m=960,n=960,k=512)", "C");
  for (const TilePlan& plan : nest.Draw(200, {.sensible = 1.0})) EXPECT_LE(plan.tile.Vectors(), 14);
}

TEST(RandomTileTest, DrawsEveryChoice) {
  const Nest nest("matmul(m=960,n=960,k=512)", "C");
  std::set<int64_t> steps, orders, packs;
  int blocked = 0, unrolled = 0, middle = 0, at_loop = 0, not_dividing = 0;
  for (const TilePlan& plan : nest.Draw(400)) {
    steps.insert(plan.unroll_step);
    orders.insert(plan.outer[0]);
    packs.insert(static_cast<int64_t>(plan.packs.size()));
    blocked += plan.levels[2].block > 0 && !plan.levels[2].unroll;
    unrolled += plan.levels[2].unroll;
    middle += plan.levels[0].middle > 1 || plan.levels[1].middle > 1;
    not_dividing += 960 % plan.tile.size[0] != 0;
    for (const PackPlan& pack : plan.packs) at_loop += pack.at >= 0;
  }
  EXPECT_EQ(steps, (std::set<int64_t>{0, 16, 64, 512}));
  EXPECT_EQ(orders, (std::set<int64_t>{0, 1}));
  EXPECT_EQ(packs, (std::set<int64_t>{0, 1, 2}));
  for (int count : {blocked, unrolled, middle, at_loop, not_dividing}) EXPECT_GE(count, 10);
}

// Panels of B[k, j] are packed for blocks of j: half of the second-level cache holds all of them.
TEST(RandomTileTest, KeepsPanelsInTheSecondCache) {
  const Nest nest("matmul(m=960,n=960,k=512)", "C");
  const Target& target = nest.state.task().target;
  int found = 0;
  for (const TilePlan& plan : nest.Draw(400)) {
    const bool cached = plan.packs.size() == 1 && plan.packs[0].at == 0 &&
                        plan.packs[0].dimension == 1 && plan.outer == std::vector<int>{1, 0} &&
                        plan.levels[2].block == 0 && plan.parallel == 1;
    if (!cached) continue;
    ++found;
    EXPECT_LE(plan.BlockLength(1) * 512 * 4, target.l2_bytes / 2);
  }
  EXPECT_GE(found, 40);
}

TEST(RandomTileTest, PacksNothingIfAsked) {
  for (const TilePlan& plan : Nest("matmul(m=960,n=960,k=512)", "C")
                                  .Draw(50, {.rules = {.pack = false, .layout = false}})) {
    EXPECT_TRUE(plan.packs.empty());
  }
}

// A reduction to a scalar has neither tiles nor outer loops.
TEST(RandomTileTest, TakesScalars) {
  const ScheduleState state =
      ScheduleState::Initial(DagTask("input A[500]\nS[] = sum(i:500) A[i]\n", Avx2Target()));
  const NestFacts facts = AnalyzeNest(state, 1);
  Rng rng(1);
  BestTiles best;
  for (int i = 0; i < 50; ++i) {
    const TilePlan plan = RandomTile(state, facts, {}, best, rng);
    EXPECT_EQ(plan.tile.vector, -1);
    EXPECT_TRUE(plan.outer.empty());
    EXPECT_EQ(plan.inside, 0);
  }
}

}  // namespace
}  // namespace schedulegym
