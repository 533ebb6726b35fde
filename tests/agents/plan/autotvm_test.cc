#include "agents/plan/autotvm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/surface_space.h"

namespace schedulegym {
namespace {

std::vector<std::string> NotesOf(Agent& agent, int rounds, const GridCost& cost) {
  std::vector<std::string> notes;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent.Propose(0, 64)) {
      notes.push_back(one.note);
      trials.push_back(TimedTrial(one, cost(PlaceOf(one.state))));
    }
    agent.Learn(trials);
  }
  return notes;
}

class AutotvmAgentTest : public testing::Test {
 protected:
  AutotvmAgentTest() { grid_.has_sketch = true; }

  GridSpace grid_{40};
};

TEST_F(AutotvmAgentTest, PublishedPlansAreOf64WithThreeByChance) {
  const auto agent = GridAgent("autotvm(mode=faithful)", grid_);
  const std::vector<std::string> notes = NotesOf(*agent, 2, AwayFrom({7, 9}));
  ASSERT_EQ(notes.size(), 128u);
  for (int i = 0; i < 128; ++i) {
    EXPECT_EQ(notes[i], i < 64 || i >= 125 ? "plan(from=chance)" : "plan(from=model)") << i;
  }
}

// A fifth of 16 are neighbours, and int(0.05 * 16) = 0 are random.
TEST_F(AutotvmAgentTest, ImprovedPlansAreSmallAtFirst) {
  const auto agent = GridAgent("autotvm", grid_);
  const std::vector<std::string> notes = NotesOf(*agent, 2, AwayFrom({7, 9}));
  ASSERT_EQ(notes.size(), 32u);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(notes[i], i < 16   ? "plan(from=chance)"
                        : i < 29 ? "plan(from=model)"
                                 : "plan(from=near)")
        << i;
  }
}

TEST_F(AutotvmAgentTest, WithoutASuccessItGoesOnByChance) {
  const auto agent = GridAgent("autotvm", grid_);
  EXPECT_THAT(NotesOf(*agent, 4, AllFail()), testing::Each("plan(from=chance)"));
}

TEST_F(AutotvmAgentTest, GoesOnFromWhatIsKnown) {
  const auto agent = GridAgent("autotvm", grid_);
  std::vector<Trial> known;
  for (int x = 0; x < 40; x += 2) {
    for (int y = 0; y < 40; y += 4) {
      known.push_back(KnownTrial(GridState(GridTask(), {x, y}), AwayFrom({7, 9})({x, y})));
    }
  }
  agent->Learn(known);
  const std::vector<GridPlace> first = GridRound(*agent, 0, 16, AwayFrom({7, 9}));
  for (const GridPlace& place : first) EXPECT_LE(DistanceOf(place, {7, 9}), 8) << place;
}

// The plan and the request are larger than the space.
TEST_F(AutotvmAgentTest, MeasuresAllOfASmallSpace) {
  GridSpace small(3);
  small.has_sketch = true;
  for (const char* spec : {"autotvm", "autotvm(mode=faithful)"}) {
    const auto agent = GridAgent(spec, small);
    const std::vector<GridPlace> all = GridSearch(*agent, 100, 64, AwayFrom({1, 1}));
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), 9u);
    EXPECT_EQ(all.size(), 9u);
  }
}

TEST_F(AutotvmAgentTest, EqualSeedsProposeTheSame) {
  for (const char* spec : {"autotvm", "autotvm(mode=faithful,diversity=2)"}) {
    const auto search = [&] {
      return GridSearch(*GridAgent(spec, grid_, 3), 100, 16, AwayFrom({7, 9}));
    };
    EXPECT_EQ(search(), search());
  }
}

TEST_F(AutotvmAgentTest, BadOptionsAreRefused) {
  for (const char* spec : {"autotvm(plan=0)", "autotvm(epsilon=2.0)", "autotvm(trees=5)",
                           "autotvm(model=forest,features=ansor)", "autotvm(features=loops)",
                           "autotvm(rho=5)", "autotvm(chains=0)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
  EXPECT_THROW(GridAgent("autotvm", GridSpace(3)), InputError);
}

// With 200 trials two plans of 64 follow its trees; it must succeed more often than random search.
TEST(PlanSurfaceTest, PublishedAutotvmComesWithinFivePercent) {
  EXPECT_GE(SurfaceSuccesses("autotvm(mode=faithful)", 10), 6);
}

}  // namespace
}  // namespace schedulegym
