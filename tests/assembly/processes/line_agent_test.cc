#include "assembly/processes/line_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// A shell command that prints these answers in turn.
std::string Says(const std::vector<std::string>& answers) {
  std::string command;
  for (const std::string& answer : answers) command += "read -r line; echo '" + answer + "'; ";
  return command + "cat > /dev/null";
}

class LineAgentTest : public testing::Test {
 protected:
  LineAgentTest() : setup_{.space = {"grid", {}}, .budget = Budget{64, {}}, .seed = 7} {
    for (const char* value : {"X[i, j] + 1", "X[i, j] * 2"}) {
      setup_.tasks.push_back({GridTask(value)});
    }
    space_.has_sketch = true;
  }

  std::unique_ptr<Agent> Make(const std::string& command) {
    setup_.agent = {"process", {{"command", {command}}}};
    return MakeLineAgent({setup_, space_, Rng(1), maker_, clock_, StopToken(&stop_), {}});
  }
  // The error of its setup or of its first proposals.
  std::string FaultOf(const std::vector<std::string>& answers) {
    try {
      Make(Says(answers))->Propose(0, 2);
    } catch (const InputError& fault) {
      const std::string text = fault.what();
      return text.substr(text.rfind("/dev/null'") + 10);
    }
    return "";
  }

  AgentSetup setup_;
  GridSpace space_{3};
  const AgentMaker maker_ = BuiltinAgentMaker();
  const SteadyClock clock_;
  std::atomic<bool> stop_ = false;
};

TEST_F(LineAgentTest, ProposesAndHearsWhatBecameOfIt) {
  const auto agent =
      Make(Says({R"({"id":1})", R"({"id":2,"proposals":[{"sketch":0,"point":[2,1]}]})",
                 R"({"id":3})", R"({"id":4,"proposals":[]})"}));
  EXPECT_THAT(GridRound(*agent, 1, 2, AwayFrom({0, 0})), ElementsAre(GridPlace{2, 1}));
  EXPECT_THAT(GridRound(*agent, 1, 2, AwayFrom({0, 0})), IsEmpty());
}

// Rejected proposals cost no trials.
TEST_F(LineAgentTest, IsAskedAgainWhereAllWasRefused) {
  const auto agent =
      Make(Says({R"({"id":1})", R"({"id":2,"proposals":[{"sketch":0,"point":[9,1]}]})",
                 R"({"id":3})", R"({"id":4,"proposals":[{"sketch":0,"point":[1,1]}]})"}));
  EXPECT_THAT(StatesOf(agent->Propose(0, 2)), testing::SizeIs(1));
}

// The task's search ends; other tasks continue.
TEST_F(LineAgentTest, AnExhaustedSpaceEndsItsTask) {
  space_.admits = [](const GridPlace&) { return false; };
  const auto agent = Make(Says({R"({"id":1})", R"({"id":2,"proposals":[{"sample":2}]})"}));
  EXPECT_THAT(agent->Propose(0, 2), IsEmpty());
}

TEST_F(LineAgentTest, WhoeverIsRefusedForeverIsGivenUp) {
  const auto agent = Make(
      "i=1; while read -r line; do case $line in"
      " *propose*) echo "
      "\"{\\\"id\\\":$i,\\\"proposals\\\":[{\\\"sketch\\\":5,\\\"point\\\":[]}]}\";;"
      " *) echo \"{\\\"id\\\":$i}\";; esac; i=$((i+1)); done");
  try {
    agent->Propose(0, 2);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(),
                HasSubstr("1000 proposals in a row were refused, the last: proposals[0].sketch: "
                          "found 5, expected 0 to 0"));
  }
}

TEST_F(LineAgentTest, WhatIsWrongIsOneLineThatNamesTheField) {
  EXPECT_EQ(FaultOf({R"({"id":1,"error":"no such option","field":"options.x"})"}),
            ": options.x: no such option");
  EXPECT_THAT(FaultOf({"ready"}), StartsWith(": found \"ready\", expected a line of JSON"));
  EXPECT_EQ(FaultOf({R"({"id":2})"}), ": id: found 2, expected 1");
  EXPECT_EQ(FaultOf({R"({"id":1})", R"({"id":2,"proposals":[{"sample":"2"}]})"}),
            ": proposals[0].sample: found \"2\", expected a whole number from 1 to 1000000");
  EXPECT_EQ(FaultOf({R"({"id":1})", R"({"id":2,"proposals":[{"sample":2},{"sample":1}]})"}),
            ": proposals: found 3 schedules, expected at most 2");
}

TEST_F(LineAgentTest, OneThatEndsIsTheUsersFault) {
  try {
    Make("echo 'not here' >&2; exit 3");
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(),
                 "agent 'echo 'not here' >&2; exit 3' ended: exit 3, saying: not here");
  }
}

// Otherwise the shell would keep the pipe open.
TEST_F(LineAgentTest, OneThatClosesItsOutputIsNoticedAtOnce) {
  const std::string script = testing::TempDir() + "closes.sh";
  std::ofstream(script) << "echo 'enough' >&2\nexec >&-\nexec sleep 1000\n";
  try {
    Make("sh " + script);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_EQ(fault.what(), "agent 'sh " + script +
                                "' closed its output and went on running, expected an answer; it "
                                "said: enough");
  }
}

TEST_F(LineAgentTest, NoCommandIsRefusedAndNoTasksStartNone) {
  setup_.agent = {"process", {}};
  EXPECT_THROW(MakeLineAgent({setup_, space_, Rng(1), maker_, clock_}), InputError);
  setup_.tasks.clear();
  EXPECT_TRUE(Make("touch started.txt; exit 1")->Propose(0, 1).empty());
}

TEST_F(LineAgentTest, OneThatIsSilentEndsWithTheSearch) {
  const auto agent = Make(Says({R"({"id":1})"}));
  stop_ = true;
  EXPECT_THROW(agent->Propose(0, 2), Interrupted);
  EXPECT_NO_THROW(agent->Learn({})) << "it hears no more";
}

TEST_F(LineAgentTest, OneThatIsSilentEndsWithTheSearchsSeconds) {
  setup_.budget->seconds = 0.05;
  const auto agent = Make(Says({R"({"id":1})"}));
  EXPECT_THROW(agent->Propose(0, 2), Interrupted);
}

}  // namespace
}  // namespace schedulegym
