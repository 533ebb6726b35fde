#include "agents/local/local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

// Mutations move ten steps away.
class FarSpace : public GridSpace {
 public:
  FarSpace() : GridSpace(60) {}

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    const GridPlace place = PlaceOf(state);
    return GridState(state.shared_task(),
                     {place.x + (rng.Chance(0.5) ? 10 : -10), static_cast<int>(rng.Below(60))});
  }
};

class AnnealingAgentTest : public testing::Test {
 protected:
  static std::unique_ptr<Agent> Make(const std::string& spec, const SearchSpace& space,
                                     uint64_t seed = 1, std::optional<Budget> budget = {}) {
    return GridAgent(spec, space, seed, budget);
  }
  GridPlace Next(Agent& agent, double seconds) const {
    return GridRound(agent, 0, 1, [=](const GridPlace&) { return seconds; }).at(0);
  }
  void Tell(Agent& agent, const GridPlace& place, std::optional<double> seconds,
            TrialStatus told) const {
    Trial trial = KnownTrial(GridState(task_, place), seconds);
    trial.told = told;
    agent.Learn({&trial, 1});
  }
  // Number of accepted steps away from the best, each `factor` times slower than the previous one.
  int Descents(Agent& agent, int trials, double factor) const {
    Tell(agent, {30, 30}, 1, TrialStatus::kKnown);
    GridPlace at = {30, 30};
    GridPlace last = at;
    double seconds = 1;
    int accepted = 0;
    for (int i = 0; i < trials; ++i) {
      const GridPlace next = Next(agent, seconds * factor);
      if (i > 0 && DistanceOf(next, last) == 1) {
        at = last;
        seconds *= factor;
        ++accepted;
      }
      EXPECT_EQ(DistanceOf(next, at), 1);
      last = next;
    }
    return accepted;
  }

  std::shared_ptr<const Task> task_ = GridTask();
};

TEST_F(AnnealingAgentTest, GoesWhereItIsFaster) {
  const GridSpace space(60);
  const auto agent = Make("annealing(start=1e-9,end=1e-9)", space);
  Tell(*agent, {30, 30}, 1, TrialStatus::kKnown);
  GridPlace at = {30, 30};
  for (int i = 1; i < 10; ++i) {
    const GridPlace next = Next(*agent, 1.0 / i);
    EXPECT_EQ(DistanceOf(next, at), 1);
    at = next;
  }
}

// A neighbour of the last proposal is also one of the previous place only if both have the same
// distance from it, which no step has.
TEST_F(AnnealingAgentTest, TheTemperatureDecidesWhetherItGoesWhereItIsSlower) {
  const GridSpace space(60);
  EXPECT_EQ(Descents(*Make("annealing(start=1e9,end=1e9)", space), 15, 1.5), 14);
  EXPECT_EQ(Descents(*Make("annealing(start=1e-9,end=1e-9)", space), 4, 1.5), 0);
}

// exp(-1) if the seconds double at temperature 1.
TEST_F(AnnealingAgentTest, TheChanceFallsWithTheShareOfTime) {
  constexpr int kSeeds = 400;
  int accepted = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const GridSpace space(60);
    const auto agent = Make("annealing(start=1,end=1)", space, seed);
    accepted += Descents(*agent, 2, 2);
  }
  // Within four standard deviations.
  EXPECT_NEAR(accepted, 0.3679 * kSeeds, 4 * 9.7);
}

// Temperatures 1e9, 1e6, 1e3, 1, 1e-3 and so on.
TEST_F(AnnealingAgentTest, CoolsOverItsSteps) {
  const GridSpace space(60);
  const auto agent = Make("annealing(start=1e12,end=1e-12,steps=8)", space);
  Tell(*agent, {30, 30}, 1, TrialStatus::kKnown);
  std::vector<GridPlace> places;
  for (const double seconds : {1.5, 2.0, 2.5, 1e9, 1e9, 1e9}) {
    places.push_back(Next(*agent, seconds));
  }
  for (int i = 1; i < 4; ++i) EXPECT_EQ(DistanceOf(places[i], places[i - 1]), 1) << i;
  // The search stays at the third.
  for (int i = 4; i < 6; ++i) EXPECT_EQ(DistanceOf(places[i], places[2]), 1) << i;
}

TEST_F(AnnealingAgentTest, CoolsOverTheTasksShareOfTheSearch) {
  const GridSpace space(60);
  const auto search = [&](const std::string& spec, std::optional<Budget> budget) {
    return GridSearch(*Make(spec, space, 1, budget), 80, 4, AwayFrom({20, 20}));
  };
  const auto expected = search("annealing(steps=40)", std::nullopt);
  EXPECT_EQ(search("annealing", Budget{40}), expected);
  EXPECT_EQ(search("annealing(steps=40)", Budget{900}), expected);
  EXPECT_NE(search("annealing", std::nullopt), expected);
  EXPECT_EQ(search("annealing", std::nullopt), search("annealing(steps=1379)", std::nullopt));
}

// Several tasks share the trials.
TEST_F(AnnealingAgentTest, SeveralTasksShareTheTrials) {
  const GridSpace space(60);
  const auto search = [&](const std::string& spec, std::optional<Budget> budget) {
    SingleTaskAgent agent(ParseSpec(spec).value(), space, {GridTask(), GridTask("X[i, j] * 2")},
                          Rng(1), budget);
    return GridSearch(agent, 80, 4, AwayFrom({20, 20}));
  };
  EXPECT_EQ(search("annealing", Budget{80}), search("annealing(steps=40)", std::nullopt));
}

TEST_F(AnnealingAgentTest, TakesStepsAlongKnobsWhereThereAreSome) {
  const auto near = [this](const std::string& spec, bool has_sketch) {
    FarSpace space;
    space.has_sketch = has_sketch;
    const auto agent = Make(spec, space);
    Tell(*agent, {30, 30}, 1, TrialStatus::kKnown);
    int near = 0;
    for (int i = 0; i < 4; ++i) {
      near += DistanceOf(GridRound(*agent, 0, 1, AllFail()).at(0), {30, 30}) == 1 ? 1 : 0;
    }
    return near;
  };
  EXPECT_EQ(near("annealing(adjacent=1)", true), 4);
  EXPECT_EQ(near("annealing(adjacent=0)", true), 0);
  EXPECT_EQ(near("annealing(adjacent=1)", false), 0);
}

TEST_F(AnnealingAgentTest, AFailureIsNoPlace) {
  const GridSpace space(60);
  const auto agent = Make("annealing(start=1e9,end=1e9)", space);
  EXPECT_EQ(GridRound(*agent, 0, 1, AllFail()).size(), 1u);
  const GridPlace start = Next(*agent, 1);
  EXPECT_EQ(space.draws(), 2);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(DistanceOf(GridRound(*agent, 0, 1, AllFail()).at(0), start), 1);
  }
  // All its neighbours are measured.
  Next(*agent, 1);
  EXPECT_EQ(space.draws(), 3);
}

TEST_F(AnnealingAgentTest, ChainsWalkSideBySide) {
  const GridSpace space(60);
  const auto agent = Make("annealing(chains=3,start=1e-9,end=1e-9)", space);
  const auto starts = GridRound(*agent, 0, 8, [](const GridPlace&) { return 1.0; });
  ASSERT_EQ(starts.size(), 3u);
  const auto nexts = GridRound(*agent, 0, 8, [](const GridPlace&) { return 0.5; });
  ASSERT_EQ(nexts.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(DistanceOf(nexts[i], starts[i]), 1);
  // In turn, if fewer are requested.
  const auto some = GridRound(*agent, 0, 2, [](const GridPlace&) { return 0.4; });
  const auto others = GridRound(*agent, 0, 2, [](const GridPlace&) { return 0.3; });
  ASSERT_EQ(some.size() + others.size(), 4u);
  EXPECT_EQ(DistanceOf(some[0], nexts[0]), 1);
  EXPECT_EQ(DistanceOf(some[1], nexts[1]), 1);
  EXPECT_EQ(DistanceOf(others[0], nexts[2]), 1);
  EXPECT_EQ(DistanceOf(others[1], some[0]), 1);
}

TEST_F(AnnealingAgentTest, ChainsBeginAtTheBestKnown) {
  const GridSpace space(60);
  const auto agent = Make("annealing(chains=2)", space);
  Tell(*agent, {10, 10}, 3, TrialStatus::kKnown);
  Tell(*agent, {20, 20}, 2, TrialStatus::kKnown);
  Tell(*agent, {30, 30}, 1, TrialStatus::kKnown);
  Tell(*agent, {40, 40}, 4, TrialStatus::kKnown);
  std::set<GridPlace> near;
  for (const GridPlace& place : GridRound(*agent, 0, 2, AllFail())) {
    for (const GridPlace& known : {GridPlace{20, 20}, GridPlace{30, 30}}) {
      if (DistanceOf(place, known) == 1) near.insert(known);
    }
  }
  EXPECT_EQ(near.size(), 2u);
}

TEST_F(AnnealingAgentTest, WhereItStandsMayTurnOutToFail) {
  const GridSpace space(60);
  const auto agent = Make("annealing", space);
  Tell(*agent, {30, 30}, 1, TrialStatus::kKnown);
  EXPECT_EQ(DistanceOf(GridRound(*agent, 0, 1, AllFail()).at(0), {30, 30}), 1);
  Tell(*agent, {30, 30}, std::nullopt, TrialStatus::kRevised);
  EXPECT_EQ(space.draws(), 0);
  Next(*agent, 1);
  EXPECT_EQ(space.draws(), 1);
}

TEST_F(AnnealingAgentTest, BadOptionsAreRefused) {
  const GridSpace space(3);
  for (const char* options :
       {"start=0", "end=-1", "start=0.1,end=0.2", "steps=0", "chains=0", "adjacent=2"}) {
    EXPECT_THROW(Make(std::string("annealing(") + options + ")", space), InputError) << options;
  }
}

}  // namespace
}  // namespace schedulegym
