#include "agents/local/local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

class HillAgentTest : public testing::Test {
 protected:
  static std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                                     uint64_t seed = 1) {
    return GridAgent(spec, space, seed);
  }
  GridPlace Next(Agent& agent, const GridCost& cost) const {
    const auto some = GridRound(agent, 0, 8, cost);
    EXPECT_EQ(some.size(), 1u);
    return some.at(0);
  }
  void Tell(Agent& agent, const GridPlace& place, std::optional<double> seconds,
            TrialStatus told) const {
    Trial trial = KnownTrial(GridState(task_, place), seconds);
    trial.told = told;
    agent.Learn({&trial, 1});
  }

  std::shared_ptr<const Task> task_ = GridTask();
};

TEST_F(HillAgentTest, GoesOnFromTheFirstThatIsFaster) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const GridSpace space(20);
    const auto agent = Make("hill", space, seed);
    const GridCost cost = AwayFrom({10, 10});
    GridPlace centre = Next(*agent, cost);
    while (centre != GridPlace{10, 10}) {
      const GridPlace next = Next(*agent, cost);
      EXPECT_EQ(DistanceOf(next, centre), 1);
      if (cost(next) < cost(centre)) centre = next;
    }
    EXPECT_EQ(space.draws(), 1);
  }
}

// Each step measures at most four neighbours.
TEST_F(HillAgentTest, ClimbsASmoothGridWithoutDetours) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const GridSpace space(12);
    const auto agent = Make("hill", space, seed);
    const auto all = GridSearch(*agent, 1 + 4 * (8 + 8), 8, AwayFrom({8, 8}));
    EXPECT_THAT(all, testing::Contains(GridPlace{8, 8}));
  }
}

TEST_F(HillAgentTest, BeginsAnewWhereNoNeighbourIsFaster) {
  const GridSpace space(20);
  const auto agent = Make("hill", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  const GridCost slower = [](const GridPlace&) { return 2.0; };
  for (int i = 0; i < 4; ++i) EXPECT_EQ(DistanceOf(Next(*agent, slower), {10, 10}), 1);
  EXPECT_EQ(space.draws(), 0);
  const GridPlace start = Next(*agent, slower);
  EXPECT_GT(space.draws(), 0);
  // The new start is slower than the old place, but the search continues from it.
  EXPECT_EQ(DistanceOf(Next(*agent, slower), start), 1);
}

TEST_F(HillAgentTest, PatienceEndsAClimb) {
  const GridSpace space(20);
  const auto agent = Make("hill(patience=2)", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  Next(*agent, [](const GridPlace&) { return 2.0; });
  Next(*agent, AllFail());
  EXPECT_EQ(space.draws(), 0);
  Next(*agent, AllFail());
  EXPECT_EQ(space.draws(), 1);
  // That start fails.
  Next(*agent, AllFail());
  EXPECT_EQ(space.draws(), 2);
}

TEST_F(HillAgentTest, AGainRestoresPatience) {
  const GridSpace space(20);
  const auto agent = Make("hill(patience=2)", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  Next(*agent, AllFail());
  const GridPlace centre = Next(*agent, [](const GridPlace&) { return 0.5; });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(DistanceOf(Next(*agent, AllFail()), centre), 1);
  EXPECT_EQ(space.draws(), 0);
}

TEST_F(HillAgentTest, WhereItStandsMayTurnOutSlow) {
  const GridSpace space(20);
  const auto agent = Make("hill", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  Tell(*agent, {10, 10}, 3, TrialStatus::kRevised);
  const GridPlace centre = Next(*agent, [](const GridPlace&) { return 2.0; });
  EXPECT_EQ(DistanceOf(Next(*agent, AllFail()), centre), 1);
  Tell(*agent, centre, std::nullopt, TrialStatus::kRevised);
  Next(*agent, AllFail());
  EXPECT_EQ(space.draws(), 1);
}

TEST_F(HillAgentTest, BadOptionsAreRefused) {
  const GridSpace space(3);
  EXPECT_THROW(Make("hill(patience=0)", space), InputError);
}

}  // namespace
}  // namespace schedulegym
