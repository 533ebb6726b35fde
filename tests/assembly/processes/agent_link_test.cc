#include "assembly/processes/agent_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "assembly/messages/agent_messages.h"
#include "env/base/fault.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

template <typename Fault>
std::string FaultOf(AgentLink& link) {
  try {
    link.Ask<AgentReply>(AgentMessage::kPropose, AgentRequest{0, 1}, {.seconds = 5});
    return "";
  } catch (const Fault& fault) {
    return fault.what();
  }
}

TEST(AgentLinkTest, WhatTheOtherSideRefusesIsThrown) {
  const SteadyClock clock;
  AgentLink link(AgentProcess({"the agent", true}, HostedRunParts::Host(), clock, {}));
  EXPECT_THAT(FaultOf<InputError>(link), HasSubstr("setup first"));
  EXPECT_THAT(FaultOf<InputError>(link), HasSubstr("setup first")) << "it goes on";
}

TEST(AgentLinkTest, WhoEndsIsAtFault) {
  const SteadyClock clock;
  const auto ends = [] {
    return std::make_unique<WorkerProcess>("/bin/true", std::vector<std::string>{"true"});
  };
  AgentLink ours(AgentProcess({"ours", true}, ends(), clock, {}));
  AgentLink strange(AgentProcess({"the stranger"}, ends(), clock, {}));
  EXPECT_EQ(FaultOf<MachineError>(ours), "ours ended: exit 0");
  EXPECT_EQ(FaultOf<InputError>(strange), "the stranger ended: exit 0");
}

TEST(AgentLinkTest, PatienceAndStopEndTheWait) {
  const auto sleeps = [] {
    return std::make_unique<WorkerProcess>("/bin/sleep", std::vector<std::string>{"sleep", "100"});
  };
  const SecondsClock hasty;
  AgentLink slow(AgentProcess({"ours", true}, sleeps(), hasty, {}));
  EXPECT_EQ(FaultOf<MachineError>(slow), "ours said nothing for 5.0 seconds");
  const SteadyClock clock;
  const std::atomic<bool> stop = true;
  AgentLink stopped(AgentProcess({"ours", true}, sleeps(), clock, StopToken(&stop)));
  EXPECT_THROW(FaultOf<InputError>(stopped), Interrupted);
}

}  // namespace
}  // namespace schedulegym
