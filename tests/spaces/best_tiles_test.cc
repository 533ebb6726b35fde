#include "spaces/best_tiles.h"

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

}  // namespace
}  // namespace schedulegym
