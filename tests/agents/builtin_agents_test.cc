#include "agents/builtin_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agents/lone_agent.h"
#include "tests/agents/split_space.h"
#include "tests/agents/tree/agent_search.h"
#include "tests/conformance/small_agents.h"

namespace schedulegym {
namespace {

TEST(BuiltinAgentsTest, EachCanBeMadeByItsNameAndItsListedParameters) {
  const SplitSpace space;
  for (const AgentEntry& entry : BuiltinAgents()) {
    EXPECT_FALSE(entry.description.empty());
    EXPECT_NO_THROW(LoneAgent(ParseSpec(entry.name).value(), space, {}, Rng(1)));
    const std::string listed = entry.name + "(" + entry.parameters + ")";
    EXPECT_NO_THROW(LoneAgent(ParseSpec(listed).value(), space, {}, Rng(1))) << listed;
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

// An option that is said as it is listed changes nothing of what is proposed.
TEST(BuiltinAgentsTest, WhatIsListedIsWhatActs) {
  for (const AgentEntry& entry : BuiltinAgents()) {
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
  for (const AgentEntry& entry : BuiltinRefiners()) {
    EXPECT_FALSE(entry.description.empty());
    AgentSetup setup;
    setup.agent = ParseSpec(entry.name + "(" + entry.parameters + ")").value();
    EXPECT_NE(maker.MakeRefiner({setup, space, Rng(1), maker, clock}), nullptr);
  }
}

// Where the published search departs from the paper.
TEST(BuiltinAgentsTest, AnsorsHelpSaysWhatIsNotAsPublished) {
  const std::vector<AgentEntry> agents = BuiltinAgents();
  const auto found = std::ranges::find(agents, "ansor", &AgentEntry::name);
  ASSERT_NE(found, agents.end());
  const AgentEntry& ansor = *found;
  EXPECT_THAT(ansor.description, testing::HasSubstr("at most 20 draws"));
  EXPECT_THAT(ansor.description, testing::HasSubstr("1e-5"));
}

}  // namespace
}  // namespace schedulegym
