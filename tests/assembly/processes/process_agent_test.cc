#include "assembly/processes/process_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "env/base/fault.h"
#include "env/features/analytical_cost.h"
#include "tests/agents/timed_record.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Receives messages, and never answers.
std::unique_ptr<WorkerProcess> Mute() {
  return std::make_unique<WorkerProcess>("/bin/sleep", std::vector<std::string>{"sleep", "1000"});
}

// Returns whether the process is in state 'T' (stopped); waits a few seconds for it.
bool IsStopped(pid_t process) {
  for (int look = 0; look < 500; ++look) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name;
    char state = '?';
    file >> number >> name >> state;
    if (state == 'T') return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(ProcessAgentTest, OneThatRestsIsStoppedOutsideOfItsTurns) {
  HostedRunParts run("random");
  AgentSide side = {"the agent"};
  side.rests = true;
  auto process = HostedRunParts::Host();
  const pid_t pid = process->pid();
  auto agent = MakeProcessAgent(side, std::move(process), run.Context());
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_TRUE(IsStopped(pid));
    EXPECT_EQ(agent->Propose(0, 2).size(), 2U);
  }
  agent.reset();
  EXPECT_NE(kill(pid, 0), 0) << "nobody is left";
}

TEST(ProcessAgentTest, OneThatTakesTooMuchIsEnded) {
  HostedRunParts run("random");
  AgentSide side = {"the stranger"};
  side.excess = [](pid_t) { return "threads: found 900, expected at most 100"; };
  try {
    MakeProcessAgent(side, Mute(), run.Context());
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(),
                 "the stranger takes too much: threads: found 900, expected at most 100");
  }
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
  run.HurryUp(60);
  try {
    MakeProcessAgent({"the agent", true}, Mute(), run.Context());
    FAIL();
  } catch (const MachineError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("the agent said nothing for 600"));
  }
}

// Each clock reading takes a second; loading has a limit of its own.
TEST(ProcessAgentTest, LoadingHasALimitOfItsOwn) {
  HostedRunParts run("random");
  AgentSide side = {"the stranger"};
  side.patience = 0.001;
  EXPECT_EQ(MakeProcessAgent(side, HostedRunParts::Host(), run.Context())->memory(), nullptr);
  run.HurryUp();
  side = {"the stranger"};
  side.loading = 30;
  try {
    MakeProcessAgent(side, Mute(), run.Context());
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "the stranger said nothing for 30.0 seconds");
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

std::vector<Key> KeysOf(const std::vector<Proposal>& proposals) {
  std::vector<Key> keys;
  for (const Proposal& one : proposals) keys.push_back(one.key);
  return keys;
}

void Teach(Agent& agent) {
  for (int turn = 0; turn < 5; ++turn) {
    std::vector<Trial> trials;
    for (const Proposal& one : agent.Propose(0, 12)) {
      Record record = TimedRecord(one.state, EstimateCost(one.state).Seconds());
      record.id = RecordId(record);
      trials.push_back(TrialOf(one.state, std::move(record), TrialStatus::kMeasured));
    }
    agent.Learn(trials);
  }
}

constexpr const char* kQuick = "ansor(population=64,round=12)";

// The state equals that of a local agent, and loads into either kind.
TEST(ProcessAgentTest, ItsMemoryIsThatOfTheAgentThere) {
  HostedRunParts run(kQuick);
  const auto there = run.Hosted(), here = run.Here();
  ASSERT_NE(there->memory(), nullptr);
  EXPECT_EQ(there->memory()->Kind(), here->memory()->Kind());
  EXPECT_EQ(there->memory()->Save(), std::nullopt);
  Teach(*there);
  Teach(*here);
  const std::optional<std::string> saved = there->memory()->Save();
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(here->memory()->Save(), saved);
  const auto pupil = run.Hosted(), other = run.Here(), untaught = run.Here();
  pupil->memory()->Load(*saved);
  other->memory()->Load(*saved);
  const std::vector<Key> keys = KeysOf(pupil->Propose(1, 8));
  EXPECT_EQ(keys, KeysOf(other->Propose(1, 8)));
  EXPECT_NE(keys, KeysOf(untaught->Propose(1, 8)));
  EXPECT_THROW(pupil->memory()->Load("no memory"), InputError);
}

TEST(ProcessAgentTest, OneThatLearnsNothingHasNoMemory) {
  HostedRunParts run("random");
  EXPECT_EQ(run.Hosted()->memory(), nullptr);
}

// It ends the computation, and keeps its learned state.
TEST(ProcessAgentTest, OneThatIsStoppedStillHasItsMemory) {
  HostedRunParts run(kQuick);
  run.StopTime();
  const auto agent = run.Hosted();
  Teach(*agent);
  run.stop = true;
  EXPECT_THROW(agent->Propose(0, 12), Interrupted);
  EXPECT_TRUE(agent->memory()->Save().has_value());
}

TEST(ProcessAgentTest, OfOneThatWasEndedNothingIsLeft) {
  HostedRunParts run(kQuick);
  auto process = HostedRunParts::Host();
  WorkerProcess& host = *process;
  const auto agent = MakeProcessAgent({"the agent", true}, std::move(process), run.Context());
  host.Signal(SIGSTOP);
  run.stop = true;
  EXPECT_THROW(agent->Propose(0, 12), Interrupted);
  EXPECT_EQ(agent->memory()->Save(), std::nullopt);
}

TEST(ProcessAgentTest, WithoutTasksNothingIsAsked) {
  HostedRunParts run("random");
  run.setup().tasks.clear();
  EXPECT_NO_THROW(MakeProcessAgent({"the agent", true}, Mute(), run.Context()));
}

}  // namespace
}  // namespace schedulegym
