#include "agents/mcts/mcts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agents/decisions/tree_view.h"
#include "env/base/files.h"
#include "spaces/ansor/sketch_space.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/decisions/agent_search.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

class MctsTest : public testing::TestWithParam<std::string> {
 protected:
  static std::shared_ptr<const Task> Matmul() {
    return WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
  }
};

INSTANTIATE_TEST_SUITE_P(
    Forms, MctsTest,
    testing::Values("mcts(iterations=256, round=16)",
                    "mcts(iterations=256, round=16, mode=faithful)",
                    "mcts(iterations=256, round=16, branching=2, trees=4, leaves=8)",
                    "mcts(form=puct, iterations=256, round=16)",
                    "mcts(form=puct, prior=uniform, iterations=256, round=16)",
                    "mcts(form=measured)", "mcts(reward=measured)",
                    "mcts(form=protuner, iterations=128)",
                    "mcts(form=protuner, iterations=128, measure=0)",
                    "mcts(form=protuner, iterations=128, selection=additive, constant=10)",
                    "mcts(actions=modify, iterations=256, round=16)"),
    [](const auto& info) { return "form" + std::to_string(info.index); });

TEST_P(MctsTest, KeepsWhatEverySearchKeeps) { ExpectAllThatHolds(GetParam()); }

// Before its model is trained a search proposes drawn schedules; faithful forms do not wait for it.
TEST_F(MctsTest, NoSearchGoesByGuesses) {
  const TwoSketchSpace space;
  const auto drawn = [&](const std::string& spec) {
    int count = 0;
    for (const Proposal& one :
         SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 80, TwoSketchSeconds)) {
      count += one.note == "drawn" ? 1 : 0;
    }
    return count;
  };
  const std::string few = ", iterations=256, round=16";
  for (const std::string& spec :
       {"mcts(features=ansor" + few + ")", "mcts(form=puct, features=ansor" + few + ")",
        "mcts(mode=faithful, waits=true, features=ansor" + few + ")",
        std::string("beam(features=ansor, width=4, passes=2)"),
        std::string("greedy(features=ansor)"), std::string("guided(features=ansor, samples=8)")}) {
    EXPECT_EQ(drawn(spec), 64) << spec << ": of 16 at once, those before 49 are known";
    ExpectAllThatHolds(spec);
  }
  for (const std::string& spec :
       {"mcts(" + few.substr(2) + ")", "mcts(model=random" + few + ")",
        "mcts(mode=faithful, features=ansor" + few + ")",
        "mcts(waits=false, features=ansor" + few + ")",
        std::string("mcts(form=protuner, features=ansor, iterations=128)")}) {
    EXPECT_EQ(drawn(spec), 0) << spec;
  }
}

// On a machine that equals the analytical model, which the model is or learns.
TEST_P(MctsTest, FindsFasterSchedulesThanChanceAndRepeats) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  double searched = 0, drawn = 0;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto search = [&] {
      return SearchBy({GetParam(), *space, seed}, Matmul(), 96, EstimatedSeconds);
    };
    const auto all = search();
    if (seed == 1) {
      EXPECT_EQ(KeysOf(all), KeysOf(search()));
    }
    double best = 1, by_chance = 1;
    for (const Proposal& one : all) best = std::min(best, *EstimatedSeconds(one.state));
    Rng rng(seed);
    for (int i = 0; i < 96; ++i) {
      const auto state = space->Sample(Matmul(), rng);
      if (state && space->Admit(*state)) by_chance = std::min(by_chance, *EstimatedSeconds(*state));
    }
    searched += std::log(best);
    drawn += std::log(by_chance);
  }
  EXPECT_LT(searched, drawn);
}

// A few steps from the unoptimised schedule need not beat random search.
TEST_F(MctsTest, WalksByModifyInEveryForm) {
  ExpectAllThatHolds("mcts(actions=modify, form=protuner, iterations=128)");
  ExpectAllThatHolds("mcts(actions=modify, form=measured)");
}

// Machines with one core and with two, which differ only in the number of threads: past the first
// 48 trials by trees without the analytical model.
TEST_F(MctsTest, OneThreadAndTwoProposeTheSame) {
  const TwoSketchSpace space;
  const auto traces = [&](const std::string& spec, int cores) {
    Task task = *TwoSketchSpace::SmallTask();
    task.target.cores = cores;
    std::vector<std::string> all;
    for (const Proposal& one :
         SearchBy({spec, space}, std::make_shared<const Task>(task), 80, TwoSketchSeconds)) {
      all.push_back(one.state.TraceText());
    }
    return all;
  };
  const std::string few = "features=ansor, iterations=128";
  for (const std::string& spec :
       {"mcts(round=16, " + few + ")", "mcts(mode=faithful, round=16, " + few + ")",
        "mcts(trees=4, leaves=8, virtual_loss=3, round=16, " + few + ")",
        "mcts(form=puct, round=16, " + few + ")", "mcts(form=protuner, " + few + ")",
        std::string("mcts(form=measured)"), std::string("mcts(reward=measured)"),
        "mcts(actions=modify, round=16, " + few + ")",
        std::string("beam(width=4, passes=2, features=ansor)"),
        std::string("beam(reward=measured)"), std::string("guided(samples=8, features=ansor)"),
        std::string("greedy(features=ansor)")}) {
    const std::vector<std::string> one = traces(spec, 1);
    EXPECT_GE(one.size(), 40u) << spec;
    EXPECT_EQ(one, traces(spec, 2)) << spec;
  }
}

TEST_F(MctsTest, APolicyIsNotToBeHadEverywhere) {
  const TwoSketchSpace space;
  EXPECT_THROW(SingleTaskAgent(ParseSpec("mcts(actions=modify,prior=policy(file=a.sgp))").value(),
                               space, {TwoSketchSpace::SmallTask()}, Rng(1)),
               MachineError);
}

// With neighbours of the best among completions and proposals, and without.
TEST_F(MctsTest, ConstructsSchedulesAndRepeats) {
  for (const char* name : {"ansor", "schedulegym"}) {
    const auto space = MakeSpace(ParseSpec(name).value());
    for (const std::string neighbours : {"", ", near=0, local=0"}) {
      const std::string spec = "mcts(actions=construct, iterations=32, round=16" + neighbours + ")";
      const auto keys = [&] {
        return KeysOf(SearchBy({spec, *space}, WorkloadTask("matmul(m=8,n=8,k=8)", Avx2Target(2)),
                               32, EstimatedSeconds));
      };
      const std::vector<Key> first = keys();
      EXPECT_EQ(first.size(), 32u) << spec << " in " << name;
      EXPECT_EQ(std::set<Key>(first.begin(), first.end()).size(), 32u) << spec << " in " << name;
      EXPECT_EQ(keys(), first) << spec << " in " << name;
    }
  }
}

TEST_F(MctsTest, ConstructsNothingWhereSchedulesAreRecorded) {
  EXPECT_EQ(RefusalOf("mcts(actions=construct)"),
            "agent mcts: actions=construct in the space 'two_sketches', expected schedulegym or "
            "ansor");
}

TEST_F(MctsTest, LeavesATreeThatCanBeReadAgain) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("tree.json");
  const TwoSketchSpace space;
  SearchBy({"mcts(iterations=256, tree=\"" + path + "\")", space}, TwoSketchSpace::SmallTask(), 32,
           TwoSketchSeconds);
  const auto views = ParseTreeViews(ReadUntrustedFile(path, kTreeFile), path);
  ASSERT_EQ(views.size(), 2u);  // one completes places at random, one greedily
  EXPECT_GT(views[0].nodes.size(), 20u);
  EXPECT_TRUE(views[0].nodes[0].seconds);
  const auto path_of_best = PrincipalVariation(views[0]);
  EXPECT_GT(path_of_best.size(), 2u);
  EXPECT_THAT(views[0].nodes[path_of_best[1]].word, testing::StartsWith("sketch "));
}

}  // namespace
}  // namespace schedulegym
