#include "agents/local/flextensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/local/flextensor_options.h"
#include "env/base/fault.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/surface_space.h"

namespace schedulegym {
namespace {

class FlextensorAgentTest : public testing::Test {
 protected:
  FlextensorAgentTest() { grid_.has_sketch = true; }

  GridSpace grid_{20};
};

TEST_F(FlextensorAgentTest, SlowerPlacesAreTakenLessOften) {
  EXPECT_NEAR(FlextensorAcceptance(1.2, 1, 0.5), 0.904837, 1e-6);
  EXPECT_EQ(FlextensorAcceptance(1, 1, 0.5), 1);
}

// All four moves of one remembered place, then a random place.
TEST_F(FlextensorAgentTest, MeasuresAllMovesOfAPlace) {
  const auto agent = GridAgent("flextensor(mode=faithful,warm=1)", grid_);
  const GridPlace start = GridRound(*agent, 0, 8, AwayFrom({10, 10})).at(0);
  const std::vector<GridPlace> moves = GridRound(*agent, 0, 8, AwayFrom({10, 10}));
  int near = 0;
  for (const GridPlace& move : moves) near += DistanceOf(move, start) == 1 ? 1 : 0;
  EXPECT_GE(near, 2);  // at a corner
  EXPECT_LE(std::ssize(moves) - near, 1);
}

TEST_F(FlextensorAgentTest, WarmsUpForAThirdOfTheTrialsAtMost) {
  std::vector<std::string> said;
  AgentSetup setup;
  setup.agent = ParseSpec("flextensor(mode=faithful)").value();
  setup.tasks = {{GridTask()}};
  setup.budget = Budget{90};
  const AgentMaker maker = BuiltinAgentMaker();
  const SteadyClock clock;
  const auto agent =
      maker.Make({setup, grid_, Rng(1), maker, clock, {}, [&](const std::string& line) {
                    said.push_back(line);
                  }});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], testing::HasSubstr("30 are drawn"));
  EXPECT_EQ(GridRound(*agent, 0, 64, AwayFrom({10, 10})).size(), 30u);
}

TEST_F(FlextensorAgentTest, TurnsWithoutAChangeEndTheSearch) {
  const auto agent = GridAgent("flextensor(mode=faithful,warm=1,stop=3)", grid_);
  const GridCost even = [](const GridPlace&) { return 1.0; };
  const auto all = GridSearch(*agent, 400, 16, even);
  EXPECT_LE(all.size(), 1u + 4 * 5);
  EXPECT_GT(GridSearch(*GridAgent("flextensor(warm=1)", grid_), 400, 16, even).size(), 300u);
}

TEST_F(FlextensorAgentTest, RandomTakesOneMoveOfEachDecision) {
  const auto agent = GridAgent("flextensor(method=random,warm=1)", grid_);
  const GridPlace start = GridRound(*agent, 0, 8, AwayFrom({10, 10})).at(0);
  const std::vector<GridPlace> moves = GridRound(*agent, 0, 8, AwayFrom({10, 10}));
  std::set<bool> moved;
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(DistanceOf(moves.at(i), start), 1);
    moved.insert(moves[i].x != start.x);
  }
  EXPECT_EQ(moved.size(), 2u);
}

// With 3000 trials: 200 warm-up places with a network, else 400; an update after each fifth of the
// trials; retired places return after each twentieth.
TEST(FlextensorOptionsTest, FaithfulIsTheCode) {
  GridSpace grid(5);
  const AgentMaker maker = BuiltinAgentMaker();
  const SteadyClock clock;
  const auto read = [&](const std::string& text) {
    AgentSetup setup;
    setup.agent = ParseSpec(text).value();
    setup.tasks = {{GridTask()}};
    setup.budget = Budget{3000};
    SpecReader reader(setup.agent, "agent");
    return ReadFlextensorOptions(reader, {setup, grid, Rng(1), maker, clock});
  };
  EXPECT_EQ(read("flextensor(mode=faithful)").warm, 400);
  const FlextensorOptions published = read("flextensor(mode=faithful,method=q)");
  EXPECT_EQ(published.warm, 200);
  EXPECT_EQ(published.lesson, 600);
  EXPECT_EQ(published.absence, 150);
  EXPECT_TRUE(published.directions.has_adadelta);
  EXPECT_EQ(published.directions.rate, 0.02);
  EXPECT_EQ(published.directions.epochs, 20);
  const FlextensorOptions improved = read("flextensor(method=q)");
  EXPECT_EQ(improved.lesson, 0);
  EXPECT_FALSE(improved.directions.has_adadelta);
  EXPECT_THROW(read("flextensor(method=q,optimizer=sgd)"), InputError);
}

TEST_F(FlextensorAgentTest, BadOptionsAreRefused) {
  for (const char* spec :
       {"flextensor(method=r)", "flextensor(epsilon=0.5)", "flextensor(gamma=-1.0)",
        "flextensor(rho=5)", "flextensor(parallel=0)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
}

// At 0.8 and 0.01 epsilon reaches its minimum from the 208th turn on.
TEST(FlextensorNetworkTest, ChanceFalls) {
  EXPECT_NEAR(FlextensorEpsilon(0.8, 0.01, 0.1, 100), 0.294304, 1e-6);
  EXPECT_GT(FlextensorEpsilon(0.8, 0.01, 0.1, 207), 0.1);
  EXPECT_EQ(FlextensorEpsilon(0.8, 0.01, 0.1, 208), 0.1);
}

TEST(FlextensorNetworkTest, PublishedRewardsForgetLosses) {
  EXPECT_NEAR(FlextensorReward(1.0, 0.4), 0.537050, 1e-6);
  EXPECT_EQ(FlextensorReward(0.4, 1.0), 0);
}

TEST(FlextensorNetworkTest, WithoutOneItSaysWhatIsMissing) {
  GridSpace grid(5);
  grid.has_sketch = true;
  EXPECT_THROW(GridAgent("flextensor(method=q)", grid), MachineError);
}

TEST(FlextensorSurfaceTest, ComesWithinFivePercent) {
  EXPECT_GE(SurfaceSuccesses("flextensor", 20), 15);
}

}  // namespace
}  // namespace schedulegym
