#include "agents/common/fresh_schedules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "agents/builtin_agents.h"
#include "tests/agents/grid_space.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

using testing::UnorderedElementsAre;

constexpr GridPlace kMiddle = {1, 1};

class FreshSchedulesTest : public testing::Test {
 protected:
  FreshSchedules Fresh(const SearchSpace& space, int64_t retries = 1000) const {
    return {{setup_, space, Rng(1), maker_, clock_, StopToken(&stop_)}, task_, retries};
  }
  std::vector<GridPlace> AllDrawn(FreshSchedules& fresh) {
    std::vector<GridPlace> all;
    while (const auto next = fresh.Draw(rng_)) all.push_back(PlaceOf(next->state));
    return all;
  }
  std::vector<GridPlace> AllNear(FreshSchedules& fresh, const GridPlace& place) {
    std::vector<GridPlace> all;
    while (const auto next = fresh.Near(GridState(task_, place), rng_)) {
      all.push_back(PlaceOf(next->state));
    }
    return all;
  }

  std::shared_ptr<const Task> task_ = GridTask();
  const AgentSetup setup_;
  const AgentMaker maker_ = BuiltinAgentMaker();
  const FakeClock clock_;
  std::atomic<bool> stop_ = false;
  Rng rng_{1};
};

TEST_F(FreshSchedulesTest, DrawsEachOnceUntilNothingIsLeft) {
  const GridSpace space(3);
  FreshSchedules fresh = Fresh(space);
  const std::vector<GridPlace> all = AllDrawn(fresh);
  EXPECT_EQ(all.size(), 9u);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 9u);
}

TEST_F(FreshSchedulesTest, RetriesAreBounded) {
  const GridSpace space(1);
  FreshSchedules fresh = Fresh(space, 7);
  EXPECT_TRUE(fresh.Draw(rng_));
  EXPECT_FALSE(fresh.Draw(rng_));
  EXPECT_EQ(space.draws(), 1 + 7);
}

TEST_F(FreshSchedulesTest, AKnownLimitSavesDraws) {
  const GridSpace space(1, true);
  FreshSchedules fresh = Fresh(space);
  EXPECT_TRUE(fresh.Draw(rng_));
  EXPECT_FALSE(fresh.Draw(rng_));
  EXPECT_FALSE(fresh.Near(GridState(task_, {0, 0}), rng_));
  EXPECT_FALSE(fresh.Beyond(GridState(task_, {0, 0}), 1, rng_));
  EXPECT_EQ(space.draws(), 1);
}

TEST_F(FreshSchedulesTest, NearAreMutationsEachOnce) {
  const GridSpace space(3);
  FreshSchedules fresh = Fresh(space);
  EXPECT_THAT(AllNear(fresh, kMiddle), UnorderedElementsAre(GridPlace{0, 1}, GridPlace{2, 1},
                                                            GridPlace{1, 0}, GridPlace{1, 2}));
}

TEST_F(FreshSchedulesTest, AdjacentAreStepsAlongAKnob) {
  GridSpace space(3);
  space.has_sketch = true;
  space.admits = [](const GridPlace& place) { return place.x != 0; };
  FreshSchedules fresh = Fresh(space);
  std::vector<GridPlace> all;
  while (const auto next = fresh.Adjacent(GridState(task_, kMiddle), rng_)) {
    all.push_back(PlaceOf(next->state));
  }
  EXPECT_THAT(all, UnorderedElementsAre(GridPlace{2, 1}, GridPlace{1, 0}, GridPlace{1, 2}));
}

TEST_F(FreshSchedulesTest, WhatIsNoPointOfASketchHasNothingAdjacent) {
  const GridSpace without(3);
  FreshSchedules fresh = Fresh(without);
  EXPECT_TRUE(fresh.sketches().empty());
  EXPECT_FALSE(fresh.Adjacent(GridState(task_, kMiddle), rng_));
  GridSpace with(3);
  with.has_sketch = true;
  FreshSchedules other = Fresh(with);
  EXPECT_EQ(other.sketches().size(), 1u);
  EXPECT_FALSE(other.Adjacent(GridState(task_, {7, 7}), rng_));
}

TEST_F(FreshSchedulesTest, BeyondIsTheScheduleItselfWhereThatIsNew) {
  const GridSpace space(9);
  FreshSchedules fresh = Fresh(space);
  const ScheduleState state = GridState(task_, {4, 4});
  const auto first = fresh.Beyond(state, 0, rng_);
  ASSERT_TRUE(first);
  EXPECT_EQ(PlaceOf(first->state), (GridPlace{4, 4}));
  const auto second = fresh.Beyond(state, 0, rng_);
  ASSERT_TRUE(second);
  EXPECT_EQ(DistanceOf(PlaceOf(second->state), {4, 4}), 1);
}

TEST_F(FreshSchedulesTest, BeyondIsAsManyMutationsAway) {
  const GridSpace space(9);
  std::set<int> distances;
  for (int i = 0; i < 50; ++i) {
    FreshSchedules fresh = Fresh(space);
    const auto found = fresh.Beyond(GridState(task_, {4, 4}), 3, rng_);
    ASSERT_TRUE(found);
    distances.insert(DistanceOf(PlaceOf(found->state), {4, 4}));
  }
  EXPECT_EQ(distances, (std::set<int>{1, 3}));
}

TEST_F(FreshSchedulesTest, BeyondGoesOnUntilSomethingIsNew) {
  const GridSpace space(9);
  FreshSchedules fresh = Fresh(space);
  EXPECT_EQ(AllNear(fresh, {0, 0}).size(), 2u);
  const auto found = fresh.Beyond(GridState(task_, {0, 0}), 1, rng_);
  ASSERT_TRUE(found);
  EXPECT_TRUE(PlaceOf(found->state) == GridPlace{} || DistanceOf(PlaceOf(found->state), {}) > 1);
}

TEST_F(FreshSchedulesTest, WhatOthersMadeIsClaimedOnce) {
  GridSpace space(3);
  space.admits = [](const GridPlace& place) { return place.x != 0; };
  FreshSchedules fresh = Fresh(space);
  const Proposal other = ProposalOf(GridState(task_, {0, 1}));
  EXPECT_EQ(fresh.Claim(other).error().message, "as the test says");
  const Proposal proposal = ProposalOf(GridState(task_, {1, 1}));
  EXPECT_TRUE(fresh.Claim(proposal).ok());
  EXPECT_EQ(fresh.Claim(proposal).error().message, "it was proposed or measured before");
  EXPECT_EQ(AllDrawn(fresh).size(), 5u);
}

TEST_F(FreshSchedulesTest, WhatItWasToldOfIsNotGiven) {
  const GridSpace space(3);
  FreshSchedules fresh = Fresh(space);
  fresh.Learn(KnownTrial(GridState(task_, {0, 1}), 1));
  fresh.Learn(KnownTrial(GridState(task_, {2, 1}), std::nullopt));
  EXPECT_THAT(AllNear(fresh, kMiddle), UnorderedElementsAre(GridPlace{1, 0}, GridPlace{1, 2}));
  EXPECT_EQ(AllDrawn(fresh).size(), 9u - 2 - 2);
}

TEST_F(FreshSchedulesTest, WhatToldNothingIsGivenAgain) {
  const GridSpace space(1, true);
  FreshSchedules fresh = Fresh(space);
  for (const TrialStatus told :
       {TrialStatus::kSaysNothing, TrialStatus::kNotReached, TrialStatus::kMeasured}) {
    const auto proposal = fresh.Draw(rng_);
    ASSERT_TRUE(proposal);
    Trial trial = TimedTrial(*proposal, 1);
    trial.told = told;
    fresh.Learn(trial);
  }
  EXPECT_FALSE(fresh.Draw(rng_));
}

TEST_F(FreshSchedulesTest, WhatTheSpaceRefusesIsNeverGiven) {
  GridSpace space(3);
  space.admits = [](const GridPlace& place) { return place.x != 0; };
  FreshSchedules fresh = Fresh(space);
  EXPECT_EQ(AllNear(fresh, kMiddle).size(), 3u);
  EXPECT_EQ(AllDrawn(fresh).size(), 6u - 3);
}

TEST_F(FreshSchedulesTest, EveryDrawLooksWhetherTheSearchWasStopped) {
  GridSpace space(3);
  space.has_sketch = true;
  FreshSchedules fresh = Fresh(space);
  const ScheduleState state = GridState(task_, kMiddle);
  stop_ = true;
  EXPECT_THROW(fresh.Draw(rng_), Interrupted);
  EXPECT_THROW(fresh.Near(state, rng_), Interrupted);
  EXPECT_THROW(fresh.Adjacent(state, rng_), Interrupted);
  EXPECT_THROW(fresh.Beyond(state, 1, rng_), Interrupted);
  EXPECT_EQ(space.draws(), 0);
}

}  // namespace
}  // namespace schedulegym
