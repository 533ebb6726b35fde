#include "agents/learned/harl/harl_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/env/gym/split_sketches.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

SketchChoice Fresh(int sketches) { return {SlidingWindowBandit(sketches, {}), Rng(1)}; }

TEST(SketchChoiceTest, TheBanditTakesWhatIsNotTriedThenTheBest) {
  SketchChoice choice = Fresh(4);
  EXPECT_THAT(ChooseSketches(choice, 1, true), ElementsAre(0));
  EXPECT_THAT(ChooseSketches(choice, 3, true), ElementsAre(0, 1, 2));
  for (int sketch = 0; sketch < 4; ++sketch) choice.bandit.Learn(sketch, sketch == 2 ? 1 : 0.1);
  EXPECT_THAT(ChooseSketches(choice, 2, true), ElementsAre(2, 0));
  EXPECT_THAT(ChooseSketches(choice, 9, true), testing::SizeIs(4)) << "each once";
}

TEST(SketchChoiceTest, WithoutItEachIsAsLikely) {
  SketchChoice choice = Fresh(3);
  std::set<std::vector<int>> pairs;
  for (int i = 0; i < 100; ++i) {
    const std::vector<int> pair = ChooseSketches(choice, 2, false);
    ASSERT_EQ(pair.size(), 2U);
    EXPECT_NE(pair[0], pair[1]);
    pairs.insert(pair);
  }
  EXPECT_EQ(pairs.size(), 6U);
}

TEST(SketchChoiceTest, ASketchIsPaidByTheBestOfItsPart) {
  SketchChoice choice = Fresh(4);
  SearchModelState memory;
  const Sketch sketch = SplitSketch(Loop24Task(), 3);
  const auto measure = [&](uint64_t key, double seconds) {
    memory.measured.insert({Key{0, key}, {sketch.state, {0, key}, seconds}});
  };
  measure(1, 4);
  measure(2, 2);
  measure(3, 8);
  measure(9, 1);  // from an earlier round
  choice.trials = {{3, {}}};
  NoteProposal(choice, 0, {0, 1});
  NoteProposal(choice, 1, {0, 3});
  NoteProposal(choice, 0, {0, 2});
  NoteProposal(choice, 1, {0, 7});  // failed
  PaySketches(choice, memory);
  const std::vector<ArmPull> pulls(choice.bandit.pulls().begin(), choice.bandit.pulls().end());
  EXPECT_EQ(pulls, (std::vector<ArmPull>{{3, 0}, {0, 0.5}, {1, 0.125}}));
  EXPECT_TRUE(choice.trials.empty());
  PaySketches(choice, memory);
  EXPECT_EQ(choice.bandit.pulls().size(), 3U) << "once";
}

}  // namespace
}  // namespace schedulegym
