// Contracts of all agents that search each task by itself, on one small grid.
#include "agents/common/task_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "tests/agents/grid_space.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

using testing::Each;
using testing::ElementsAre;

// Proposes the n-th draw of its generator as a place of the first row; keeps the results.
class DrawingSearch : public TaskSearch {
 public:
  DrawingSearch(std::shared_ptr<const Task> task, Rng rng, std::vector<GridPlace>& told)
      : task_(std::move(task)), rng_(rng), told_(told) {}

  std::vector<Proposal> Propose(int) override {
    return {ProposalOf(GridState(task_, {static_cast<int>(rng_.Below(50)), 0}))};
  }
  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) told_.push_back(PlaceOf(trial.state));
  }

 private:
  std::shared_ptr<const Task> task_;
  Rng rng_;
  std::vector<GridPlace>& told_;
};

class AgentOfSearchesTest : public testing::Test {
 protected:
  std::unique_ptr<Agent> Make(const std::vector<std::shared_ptr<const Task>>& tasks) {
    for (const auto& task : tasks) setup_.tasks.push_back({task});
    return MakeAgentOfSearches({setup_, space_, Rng(1), maker_, clock_},
                               [this](const std::shared_ptr<const Task>& task, Rng rng) {
                                 ++made_;
                                 return std::make_unique<DrawingSearch>(task, rng,
                                                                        told_[TaskKey(*task)]);
                               });
  }
  static std::vector<GridPlace> Five(Agent& agent, int task) {
    std::vector<GridPlace> places;
    for (int i = 0; i < 5; ++i) places.push_back(PlaceOf(agent.Propose(task, 1).at(0).state));
    return places;
  }

  std::shared_ptr<const Task> one_ = GridTask(), other_ = GridTask("X[i, j] * 2");
  const GridSpace space_{50};
  const AgentMaker maker_ = BuiltinAgentMaker();
  const FakeClock clock_;
  AgentSetup setup_;
  int made_ = 0;
  std::map<Key, std::vector<GridPlace>> told_;
};

TEST_F(AgentOfSearchesTest, EachTaskHasOneSearch) {
  const auto agent = Make({one_, other_});
  agent->Propose(0, 1);
  agent->Propose(1, 1);
  agent->Propose(0, 1);
  EXPECT_EQ(made_, 2);
}

TEST_F(AgentOfSearchesTest, TheOrderOfTurnsDoesNotMatter) {
  const auto agent = Make({one_, other_});
  const std::vector<GridPlace> first = Five(*agent, 0);
  const std::vector<GridPlace> second = Five(*agent, 1);
  setup_.tasks.clear();
  const auto again = Make({one_, other_});
  EXPECT_EQ(Five(*again, 1), second);
  EXPECT_EQ(Five(*again, 0), first);
  EXPECT_NE(first, second);
}

TEST_F(AgentOfSearchesTest, EachHearsOfItsOwnTask) {
  const auto agent = Make({one_, other_});
  const std::vector<Trial> trials = {
      KnownTrial(GridState(one_, {1, 1}), 1), KnownTrial(GridState(one_, {2, 2}), 1),
      KnownTrial(GridState(other_, {3, 3}), 1, 1), KnownTrial(GridState(one_, {4, 4}), 1)};
  agent->Learn(trials);
  EXPECT_THAT(told_[TaskKey(*one_)],
              ElementsAre(GridPlace{1, 1}, GridPlace{2, 2}, GridPlace{4, 4}));
  EXPECT_THAT(told_[TaskKey(*other_)], ElementsAre(GridPlace{3, 3}));
}

TEST(RatingTest, IsTheMiddleOfTheRatioOfASuccess) {
  const ScheduleState state = GridState(GridTask(), {1, 2});
  Trial trial = KnownTrial(state, 0.25);
  const auto rated = RatingOf(trial);
  ASSERT_TRUE(rated);
  EXPECT_EQ(rated->speed, 4);
  EXPECT_EQ(rated->key, trial.key);
  EXPECT_EQ(PlaceOf(rated->state), (GridPlace{1, 2}));
  trial.told = TrialStatus::kSaysNothing;
  EXPECT_FALSE(RatingOf(trial));
  EXPECT_FALSE(RatingOf(KnownTrial(state, std::nullopt)));
}

// --- the agents ---

class MeasuredSearchTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Agent> Make(const SearchSpace& space, uint64_t seed = 1) const {
    return GridAgent(GetParam(), space, seed);
  }

  std::shared_ptr<const Task> task_ = GridTask();
};

INSTANTIATE_TEST_SUITE_P(Every, MeasuredSearchTest,
                         testing::Values("genetic(population=6)", "annealing(start=0.1,steps=30)",
                                         "annealing(start=0.1,steps=30,chains=3)",
                                         "local(neighbours=4)", "hill"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase_if(name, [](unsigned char c) { return !std::isalnum(c); });
                           return name;
                         });

// Better than random search by a wide margin: that needs half of the points on average.
TEST_P(MeasuredSearchTest, FindsTheBestOfASmoothGridSoon) {
  constexpr int kSide = 12, kSeeds = 20;
  const GridPlace best = {7, 3};
  int64_t total = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const GridSpace space(kSide, true);
    const auto all = GridSearch(*Make(space, seed), kSide * kSide, 8, AwayFrom(best));
    const auto found = std::ranges::find(all, best);
    ASSERT_NE(found, all.end());
    total += found - all.begin() + 1;
  }
  EXPECT_LT(total, kSeeds * kSide * kSide * 4 / 10);
}

// All better places are behind slower ones that single steps do not cross.
TEST_P(MeasuredSearchTest, LeavesALocalBest) {
  const GridSpace space(10, true);
  const GridPlace hollow = {1, 1}, best = {5, 5};
  const auto all = GridSearch(*Make(space), 60, 5, [&](const GridPlace& place) {
    return std::optional(DistanceOf(place, best) < 3 ? 0.1 + DistanceOf(place, best)
                                                     : 10.0 + DistanceOf(place, hollow));
  });
  EXPECT_THAT(all, testing::Contains(best));
}

TEST_P(MeasuredSearchTest, MeasuresEverythingOnceAndThenNothing) {
  for (const GridCost& cost : {AwayFrom({1, 2}), AllFail()}) {
    const GridSpace space(5, true);
    const auto agent = Make(space);
    const auto all = GridSearch(*agent, 1000, 4, cost);
    EXPECT_EQ(all.size(), 25u);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), 25u);
    EXPECT_TRUE(agent->Propose(0, 4).empty());
  }
}

TEST_P(MeasuredSearchTest, EndsWhereTheSpaceDoesNotKnowItsSize) {
  const GridSpace space(3);
  const auto all = GridSearch(*Make(space), 1000, 4, AwayFrom({1, 1}));
  EXPECT_EQ(all.size(), 9u);
}

TEST_P(MeasuredSearchTest, WhatToldNothingIsMeasuredInTheEnd) {
  for (const TrialStatus told : {TrialStatus::kSaysNothing, TrialStatus::kNotReached}) {
    const GridSpace space(3, true);
    const auto agent = Make(space);
    std::set<GridPlace> lost;
    for (int round = 0; round < 3; ++round) {
      std::vector<Trial> trials;
      for (const Proposal& one : agent->Propose(0, 4)) {
        trials.push_back({0, one.state, one.key, told, nullptr});
        lost.insert(PlaceOf(one.state));
      }
      ASSERT_FALSE(trials.empty());
      agent->Learn(trials);
    }
    const auto all = GridSearch(*agent, 1000, 4, AwayFrom({1, 1}));
    EXPECT_EQ(all.size(), 9u);
    for (const GridPlace& place : lost) EXPECT_THAT(all, testing::Contains(place));
  }
}

TEST_P(MeasuredSearchTest, WhatIsKnownIsNotMeasuredAgainAndIsGoneOnFrom) {
  const GridSpace space(20);
  const auto agent = Make(space);
  std::vector<Trial> known;
  for (const GridPlace& place : {GridPlace{15, 15}, GridPlace{16, 15}, GridPlace{2, 2}}) {
    known.push_back(KnownTrial(GridState(task_, place), AwayFrom({17, 15})(place)));
  }
  agent->Learn(known);
  const auto all = GridSearch(*agent, 60, 4, AwayFrom({17, 15}));
  for (const Trial& trial : known) EXPECT_THAT(all, Each(testing::Ne(PlaceOf(trial.state))));
  EXPECT_THAT(all, testing::Contains(GridPlace{17, 15}));
}

TEST_P(MeasuredSearchTest, TheSeedDecides) {
  const GridSpace space(12);
  const auto search = [&](uint64_t seed) {
    return GridSearch(*Make(space, seed), 60, 4, AwayFrom({7, 3}));
  };
  EXPECT_EQ(search(3), search(3));
  EXPECT_NE(search(3), search(4));
}

TEST_P(MeasuredSearchTest, TasksAreSearchedApart) {
  const GridSpace space(4, true);
  const auto agent = TwoGridsAgent(GetParam(), space);
  std::set<GridPlace> first, second;
  for (int round = 0; round < 40; ++round) {
    for (const auto& place : GridRound(*agent, 0, 3, AwayFrom({0, 0}))) first.insert(place);
    for (const auto& place : GridRound(*agent, 1, 3, AwayFrom({3, 3}))) second.insert(place);
  }
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(second.size(), 16u);
}

// A correction makes the best result the worst, with a failure.
TEST_P(MeasuredSearchTest, SurvivesRevisions) {
  for (const bool failed : {false, true}) {
    const GridSpace space(6, true);
    const auto agent = Make(space);
    size_t measured = 0;
    for (int round = 0; round < 50; ++round) {
      const std::vector<Proposal> proposals = agent->Propose(0, 4);
      std::vector<Trial> trials;
      for (const Proposal& one : proposals) {
        trials.push_back(TimedTrial(one, AwayFrom({1, 1})(PlaceOf(one.state))));
      }
      if (trials.empty()) break;
      agent->Learn(trials);
      measured += trials.size();
      Trial revised = TimedTrial(proposals[0], failed ? std::nullopt : std::optional(100.0));
      revised.told = TrialStatus::kRevised;
      agent->Learn({&revised, 1});
    }
    EXPECT_EQ(measured, 36u);
  }
}

TEST_P(MeasuredSearchTest, BadOptionsAreRefused) {
  const GridSpace space(3);
  const std::string name = ParseSpec(GetParam()).value().name;
  for (const char* options : {"(retries=0)", "(nothing=1)"}) {
    EXPECT_THROW(GridAgent(name + options, space), InputError);
  }
}

}  // namespace
}  // namespace schedulegym
