#include "agents/plan/bayes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

class BayesAgentTest : public testing::Test {
 protected:
  BayesAgentTest() { grid_.has_sketch = true; }

  GridSpace grid_{20};
};

TEST_F(BayesAgentTest, TheFirstSampleSpreadsOverTheKnobs) {
  const auto agent = GridAgent("bayes", grid_);
  std::set<int> x, y;
  for (const GridPlace& place : GridSearch(*agent, 20, 16, AwayFrom({7, 9}))) {
    x.insert(place.x);
    y.insert(place.y);
  }
  EXPECT_EQ(x.size(), 20u);
  EXPECT_EQ(y.size(), 20u);
}

TEST_F(BayesAgentTest, FailuresDoNotCountAsTheFirstSample) {
  const auto agent = GridAgent("bayes(first=4)", grid_);
  EXPECT_EQ(GridRound(*agent, 0, 16, AllFail()).size(), 4u);
  EXPECT_EQ(GridRound(*agent, 0, 16, AllFail()).size(), 4u);
  EXPECT_EQ(GridRound(*agent, 0, 16, AwayFrom({7, 9})).size(), 4u);
  EXPECT_EQ(GridRound(*agent, 0, 16, AwayFrom({7, 9})).size(), 1u);
}

TEST_F(BayesAgentTest, BelievesWhatItAskedForAtOnce) {
  const auto agent = GridAgent("bayes(batch=6)", grid_);
  GridSearch(*agent, 20, 16, AwayFrom({7, 9}));
  const std::vector<GridPlace> some = GridRound(*agent, 0, 16, AwayFrom({7, 9}));
  EXPECT_EQ(std::set(some.begin(), some.end()).size(), 6u);
}

TEST_F(BayesAgentTest, FindsTheBestOfASmoothGrid) {
  for (const char* spec : {"bayes", "bayes(acquire=multi)", "bayes(acquire=advanced,factor=-1)",
                           "bayes(acquire=lcb,factor=1)", "bayes(acquire=poi,batch=3)"}) {
    const auto agent = GridAgent(spec, grid_);
    EXPECT_THAT(GridSearch(*agent, 60, 16, AwayFrom({7, 9})), testing::Contains(GridPlace{7, 9}))
        << spec;
  }
}

TEST_F(BayesAgentTest, MeasuresAllOfASmallSpace) {
  GridSpace small(3);
  small.has_sketch = true;
  for (const char* spec : {"bayes(first=2)", "bayes(mode=faithful,first=2)"}) {
    const auto agent = GridAgent(spec, small);
    const std::vector<GridPlace> all = GridSearch(*agent, 100, 16, AwayFrom({1, 1}));
    EXPECT_EQ(all.size(), 9u) << spec;
  }
}

TEST_F(BayesAgentTest, EqualSeedsProposeTheSame) {
  const auto search = [&] {
    return GridSearch(*GridAgent("bayes", grid_, 3), 40, 16, AwayFrom({7, 9}));
  };
  EXPECT_EQ(search(), search());
}

TEST_F(BayesAgentTest, BadOptionsAreRefused) {
  for (const char* spec : {"bayes(first=0)", "bayes(kernel=linear)", "bayes(acquire=best)",
                           "bayes(length=0.0)", "bayes(noise=-1.0)", "bayes(plan=64)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
}

}  // namespace
}  // namespace schedulegym
