#include "agents/baselines/blind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class BlindAgentTest : public testing::Test {
 protected:
  static std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                                     uint64_t seed = 1) {
    return GridAgent(spec, space, seed);
  }
  std::vector<GridPlace> Search(const std::string& spec, uint64_t seed = 1, int trials = 40,
                                int batch = 4) const {
    const GridSpace space(30);
    return GridSearch(*Make(spec, space, seed), trials, batch, AwayFrom({15, 15}));
  }
  // Mean distance of the last ten trials from the best place, over 30 seeds.
  double EndsAway(const std::string& spec) const {
    double sum = 0;
    constexpr int kSeeds = 30;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const auto all = Search(spec, seed, 60);
      for (size_t i = all.size() - 10; i < all.size(); ++i) sum += DistanceOf(all[i], {15, 15});
    }
    return sum / kSeeds / 10;
  }

  std::shared_ptr<const Task> task_ = GridTask();
};

TEST_F(BlindAgentTest, TheSeedDecides) {
  for (const char* spec : {"blind(agent=hill)", "blind(agent=local)", "blind(agent=genetic)"}) {
    EXPECT_EQ(Search(spec, 3), Search(spec, 3));
    EXPECT_NE(Search(spec, 3), Search(spec, 4));
  }
}

TEST_F(BlindAgentTest, BothBeginAlike) {
  EXPECT_EQ(Search("blind(agent=genetic(population=20))", 1, 20),
            Search("genetic(population=20)", 1, 20));
}

TEST_F(BlindAgentTest, WhatLearnsNothingIsAsItIs) {
  EXPECT_EQ(Search("blind(agent=random)"), Search("random"));
}

// On this grid the measurements lead to the best place, on average fifteen steps from a start,
// within sixty trials: for sequential agents and in rounds alike.
TEST_F(BlindAgentTest, TheOtherAgentDoesNotFindWhatItWouldFind) {
  for (const std::string agent : {"local(neighbours=4)", "genetic(population=8)"}) {
    EXPECT_LT(EndsAway(agent) * 1.5, EndsAway("blind(agent=" + agent + ")")) << agent;
  }
  EXPECT_LT(EndsAway("hill") * 1.5, EndsAway("blind(agent=hill)"));
}

TEST_F(BlindAgentTest, OffersNoModel) {
  const GridSpace space(3);
  EXPECT_EQ(Make("blind(agent=ansor)", space)->memory(), nullptr);
  EXPECT_EQ(Make("blind", space)->memory(), nullptr);
}

TEST_F(BlindAgentTest, PassesOnWhatDoesNotFit) {
  const GridSpace space(3);
  EXPECT_THROW(Make("blind(agent=droplet)", space), InputError);
  EXPECT_NO_THROW(Make("blind(agent=hill)", space));
}

TEST_F(BlindAgentTest, BadOptionsAreRefused) {
  const GridSpace space(3);
  EXPECT_THROW(Make("blind(agent=hill,nothing=1)", space), InputError);
  EXPECT_THROW(Make("blind(agent=hill(patience=0))", space), InputError);
  try {
    Make("blind(agent=hil)", space);
    FAIL() << "made an agent that does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown agent 'hil'"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'hill'"));
  }
}

// Trials come one by one, from two tasks in turn.
TEST_F(BlindAgentTest, TasksAreNotMixed) {
  const GridSpace space(4, true);
  const auto agent = TwoGridsAgent("blind(agent=hill)", space);
  std::set<GridPlace> first, second;
  for (int round = 0; round < 40; ++round) {
    for (const auto& place : GridRound(*agent, 0, 3, AwayFrom({0, 0}))) first.insert(place);
    for (const auto& place : GridRound(*agent, 1, 3, AllFail())) second.insert(place);
  }
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(second.size(), 16u);
}

}  // namespace
}  // namespace schedulegym
