#include "assembly/host/agent_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "assembly/messages/agent_messages.h"
#include "backends/runner/wire/refusal.h"
#include "env/base/fault.h"
#include "env/features/analytical_cost.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "tests/agents/timed_record.h"
#include "tests/assembly/hosted_process.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

// Proposals of a search of six turns, measured by the analytical model.
std::vector<Key> Search(Agent& agent) {
  std::vector<Key> keys;
  for (int turn = 0; turn < 6; ++turn) {
    std::vector<Trial> trials;
    const int task = turn % 2;
    for (const Proposal& proposal : agent.Propose(task, 12)) {
      keys.push_back(proposal.key);
      Record record = TimedRecord(proposal.state, EstimateCost(proposal.state).Seconds());
      record.id = RecordId(record);
      trials.push_back(TrialOf(proposal.state, std::move(record), TrialStatus::kMeasured, task));
    }
    trials.back().told = TrialStatus::kNotReached;
    trials.back().record = nullptr;
    agent.Learn(trials);
    // A revision of a trial whose state the host no longer has.
    trials = {trials[0]};
    trials[0].told = TrialStatus::kRevised;
    agent.Learn(trials);
  }
  return keys;
}

// The connection loses nothing of the proposals and results.
TEST(AgentHostTest, AnAgentThereProposesWhatItProposesHere) {
  for (const char* agent : {"random", "ansor(population=64,round=8,model=analytical)", "hill"}) {
    HostedRunParts run(agent);
    const std::vector<Key> there = Search(*run.Hosted()), here = Search(*run.Here());
    EXPECT_GE(there.size(), 6U);
    EXPECT_EQ(there, here) << agent;
  }
}

// Messages of the hosted agent arrive here.
TEST(AgentHostTest, RemarksComeWithTheAnswers) {
  HostedRunParts run("dpansor(k=1000)");
  std::vector<std::string> said;
  AgentContext context = run.Context();
  context.say = [&](const std::string& line) { said.push_back(line); };
  MakeProcessAgent({"the agent", true}, HostedRunParts::Host(), context);
  EXPECT_THAT(said, testing::ElementsAre(HasSubstr("agent dpansor: k=")));
}

std::string RefusalOf(HostedRunParts& run) {
  try {
    run.Hosted();
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(AgentHostTest, WhatIsAskedWrongIsRefusedAsHere) {
  HostedRunParts unknown("no_such_agent");
  EXPECT_THAT(RefusalOf(unknown), HasSubstr("unknown agent 'no_such_agent'"));
  HostedRunParts range("random(retries=0)");
  EXPECT_THAT(RefusalOf(range), HasSubstr("retries"));
  HostedRunParts space("random");
  space.setup().space = RequireSpec("space", "no_such_space");
  EXPECT_THAT(RefusalOf(space), HasSubstr("unknown space 'no_such_space'"));
}

// Sends single messages.
class RawHost {
 public:
  template <HasFields Message>
  std::string Refusal(AgentMessage type, const Message& message) {
    return Refusal(type, Encode(message));
  }
  std::string Refusal(AgentMessage type, std::string bytes) {
    channel_.Send({static_cast<uint16_t>(type), 1, std::move(bytes)});
    const std::optional<Frame> answer = channel_.Receive();
    if (!answer) return "ended";
    try {
      if (answer->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*answer);
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  }
  AgentSetupText Setup() const {
    return {.agent = "random",
            .space = "ansor",
            .tasks = {{{"input X[24]\nA[i:24] = X[i] + 1\n", "llvm", "small"}, 1}}};
  }

 private:
  WorkerProcess process_{SG_AGENT, "agent"};
  FrameChannel channel_{process_.TakeSocket()};
};

TEST(AgentHostTest, RefusesWhatIsNoQuestionAndGoesOn) {
  RawHost host;
  EXPECT_THAT(host.Refusal(AgentMessage::kPropose, AgentRequest{0, 1}), HasSubstr("setup first"));
  EXPECT_THAT(host.Refusal(AgentMessage::kSetup, std::string("bytes")),
              HasSubstr("no agent setup"));
  EXPECT_EQ(host.Refusal(AgentMessage::kSetup, host.Setup()), "");
  EXPECT_THAT(host.Refusal(AgentMessage::kPropose, AgentRequest{1, 1}), HasSubstr("task: found 1"));
  EXPECT_THAT(host.Refusal(AgentMessage::kAnswer, AgentReply{}), HasSubstr("message 67"));
  AgentLesson lesson = {{{0, "trace 1\n", "no key", "measured"}}, {}};
  EXPECT_THAT(host.Refusal(AgentMessage::kLearn, lesson), HasSubstr("key"));
  lesson.trials[0] = {0, "no trace", Key{}.ToText(), "measured"};
  EXPECT_NE(host.Refusal(AgentMessage::kLearn, lesson), "");
  lesson.trials[0] = {0, "trace 1\n", Key{}.ToText(), "measured"};
  lesson.records.records.push_back({});
  EXPECT_THAT(host.Refusal(AgentMessage::kLearn, lesson), HasSubstr("a record of no trial, task"));
  EXPECT_EQ(host.Refusal(AgentMessage::kPropose, AgentRequest{0, 1}), "");
}

std::string OutputOf(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char part[4096];
  while (const size_t count = fread(part, 1, sizeof(part), pipe)) text.append(part, count);
  pclose(pipe);
  return text;
}

// Startup stays fast: only learned agents load LibTorch, only workers LLVM.
TEST(AgentHostTest, NothingStartsWithHeavyLibraries) {
  for (const char* file : {SG_COMMAND, SG_MODULE, SG_AGENT}) {
    if (file[0] == 0) continue;  // a build without Python
    const std::string libraries = OutputOf(std::string("ldd ") + file);
    EXPECT_THAT(libraries, HasSubstr("libstdc++")) << file;
    EXPECT_THAT(libraries, Not(HasSubstr("torch"))) << file;
    EXPECT_THAT(libraries, Not(HasSubstr("libLLVM"))) << file;
  }
}

// An empty entry of a search path is the working directory, with all its files.
TEST(AgentHostTest, LibrariesAreNotTakenFromWhereItIsStarted) {
  for (const char* file : {SG_COMMAND, SG_AGENT}) {
    std::istringstream lines(OutputOf(std::string("readelf -d ") + file));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("RUNPATH") == std::string::npos && line.find("RPATH") == std::string::npos)
        continue;
      const size_t begin = line.find('[');
      const std::string path = ":" + line.substr(begin + 1, line.rfind(']') - begin - 1) + ":";
      EXPECT_THAT(path, Not(HasSubstr("::"))) << file;
    }
  }
}

TEST(AgentHostTest, IsNotStartedByHand) {
  EXPECT_THAT(OutputOf(std::string(SG_AGENT) + " 2>&1"),
              HasSubstr("schedulegym-agent is started by schedulegym, not by hand"));
}

}  // namespace
}  // namespace schedulegym
