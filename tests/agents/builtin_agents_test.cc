#include "agents/builtin_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agents/lone_agent.h"
#include "tests/agents/split_space.h"

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
