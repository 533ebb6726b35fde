#include "agents/builtin_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agents/mcts/mcts_options.h"
#include "tests/agents/decisions/agent_search.h"
#include "tests/agents/split_space.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {
namespace {

TEST(BuiltinAgentsTest, EachCanBeMadeByItsNameAndItsListedParameters) {
  const SplitSpace space;
  for (const auto& entry : BuiltinAgents()) {
    EXPECT_FALSE(entry.description.empty());
    EXPECT_NO_THROW(SingleTaskAgent(ParseSpec(entry.name).value(), space, {}, Rng(1)));
    const std::string listed = entry.name + "(" + entry.parameters + ")";
    EXPECT_NO_THROW(SingleTaskAgent(ParseSpec(listed).value(), space, {}, Rng(1))) << listed;
  }
}

bool Has(const Spec& spec, const std::string& key) {
  return std::ranges::find(spec.options, key, &SpecOption::key) != spec.options.end();
}

std::vector<Key> ProposedBy(const Spec& agent, int most) {
  const TwoSketchSpace space;
  return KeysOf(
      SearchBy({agent.ToText(), space}, TwoSketchSpace::SmallTask(), most, TwoSketchSeconds));
}

// Passing an option at its listed default does not change the proposals.
TEST(BuiltinAgentsTest, WhatIsListedIsWhatActs) {
  for (const auto& entry : BuiltinAgents()) {
    const Spec bare = {entry.name, {}};
    const Spec small = ParseSpec(SmallSpecOf(entry.name)).value();
    const auto of_bare = ProposedBy(bare, 8), of_small = ProposedBy(small, 24);
    const Spec listed = ParseSpec("x(" + entry.parameters + ")").value();
    for (const SpecOption& one : listed.options) {
      const bool is_small = !Has(small, one.key);
      Spec said = is_small ? small : bare;
      said.options.push_back(one);
      EXPECT_EQ(ProposedBy(said, is_small ? 24 : 8), is_small ? of_small : of_bare)
          << said.ToText();
    }
  }
}

TEST(BuiltinRefinersTest, SoCanRefiners) {
  const SplitSpace space;
  const AgentMaker maker = BuiltinAgentMaker();
  const SteadyClock clock;
  for (const auto& entry : BuiltinRefiners()) {
    EXPECT_FALSE(entry.description.empty());
    AgentSetup setup;
    setup.agent = ParseSpec(entry.name + "(" + entry.parameters + ")").value();
    EXPECT_NE(maker.MakeRefiner({setup, space, Rng(1), maker, clock}), nullptr);
  }
}

std::string HelpOf(const std::string& name) { return BuiltinAgents().At(name).description; }

// Where the published implementation departs from the paper.
TEST(BuiltinAgentsTest, AnsorsHelpSaysWhatIsNotAsPublished) {
  EXPECT_THAT(HelpOf("ansor"), testing::HasSubstr("at most 20 draws"));
  EXPECT_THAT(HelpOf("ansor"), testing::HasSubstr("1e-5"));
}

// An option of another form than the one whose options are listed.
TEST(BuiltinAgentsTest, TheTemperatureOfMeasuredTreesIsAsTheHelpSays) {
  const MctsOptions options = ReadMctsOptions(ParseSpec("mcts(form=measured)").value());
  const SpecValue temperature = {options.measured.tree.selection.temperature};
  EXPECT_THAT(HelpOf("mcts"), testing::HasSubstr("temperature=" + temperature.ToText()));
}

}  // namespace
}  // namespace schedulegym
