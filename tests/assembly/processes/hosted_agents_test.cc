#include "assembly/processes/hosted_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "env/base/fault.h"
#include "tests/agents/timed_record.h"
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

// The search does not continue with another agent: it ends with an error that names the agent.
TEST(HostedAgentsTest, OneThatDiesInTheMidstOfLearningEndsTheSearch) {
  if (!SG_HAS_TORCH) GTEST_SKIP() << "no networks";
  for (const std::string name : {"na2c", "chameleon", "flextensor(method=q)", "harl"}) {
    HostedRunParts run(name);
    run.setup().budget = Budget{100'000, std::nullopt};
    auto process = HostedRunParts::Host();
    const pid_t host = process->pid();
    const auto agent = MakeHostedAgent({"the agent", true}, std::move(process), run.Context());
    int learned = 0;
    const auto search = [&] {
      const std::vector<Proposal> proposals = agent->Propose(0, 8);
      std::vector<Trial> trials;
      for (const Proposal& proposal : proposals) {
        Record record = TimedRecord(proposal.state, 1.0 + 0.01 * ++learned);
        record.note = proposal.note;
        record.id = RecordId(record);
        trials.push_back(TrialOf(proposal.state, std::move(record), TrialStatus::kMeasured));
      }
      if (!trials.empty()) agent->Learn(trials);
      return !trials.empty();
    };
    ASSERT_TRUE(search()) << name;
    const std::jthread killer([host] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      kill(host, SIGKILL);
    });
    try {
      while (search()) {
      }
      ADD_FAILURE() << name << " ended after " << learned;
    } catch (const MachineError& fault) {
      EXPECT_STREQ(fault.what(), "the agent ended: SIGKILL") << name;
    }
    EXPECT_NE(kill(host, 0), 0) << "nobody is left";
  }
}

}  // namespace
}  // namespace schedulegym
