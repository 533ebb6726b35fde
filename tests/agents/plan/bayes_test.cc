#include "agents/plan/bayes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "agents/cost/gaussian_process.h"
#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

// Some points occur twice: with a noise of 1e-10 the factorisation succeeds; with 1e-14 the noise
// grows, and the process is that of the grown noise.
TEST(GrownProcessTest, EqualsOneMadeAnewOnDuplicates) {
  for (const double noise : {1e-10, 1e-14}) {
    Rng rng(1);
    PointList pool{2, {}};
    for (int i = 0; i < 20; ++i) pool.values.push_back(rng.Uniform());
    GaussianProcess grown({.length = 0.1, .noise = noise}, pool);
    std::vector<std::vector<double>> points;
    std::vector<double> targets;
    for (int i = 0; i < 16; ++i) {
      points.push_back(i % 4 == 3 ? points[i - 2] : std::vector{rng.Uniform(), rng.Uniform()});
      grown.Add(points.back());
      targets.push_back(points.back()[0] - points.back()[1]);
      grown.Predict(targets);
    }
    EXPECT_EQ(grown.raises() > 0, noise < 1e-12);
    GaussianProcess anew({.length = 0.1, .noise = noise * std::pow(10, grown.raises())}, pool);
    for (const std::vector<double>& point : points) anew.Add(point);
    EXPECT_EQ(anew.raises(), 0);
    const std::vector<Posterior> a = grown.Predict(targets), b = anew.Predict(targets);
    for (int i = 0; i < pool.size(); ++i) {
      EXPECT_NEAR(a[i].mean, b[i].mean, 1e-9);
      EXPECT_NEAR(a[i].deviation, b[i].deviation, 1e-9);
    }
  }
}

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
  for (const char* spec :
       {"bayes", "bayes(acquire=multi)", "bayes(acquire=advanced,factor=contextual)",
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
  for (const char* spec :
       {"bayes(first=0)", "bayes(kernel=linear)", "bayes(acquire=best)", "bayes(length=0.0)",
        "bayes(noise=-1.0)", "bayes(plan=64)", "bayes(factor=often)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
}

}  // namespace
}  // namespace schedulegym
