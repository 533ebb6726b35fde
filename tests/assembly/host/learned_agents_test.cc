#include "assembly/host/learned_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assembly/catalog.h"
#include "assembly/processes/hosted_agents.h"
#include "env/base/fault.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "tests/assembly/hosted_process.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(LearnedAgentsTest, AreThoseThatTheCommandNames) {
  const std::vector<AgentEntry> there = LearnedAgents(), here = HostedAgents();
  ASSERT_EQ(there.size(), here.size());
  for (size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(there[i].name, here[i].name);
    EXPECT_EQ(there[i].parameters, here[i].parameters);
  }
}

TEST(LearnedAgentsTest, SearchOrSayWhatIsMissing) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  HostedRunParts run("harl(visits=100,stop_every=2,stop_least=5,round=8,hidden=8)");
  const AgentFactory make = HostedAgents().at(0).make;
  try {
    EXPECT_EQ(make(run.Context())->Propose(1, 8).size(), 8U);
    EXPECT_TRUE(SG_HAS_TORCH);
  } catch (const MachineError& fault) {
    EXPECT_FALSE(SG_HAS_TORCH);
    EXPECT_THAT(fault.what(), HasSubstr("libtorch-dev"));
  }
}

TEST(LearnedAgentsTest, TreeSearchLivesThereWhereAPolicyIsItsPrior) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  HostedRunParts run("mcts(form=puct,actions=modify,prior=policy(file=\"/nowhere/policy.sgp\"))");
  try {
    MakeMctsWhereItsPolicyIs(run.Context())->Propose(0, 1);
    FAIL();
  } catch (const MachineError& fault) {
    EXPECT_FALSE(SG_HAS_TORCH);
    EXPECT_THAT(fault.what(), HasSubstr("libtorch-dev"));
  } catch (const InputError& fault) {
    EXPECT_TRUE(SG_HAS_TORCH);
    EXPECT_THAT(fault.what(), HasSubstr("/nowhere/policy.sgp"));
  }
  HostedRunParts here("mcts(form=puct,iterations=16,round=4)");
  setenv("SCHEDULEGYM_AGENT", "/nowhere/schedulegym-agent", 1);
  EXPECT_EQ(MakeMctsWhereItsPolicyIs(here.Context())->Propose(0, 4).size(), 4U);
}

TEST(LearnedAgentsTest, AgentsLiveThereWhereTheirModelIsANetwork) {
  setenv("SCHEDULEGYM_AGENT", SG_AGENT, 1);
  const TemporaryFolder folder;
  const std::string path = folder.Path("broken.model");
  WriteOutput(path, ToBytes(SavedModelState{"scorer 1", "text"}));
  const AgentRegistry agents = BuiltinCatalog().agents;
  for (const std::string name : {"ansor", "beam", "es", "greedy", "guided", "mcts", "oneshot"}) {
    HostedRunParts run(name + "(model=\"" + path + "\")");
    try {
      agents.Find(Spec{name, {}})(run.Context())->Propose(0, 1);
      FAIL();
    } catch (const MachineError& fault) {
      EXPECT_FALSE(SG_HAS_TORCH);
      EXPECT_THAT(fault.what(), HasSubstr("libtorch-dev"));
    } catch (const InputError& fault) {
      EXPECT_TRUE(SG_HAS_TORCH) << name;
      EXPECT_THAT(fault.what(), HasSubstr(path));
    }
  }
  HostedRunParts here("ansor(model=analytical,population=32,generations=1)");
  setenv("SCHEDULEGYM_AGENT", "/nowhere/schedulegym-agent", 1);
  EXPECT_EQ(agents.Find(Spec{"ansor", {}})(here.Context())->Propose(0, 4).size(), 4U);
}

}  // namespace
}  // namespace schedulegym
