#include "assembly/processes/hosted_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

TEST(HostedAgentsTest, OptionsAreCheckedBeforeAProcessStarts) {
  setenv("SCHEDULEGYM_AGENT", "/nowhere/schedulegym-agent", 1);
  HostedRunParts bad("harl(window=0)"), good("harl(window=1)");
  const AgentFactory make = HostedAgents().at(0).make;
  EXPECT_THROW(make(bad.Context()), InputError);
  try {
    make(good.Context());
    FAIL();
  } catch (const MachineError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("cannot start '/nowhere/schedulegym-agent'"));
  }
}

}  // namespace
}  // namespace schedulegym
