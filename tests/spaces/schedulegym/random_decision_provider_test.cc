#include "spaces/schedulegym/decision_provider.h"

#include <gtest/gtest.h>

#include "spaces/schedulegym/tiles/heuristic_tile.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

class RandomDecisionProviderTest : public testing::Test {
 protected:
  // Of 200 tilings, the number that equal the heuristic's.
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
  // 200 draws with probability 1/20: 10, with a deviation of 3.1.
  const int usual = Heuristics({});
  EXPECT_GE(usual, 1);
  EXPECT_LE(usual, 22);
}

// Disabling a rule changes the tilings to draw from, not the heuristic's share.
TEST_F(RandomDecisionProviderTest, TheShareDoesNotDependOnTheRules) {
  for (const Rules& rules : {Rules{.pack = false}, Rules{.layout = false}, Rules{.tails = false},
                             Rules{.register_tile = false}}) {
    EXPECT_EQ(Heuristics({.rules = rules, .heuristic = 1}), 200);
    EXPECT_EQ(Heuristics({.rules = rules, .heuristic = 0}), 0);
  }
}

}  // namespace
}  // namespace schedulegym
