#include "agents/plan/heron.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/plan/genetic_explorer.h"
#include "env/base/fault.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/plan/surface_book.h"

namespace schedulegym {
namespace {

// Scores 0.2, 0.5 and 0.8 have the shares 0, 1/3 and 2/3.
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

// Each key knob has the value of either parent; the others are free.
TEST(GeneticExplorerTest, AChildHasItsKeysFromEitherParent) {
  SurfaceBook surface;
  const KnobField& field = surface.book.field();
  const ConstrainedField constrained(field, {});
  const FieldPlace a = {0, {1, 2, 3, 4}}, b = {0, {11, 12, 13, 14}};
  Rng rng(1);
  std::set<int> values[kSurfaceKnobs];
  for (int i = 0; i < 200; ++i) {
    const std::optional<FieldPlace> child = constrained.Child(field, a, b, {0, 2}, rng);
    ASSERT_TRUE(child);
    for (int knob = 0; knob < kSurfaceKnobs; ++knob) values[knob].insert(child->point[knob]);
  }
  EXPECT_EQ(values[0], (std::set<int>{1, 11}));
  EXPECT_EQ(values[2], (std::set<int>{3, 13}));
  EXPECT_GT(values[1].size(), 8u);
  EXPECT_GT(values[3].size(), 8u);
}

// Places are proposed with any constraints; one message names constraints without a solution.
TEST(HeronLimitsTest, LimitsWithoutASolutionAreTold) {
  const auto space = MakeSpace(ParseSpec("ansor").value());
  for (const bool is_limited : {false, true}) {
    std::vector<std::string> said;
    AgentSetup setup;
    setup.agent = ParseSpec(is_limited ? "heron(code=1,spill=0.0001)" : "heron").value();
    setup.tasks = {
        {std::make_shared<const Task>(Task{DagOf("input A[64, 64]\ninput B[64, 64]\n"
                                                 "C[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n"),
                                           Target{}, "product"})}};
    const AgentMaker maker = BuiltinAgentMaker();
    const SteadyClock clock;
    const auto agent =
        maker.Make({setup, *space, Rng(1), maker, clock, {}, [&](const std::string& line) {
                      said.push_back(line);
                    }});
    EXPECT_EQ(agent->Propose(0, 4).size(), 4u);
    ASSERT_EQ(said.size(), is_limited ? 1u : 0u);
    if (is_limited) {
      EXPECT_THAT(said[0], testing::HasSubstr("no sketch has a solution with spill=1e-04"));
    }
  }
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
  for (const char* spec :
       {"heron(search=rcga)", "heron(keys=all)", "heron(share=2)", "heron(population=0)",
        "heron(spill=-1)", "heron(model=rank)", "heron(depth=0)", "heron(kept=-1)"}) {
    EXPECT_THROW(GridAgent(spec, grid_), InputError) << spec;
  }
}

}  // namespace
}  // namespace schedulegym
