#include "agents/builtin_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/agents/split_space.h"

namespace schedulegym {
namespace {

TEST(BuiltinAgentsTest, EachCanBeMadeByItsNameAndItsListedParameters) {
  const SplitSpace space;
  for (const AgentEntry& entry : BuiltinAgents()) {
    EXPECT_FALSE(entry.description.empty());
    EXPECT_NE(MakeAgent(ParseSpec(entry.name).value(), {space, Rng(1)}), nullptr);
    const std::string listed = entry.name + "(" + entry.parameters + ")";
    EXPECT_NE(MakeAgent(ParseSpec(listed).value(), {space, Rng(1)}), nullptr) << listed;
  }
}

TEST(BuiltinAgentsTest, AnUnknownNameListsTheKnown) {
  const SplitSpace space;
  try {
    MakeAgent(ParseSpec("randon").value(), {space, Rng(1)});
    FAIL() << "made an agent that does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("unknown agent 'randon'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'random'"));
  }
}

}  // namespace
}  // namespace schedulegym
