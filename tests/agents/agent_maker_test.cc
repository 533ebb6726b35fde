#include "agents/agent_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class NoAgent : public Agent {
  std::vector<Proposal> Propose(int, int) override { return {}; }
};

class AgentMakerTest : public testing::Test {
 protected:
  AgentContext Context(const std::string& agent, int tasks = 0) {
    setup_.agent = ParseSpec(agent).value();
    setup_.tasks.assign(tasks, {VectorTask(8)});
    return {setup_, space_, Rng(3), maker_, clock_};
  }

  AgentEntry Entry(const std::string& name) {
    return {name, "", "", [this, name](const AgentContext& context) {
              made_.push_back(name + " " + context.setup.agent.ToText());
              return std::make_unique<NoAgent>();
            }};
  }

  const SplitSpace space_;
  const FakeClock clock_;
  const AgentMaker maker_ = BuiltinAgentMaker();
  AgentSetup setup_;
  std::vector<std::string> made_;
};

TEST_F(AgentMakerTest, FindsAgentsAndRefinersByTheirNames) {
  const AgentMaker maker(AgentRegistry("agent", {Entry("a"), Entry("b")}),
                         AgentRegistry("refiner", {Entry("r")}));
  EXPECT_NE(maker.Make(Context("b(x=1)")), nullptr);
  EXPECT_NE(maker.MakeRefiner(Context("r")), nullptr);
  EXPECT_THAT(made_, testing::ElementsAre("b b(x=1)", "r r"));
  EXPECT_THROW(maker.Make(Context("r")), InputError);
  EXPECT_THROW(maker.MakeRefiner(Context("a")), InputError);
}

TEST_F(AgentMakerTest, AMakerThatGivesNoneIsRefused) {
  const AgentMaker maker(
      AgentRegistry("agent", {{"a", "", "", [](const AgentContext&) { return nullptr; }}}));
  try {
    maker.Make(Context("a"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "agent a: its maker gave none");
  }
}

TEST_F(AgentMakerTest, AnUnknownNameListsTheKnown) {
  const auto refusal = [&](const auto& make) {
    try {
      make();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string agent = refusal([&] { maker_.Make(Context("randon")); });
  EXPECT_THAT(agent, HasSubstr("unknown agent 'randon'"));
  EXPECT_THAT(agent, HasSubstr("did you mean 'random'"));
  EXPECT_EQ(refusal([&] { maker_.MakeRefiner(Context("ansor")); }),
            "unknown refiner 'ansor': expected droplet");
}

// --- random streams ---

std::vector<uint64_t> Draws(std::vector<Rng> streams) {
  std::vector<uint64_t> draws;
  for (Rng& rng : streams) draws.push_back(rng.Next());
  return draws;
}

TEST_F(AgentMakerTest, ASingleTaskHasTheStreamToItself) {
  Rng run(7);
  AgentContext context = Context("random", 1);
  context.rng = DrawAgentStream(1, run);
  Rng expected(7);
  EXPECT_EQ(Draws(TaskStreams(context)), Draws({expected.Split()}));
  EXPECT_EQ(run.Next(), expected.Next());
}

TEST_F(AgentMakerTest, SeveralHaveOneEachAndTheRunGoesOnBehindThem) {
  Rng run(7);
  AgentContext context = Context("random", 3);
  context.rng = DrawAgentStream(3, run);
  Rng expected(7);
  std::vector<Rng> streams;
  for (int i = 0; i < 3; ++i) streams.push_back(expected.Split());
  EXPECT_EQ(Draws(TaskStreams(context)), Draws(streams));
  EXPECT_EQ(run.Next(), expected.Next());
}

}  // namespace
}  // namespace schedulegym
