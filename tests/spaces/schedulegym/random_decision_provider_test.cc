#include "spaces/schedulegym/decision_provider.h"

#include <gtest/gtest.h>

#include "spaces/schedulegym/tiles/heuristic_tile.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

class RandomDecisionProviderTest : public testing::Test {
 protected:
  // Of 200 tilings, those that are the heuristic's.
  int Heuristics(const RandomTileOptions& options) {
    Rng rng(7);
    BestTiles best;
    RandomDecisionProvider decisions(options, best, rng);
    const TilePlan heuristic = HeuristicTile(nest_.state, nest_.facts, best, options.rules);
    int found = 0;
    for (int i = 0; i < 200; ++i) found += decisions.Tile(nest_.state, nest_.facts) == heuristic;
    return found;
  }

  const WorkloadNest nest_{"matmul(m=1000,n=1000,k=1024)", Avx2Target(), "C"};
};

TEST_F(RandomDecisionProviderTest, AShareOfTilingsIsTheHeuristics) {
  EXPECT_EQ(Heuristics({.heuristic = 1}), 200);
  EXPECT_EQ(Heuristics({.heuristic = 0}), 0);
  // 200 draws of one in twenty: 10, and 3.1 about it.
  const int usual = Heuristics({});
  EXPECT_GE(usual, 1);
  EXPECT_LE(usual, 22);
}

// A rule that is switched off changes what the share is drawn from, not the share.
TEST_F(RandomDecisionProviderTest, TheShareDoesNotDependOnTheRules) {
  for (const Rules& rules : {Rules{.pack = false}, Rules{.layout = false}, Rules{.tails = false},
                             Rules{.register_tile = false}}) {
    EXPECT_EQ(Heuristics({.rules = rules, .heuristic = 1}), 200);
    EXPECT_EQ(Heuristics({.rules = rules, .heuristic = 0}), 0);
  }
}

}  // namespace
}  // namespace schedulegym
