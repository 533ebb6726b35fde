#include "agents/plan/heron.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/plan/genetic_explorer.h"
#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

// Of scores 0.2, 0.5 and 0.8 the shares are 0, 1/3 and 2/3.
TEST(RouletteTest, TheWorstIsHardlyDrawn) {
  const std::vector<double> weights = RouletteWeights({{0.8, {}}, {0.5, {}}, {0.2, {}}});
  EXPECT_THAT(weights, testing::Pointwise(testing::DoubleNear(1e-9), {0.6, 0.3, 0.0}));
  Rng rng(1);
  int counts[3] = {};
  for (int i = 0; i < 3000; ++i) ++counts[DrawByWeight(weights, rng)];
  EXPECT_NEAR(counts[0], 2000, 120);
  EXPECT_NEAR(counts[1], 1000, 120);
  EXPECT_EQ(counts[2], 0);
}

class HeronAgentTest : public testing::Test {
 protected:
  HeronAgentTest() { grid_.has_sketch = true; }

  std::vector<std::string> NotesOf(Agent& agent, int rounds) {
    std::vector<std::string> notes;
    for (int round = 0; round < rounds; ++round) {
      std::vector<Trial> trials;
      for (const Proposal& one : agent.Propose(0, 64)) {
        notes.push_back(one.note);
        trials.push_back(TimedTrial(one, AwayFrom({7, 9})(PlaceOf(one.state))));
      }
      agent.Learn(trials);
    }
    return notes;
  }

  GridSpace grid_{40};
};

TEST_F(HeronAgentTest, PublishedPlansAreOf32WithNothingByChanceAfterTheFirst) {
  const auto agent = GridAgent("heron(mode=faithful)", grid_);
  const std::vector<std::string> notes = NotesOf(*agent, 2);
  ASSERT_EQ(notes.size(), 64u);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(notes[i], i < 32 ? "plan(from=chance)" : "plan(from=model)") << i;
  }
}

TEST_F(HeronAgentTest, ConstrainedChanceNeverAsksTheModel) {
  const auto agent = GridAgent("heron(search=crand)", grid_);
  EXPECT_THAT(NotesOf(*agent, 3), testing::Each("plan(from=chance)"));
}

TEST_F(HeronAgentTest, BadOptionsAreRefused) {
  for (const char* spec : {"heron(search=rcga)", "heron(keys=all)", "heron(share=2)",
                           "heron(population=0)", "heron(spill=-1)", "heron(model=rank)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
}

}  // namespace
}  // namespace schedulegym
