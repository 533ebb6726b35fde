#include "agents/evolution/genetic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

using testing::Each;
using testing::Lt;

class GeneticAgentTest : public testing::Test {
 protected:
  static std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                                     uint64_t seed = 1) {
    return GridAgent(spec, space, seed);
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

TEST_F(GeneticAgentTest, TheFirstGenerationIsDrawn) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=10)", space);
  EXPECT_EQ(GridRound(*agent, 0, 6, AwayFrom({3, 3})).size(), 6u);
  // The rest of the first generation.
  EXPECT_EQ(GridRound(*agent, 0, 6, AwayFrom({3, 3})).size(), 4u);
  const int draws = space.draws();
  EXPECT_GE(draws, 10);
  EXPECT_EQ(GridRound(*agent, 0, 20, AwayFrom({3, 3})).size(), 10u);
  EXPECT_EQ(space.draws(), draws);
}

TEST_F(GeneticAgentTest, WhatIsKnownBelongsToTheFirst) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=10)", space);
  for (int i = 0; i < 7; ++i) Tell(*agent, {i, 5}, 1, TrialStatus::kKnown);
  Tell(*agent, {9, 9}, std::nullopt, TrialStatus::kKnown);
  EXPECT_EQ(GridRound(*agent, 0, 20, AwayFrom({3, 3})).size(), 3u);
  EXPECT_EQ(space.draws(), 3);
}

// Two places have two mixtures; all other proposals are close to one of the four.
TEST_F(GeneticAgentTest, ChildrenAreMixturesOfTheirParents) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=2,mutation=0)", space);
  Tell(*agent, {10, 10}, 1, TrialStatus::kKnown);
  Tell(*agent, {40, 40}, 1, TrialStatus::kKnown);
  std::vector<GridPlace> all;
  for (int generation = 0; generation < 6; ++generation) {
    for (const GridPlace& place : GridRound(*agent, 0, 8, AllFail())) all.push_back(place);
  }
  EXPECT_THAT(all, testing::IsSupersetOf({GridPlace{10, 40}, GridPlace{40, 10}}));
  EXPECT_EQ(space.draws(), 0);
}

TEST_F(GeneticAgentTest, ParentsAreDrawnBySpeed) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=20,mutation=0)", space);
  for (int i = 0; i < 19; ++i) Tell(*agent, {10 + 2 * i, 10}, 1, TrialStatus::kKnown);
  Tell(*agent, {10, 50}, 1e-9, TrialStatus::kKnown);
  EXPECT_THAT(Distances(GridRound(*agent, 0, 20, AllFail()), {10, 50}), Each(Lt(12)));
  EXPECT_EQ(space.draws(), 0);
}

TEST_F(GeneticAgentTest, AFailureIsNoParentAndTheEliteStays) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=4,mutation=0,elite=1)", space);
  for (int i = 0; i < 3; ++i) Tell(*agent, {50, 20 * i}, 1e6, TrialStatus::kKnown);
  Tell(*agent, {10, 10}, 1e-6, TrialStatus::kKnown);
  for (int generation = 0; generation < 3; ++generation) {
    EXPECT_THAT(Distances(GridRound(*agent, 0, 4, AllFail()), {10, 10}), Each(Lt(12)));
  }
  EXPECT_EQ(space.draws(), 0);
}

TEST_F(GeneticAgentTest, WhereAllFailItDrawsAnew) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=4)", space);
  for (int generation = 1; generation <= 3; ++generation) {
    EXPECT_EQ(GridRound(*agent, 0, 4, AllFail()).size(), 4u);
    EXPECT_EQ(space.draws(), 4 * generation);
  }
}

// Each of two decisions with probability 1, so at least two steps.
TEST_F(GeneticAgentTest, MutationIsTheChanceOfEachDecision) {
  int two = 0, all = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const GridSpace space(60);
    const auto agent = Make("genetic(population=1,mutation=1)", space, seed);
    Tell(*agent, {30, 30}, 1, TrialStatus::kKnown);
    for (const int distance : Distances(GridRound(*agent, 0, 1, AllFail()), {30, 30})) {
      // Two steps back to the start are followed by a third.
      EXPECT_LE(distance, 2);
      two += distance == 2 ? 1 : 0;
      ++all;
    }
  }
  EXPECT_EQ(all, 30);
  EXPECT_GT(two, 15);
}

TEST_F(GeneticAgentTest, AParentMayTurnOutToFail) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=2,mutation=0)", space);
  Tell(*agent, {10, 10}, 1e-9, TrialStatus::kKnown);
  Tell(*agent, {50, 50}, 1, TrialStatus::kKnown);
  EXPECT_THAT(Distances(GridRound(*agent, 0, 2, AllFail()), {10, 10}), Each(Lt(12)));
  Tell(*agent, {10, 10}, std::nullopt, TrialStatus::kRevised);
  EXPECT_THAT(Distances(GridRound(*agent, 0, 2, AllFail()), {50, 50}), Each(Lt(12)));
  EXPECT_EQ(space.draws(), 0);
}

TEST_F(GeneticAgentTest, AParentMayTurnOutSlower) {
  const GridSpace space(60);
  const auto agent = Make("genetic(population=2,mutation=0)", space);
  Tell(*agent, {10, 10}, 1e-9, TrialStatus::kKnown);
  Tell(*agent, {50, 50}, 1, TrialStatus::kKnown);
  Tell(*agent, {10, 10}, 1e9, TrialStatus::kRevised);
  EXPECT_THAT(Distances(GridRound(*agent, 0, 2, AllFail()), {50, 50}), Each(Lt(12)));
}

TEST_F(GeneticAgentTest, BadOptionsAreRefused) {
  const GridSpace space(3);
  for (const char* options : {"population=0", "elite=0", "mutation=2", "mutation=-0.1"}) {
    EXPECT_THROW(Make(std::string("genetic(") + options + ")", space), InputError) << options;
  }
}

}  // namespace
}  // namespace schedulegym
