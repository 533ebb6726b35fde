#include "agents/local/local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

using testing::Each;

class LocalAgentTest : public testing::Test {
 protected:
  static std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                                     uint64_t seed = 1) {
    return GridAgent(spec, space, seed);
  }
  std::vector<GridPlace> Next(Agent& agent, const GridCost& cost, int count = 8) const {
    return GridRound(agent, 0, count, cost);
  }
  void Tell(Agent& agent, const GridPlace& place, std::optional<double> seconds,
            TrialStatus told) const {
    Trial trial = KnownTrial(GridState(task_, place), seconds);
    trial.told = told;
    agent.Learn({&trial, 1});
  }
  static std::vector<int> Distances(const std::vector<GridPlace>& places, const GridPlace& from) {
    std::vector<int> distances;
    for (const GridPlace& place : places) distances.push_back(DistanceOf(place, from));
    return distances;
  }

  std::shared_ptr<const Task> task_ = GridTask();
};

TEST_F(LocalAgentTest, GoesOnFromTheBestOfTheNeighbours) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const GridSpace space(20);
    const auto agent = Make("local", space, seed);
    const GridCost cost = [](const GridPlace& place) {
      return 1.0 + 3 * std::abs(place.x - 10) + std::abs(place.y - 10);
    };
    GridPlace centre = Next(*agent, cost).at(0);
    while (centre != GridPlace{10, 10}) {
      const std::vector<GridPlace> neighbours = Next(*agent, cost);
      EXPECT_THAT(Distances(neighbours, centre), Each(1));
      centre = *std::ranges::min_element(neighbours, {},
                                         [&](const GridPlace& place) { return *cost(place); });
    }
    EXPECT_EQ(space.draws(), 1);
  }
}

TEST_F(LocalAgentTest, ProposesNoMoreThanItsNeighbours) {
  const GridSpace space(20);
  const auto agent = Make("local(neighbours=3)", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  EXPECT_EQ(Next(*agent, AllFail(), 2).size(), 2u);
  EXPECT_EQ(Next(*agent, AllFail()).size(), 2u);
  const auto other = Make("local(neighbours=3)", space);
  Tell(*other, {10, 10}, 1, TrialStatus::kKnown);
  EXPECT_EQ(Next(*other, AllFail()).size(), 3u);
}

// 0.3 of two decisions rounds to none, so one is changed; all single changes are known by then.
TEST_F(LocalAgentTest, AtALocalBestItGoesOnNearIt) {
  const GridSpace space(20);
  const auto agent = Make("local", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  const GridCost slower = [](const GridPlace&) { return 2.0; };
  EXPECT_EQ(Next(*agent, slower).size(), 4u);
  const std::vector<GridPlace> start = Next(*agent, slower);
  ASSERT_EQ(start.size(), 1u);
  EXPECT_GE(DistanceOf(start[0], {10, 10}), 2);
  EXPECT_EQ(space.draws(), 0);
  // It is slower than the previous place, but the next proposals are its neighbours.
  EXPECT_THAT(Distances(Next(*agent, slower), start[0]), Each(1));
}

TEST_F(LocalAgentTest, TheNextWalkBeginsNearTheBestEnd) {
  const GridSpace space(30);
  const auto agent = Make("local(patience=4)", space);
  Tell(*agent, {15, 15}, 1, TrialStatus::kKnown);
  GridPlace best = {15, 15};
  for (int walk = 0; walk < 5; ++walk) {
    Next(*agent, AllFail());
    const GridPlace start = Next(*agent, [](const GridPlace&) { return 2.0; }).at(0);
    EXPECT_LT(DistanceOf(start, best), 10);
  }
  EXPECT_EQ(space.draws(), 0);
}

TEST_F(LocalAgentTest, WalkSaysHowFarTheNextOneBegins) {
  int far = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const GridSpace space(40);
    const auto agent = Make("local(walk=1,patience=1)", space, seed);
    Tell(*agent, {20, 20}, 1, TrialStatus::kKnown);
    Next(*agent, AllFail());
    const GridPlace start = Next(*agent, AllFail()).at(0);
    // Two steps; more only if those lead back.
    if (DistanceOf(start, {20, 20}) == 2) ++far;
  }
  EXPECT_GT(far, 20);
}

TEST_F(LocalAgentTest, PatienceEndsAWalk) {
  const GridSpace space(20);
  const auto agent = Make("local(patience=3)", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  EXPECT_EQ(Next(*agent, AllFail(), 2).size(), 2u);
  EXPECT_EQ(Next(*agent, AllFail()).size(), 1u);
  // The fourth neighbour is skipped.
  EXPECT_EQ(Next(*agent, AllFail()).size(), 1u);
  EXPECT_EQ(Next(*agent, AllFail()).size(), 1u);
}

// No earlier walk has succeeded.
TEST_F(LocalAgentTest, WhereNothingSucceededItDraws) {
  const GridSpace space(20);
  const auto agent = Make("local", space);
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(Next(*agent, AllFail()).size(), 1u);
    EXPECT_EQ(space.draws(), i);
  }
}

TEST_F(LocalAgentTest, EndsMayTurnOutToFail) {
  const GridSpace space(20);
  const auto agent = Make("local(patience=1)", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  Next(*agent, AllFail());
  Next(*agent, AllFail());
  EXPECT_EQ(space.draws(), 0);
  Tell(*agent, {10, 10}, std::nullopt, TrialStatus::kRevised);
  Next(*agent, AllFail());
  EXPECT_EQ(space.draws(), 1);
}

TEST_F(LocalAgentTest, BadOptionsAreRefused) {
  const GridSpace space(3);
  for (const char* spec : {"local(neighbours=0)", "local(patience=0)", "local(walk=1.5)"}) {
    EXPECT_THROW(Make(spec, space), InputError) << spec;
  }
}

}  // namespace
}  // namespace schedulegym
