#include "agents/decisions/decision_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/builtin_agents.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/features/analytical_cost.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/fake_clock.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Draws, and records its calls.
class NotingSearch : public DecisionSearch {
 public:
  NotingSearch(const DecisionSearchContext& ground, std::vector<std::string>& log)
      : ground_(ground), log_(log) {}

  std::vector<Proposal> Propose(int count) override {
    log_.push_back("propose " + std::to_string(count) + " of " +
                   (ground_.trials ? std::to_string(*ground_.trials) : "any"));
    std::vector<Proposal> proposals;
    while (static_cast<int>(proposals.size()) < count) {
      proposals.push_back(ProposalOf(ground_.space.Sample(ground_.task, ground_.rng).value()));
      ground_.memory.seen.insert(proposals.back().key);
    }
    return proposals;
  }
  void Learn(const Trial& trial) override {
    log_.push_back(std::string("learn ") + TrialStatusName(trial.told) + ", known " +
                   std::to_string(ground_.memory.measured.size()));
  }
  std::vector<TreeView> Views() const override {
    TreeView view;
    view.task = ground_.task->name;
    view.nodes.emplace_back();
    return {view};
  }

 private:
  DecisionSearchContext ground_;
  std::vector<std::string>& log_;
};

class DecisionAgentTest : public testing::Test {
 protected:
  DecisionAgentTest() {
    setup_.tasks = {{TwoSketchSpace::SmallTask()}, {TwoSketchSpace::SmallTask()}};
  }

  std::unique_ptr<Agent> Make(const DecisionAgentOptions& options) {
    return MakeIn(space_, options);
  }

  std::unique_ptr<Agent> MakeIn(const SearchSpace& space, const DecisionAgentOptions& options) {
    return MakeDecisionAgent(options,
                             [this](const DecisionSearchContext& ground) {
                               return std::make_unique<NotingSearch>(ground, log_);
                             },
                             {setup_, space, Rng(1), maker_, clock_});
  }

  static DecisionAgentOptions WithModel() {
    return {.who = "agent some",
            .model = StagedModelOptions{StagedModelOptions::Kind::kAnalytical}};
  }

  TwoSketchSpace space_;
  AgentSetup setup_;
  AgentMaker maker_ = BuiltinAgentMaker();
  FakeClock clock_;
  std::vector<std::string> log_;
};

TEST_F(DecisionAgentTest, TheMemoryHearsOfATrialBeforeTheSearch) {
  setup_.budget = Budget{40};
  const auto agent = Make({.who = "agent some"});
  const auto proposals = agent->Propose(0, 2);
  EXPECT_EQ(proposals[0].note, "");
  Trial lost = TimedTrial(proposals[1], 1.0);
  lost.told = TrialStatus::kSaysNothing;
  agent->Learn(std::vector<Trial>{TimedTrial(proposals[0], 1.0), lost});
  EXPECT_THAT(log_, ElementsAre("propose 2 of 20", "learn measured, known 1",
                                "learn says_nothing, known 1"));
  EXPECT_EQ(agent->memory(), nullptr);
}

TEST_F(DecisionAgentTest, EachTaskHasASearchOfItsOwn) {
  const auto agent = Make({.who = "agent some"});
  const auto proposals = agent->Propose(1, 1);
  EXPECT_EQ(agent->Propose(0, 1).size(), 1u);
  log_.clear();
  agent->Learn(std::vector<Trial>{TimedTrial(proposals[0], 1.0, 1)});
  EXPECT_THAT(log_, ElementsAre("learn measured, known 1")) << "the other does not hear of it";
}

TEST_F(DecisionAgentTest, WhatIsKnownBeforehandIsRemembered) {
  const auto agent = Make(WithModel());
  Rng rng(1);
  const ScheduleState known = space_.Sample(setup_.tasks[0].task, rng).value();
  agent->Learn(std::vector<Trial>{KnownTrial(known, 2.0)});
  EXPECT_TRUE(log_.empty());
  const auto proposals = agent->Propose(0, 1);
  agent->Learn(std::vector<Trial>{TimedTrial(proposals[0], 1.0)});
  EXPECT_THAT(log_, ElementsAre("propose 1 of any", "learn measured, known 2"));
}

TEST_F(DecisionAgentTest, ProposalsHaveTheModelsWord) {
  const auto agent = Make(WithModel());
  for (const Proposal& one : agent->Propose(0, 5)) {
    const Spec note = ParseSpec(one.note).value();
    EXPECT_EQ(note.name, "predicted");
    SpecReader reader(note, "note");
    EXPECT_DOUBLE_EQ(reader.Number("seconds", 0), EstimateCost(one.state).Seconds());
    reader.Finish();
  }
}

TEST_F(DecisionAgentTest, ChanceHasNoWord) {
  const auto agent =
      Make({.who = "agent some", .model = StagedModelOptions{StagedModelOptions::Kind::kRandom}});
  EXPECT_EQ(agent->Propose(0, 1)[0].note, "");
}

TEST_F(DecisionAgentTest, TheModelThatLearnsMayBeSaved) {
  const auto agent = Make({.who = "agent some", .model = StagedModelOptions{}});
  ASSERT_NE(agent->memory(), nullptr);
  EXPECT_EQ(agent->memory()->Save(), std::nullopt) << "nothing is learned yet";
  const auto proposals = agent->Propose(0, 3);
  std::vector<Trial> trials;
  for (const Proposal& one : proposals) trials.push_back(TimedTrial(one, 1.0));
  agent->Learn(trials);
  EXPECT_NE(agent->memory()->Save(), std::nullopt);
}

TEST_F(DecisionAgentTest, LeavesItsTreesAfterEachBatch) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("tree.json");
  const auto agent = Make({.who = "agent some", .tree_file = path});
  EXPECT_TRUE(folder.Names().empty());
  const auto proposals = agent->Propose(0, 1);
  agent->Learn(std::vector<Trial>{TimedTrial(proposals[0], 1.0)});
  const auto views = ParseTreeViews(ReadUntrustedFile(path, kTreeFile), path);
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].task, "small");
  EXPECT_THAT(folder.Names(), ElementsAre("tree.json"));
}

TEST_F(DecisionAgentTest, AnUnwritablePlaceIsKnownBeforehand) {
  EXPECT_THROW(Make({.who = "agent some", .tree_file = "/nowhere/at/all.json"}), InputError);
}

TEST_F(DecisionAgentTest, ASpaceWithoutSketchesIsRefused) {
  const SplitSpace space;
  try {
    MakeIn(space, {.who = "agent some"});
    FAIL() << "took a space without sketches";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("agent some: space split has no sketches"));
  }
}

}  // namespace
}  // namespace schedulegym
