#include "spaces/schedulegym/tiles/tile_cost.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

TEST(BestTilesTest, AnswersAsTheCostDoes) {
  BestTiles best;
  for (const char* workload :
       {"matmul(m=960,n=960,k=512)", "matmul(m=7,n=960,k=512)", "matmul(m=960,n=24,k=512)"}) {
    for (const Target& target : {Avx2Target(), Avx512Target()}) {
      const WorkloadNest nest(workload, target, "C");
      const RegisterTile expected =
          TileCost(nest.state, nest.facts, WholeSetting(nest.facts)).Best();
      EXPECT_EQ(best.Of(nest.state, nest.facts), expected) << workload;
      EXPECT_EQ(best.Of(nest.state, nest.facts), expected) << workload;
    }
  }
}

// If the reduction is split, another tile may be the best.
TEST(BestTilesTest, TellsSettingsApart) {
  BestTiles best;
  const WorkloadNest nest("matmul(m=960,n=960,k=512)", Avx2Target(), "C");
  TileSetting blocked = WholeSetting(nest.facts);
  blocked.blocks[nest.facts.Reductions()[0]] = 1;
  for (const TileSetting& setting : {WholeSetting(nest.facts), blocked}) {
    const TileCost cost(nest.state, nest.facts, setting);
    const CostedTile found = best.Of(nest.state, nest.facts, setting);
    EXPECT_EQ(found.tile, cost.Best());
    EXPECT_EQ(found.cycles, cost.Cycles(found.tile));
  }
}

}  // namespace
}  // namespace schedulegym
