#include "assembly/process_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Hears its socket, and never answers.
std::unique_ptr<WorkerProcess> Mute() {
  return std::make_unique<WorkerProcess>("/bin/sleep", std::vector<std::string>{"sleep", "1000"});
}

TEST(ProcessAgentTest, OneThatEndsIsTheMachinesFault) {
  HostedRunParts run("random");
  auto process = HostedRunParts::Host();
  WorkerProcess& host = *process;
  const auto agent = MakeProcessAgent({"the agent", true}, std::move(process), run.Context());
  EXPECT_EQ(agent->Propose(0, 2).size(), 2U);
  host.Kill();
  try {
    agent->Propose(0, 2);
    FAIL();
  } catch (const MachineError& fault) {
    EXPECT_STREQ(fault.what(), "the agent ended: SIGKILL");
  }
}

TEST(ProcessAgentTest, AStrangersEndIsNotTheMachinesFault) {
  HostedRunParts run("random");
  auto process = std::make_unique<WorkerProcess>("/bin/true", std::vector<std::string>{"true"});
  try {
    MakeProcessAgent({"the stranger"}, std::move(process), run.Context());
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "the stranger ended: exit 0");
  }
}

TEST(ProcessAgentTest, OneThatIsBusyEndsWithTheSearch) {
  HostedRunParts run("random");
  run.stop = true;
  auto process = Mute();
  const pid_t pid = process->pid();
  EXPECT_THROW(MakeProcessAgent({"the agent", true}, std::move(process), run.Context()),
               Interrupted);
  EXPECT_NE(kill(pid, 0), 0) << "nobody is left";
}

TEST(ProcessAgentTest, OneThatHangsIsGivenUp) {
  HostedRunParts run("random");
  run.HurryUp();
  try {
    MakeProcessAgent({"the agent", true}, Mute(), run.Context());
    FAIL();
  } catch (const MachineError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("the agent said nothing for 600"));
  }
}

TEST(ProcessAgentTest, APluginThatHangsWhileItIsOpenedIsGivenUp) {
  try {
    LinesOfPlugin({"plugin x.so", false, {"/x.so"}}, Mute(), SecondsClock());
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("plugin x.so said nothing for 30"));
  }
}

TEST(ProcessAgentTest, WithoutTasksNothingIsAsked) {
  HostedRunParts run("random");
  run.setup().tasks.clear();
  EXPECT_NO_THROW(MakeProcessAgent({"the agent", true}, Mute(), run.Context()));
}

}  // namespace
}  // namespace schedulegym
