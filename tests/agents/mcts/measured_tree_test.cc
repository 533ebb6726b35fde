#include "agents/mcts/measured_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agents/decisions/decision_place.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

MeasuredTreeOptions Tinygrad() {
  return {.tree = {.selection = {.kind = SelectionKind::kSoftmax},
                   .value = NodeValue::kBest,
                   .scale = ValueScale::kHighest},
          .takes_speeds = true};
}

MeasuredTreeOptions Improved() {
  return {.tree = {.selection = {.constant = 1},
                   .value = NodeValue::kMixed,
                   .scale = ValueScale::kRange,
                   .joins = true,
                   .virtual_loss = 1},
          .local = 0.2};
}

class MeasuredTreeTest : public testing::Test {
 protected:
  void Make(const MeasuredTreeOptions& options, uint64_t seed = 1) {
    memory_ = {};
    tree_.emplace(DecisionSearchContext{space_, task_, memory_, nullptr, std::nullopt, Rng(seed)},
                  FirstDecision(space_.Sketches(task_), DecisionOrder::kOutputsFirst), options);
  }

  void Tell(const Trial& trial) {
    memory_.Take(trial);
    tree_->Learn(trial);
  }

  // Measures up to `count` proposals; returns the seconds of each.
  std::vector<double> Search(int count) {
    std::vector<double> seconds;
    while (static_cast<int>(seconds.size()) < count) {
      const auto proposals = tree_->Propose(std::min(8, count - static_cast<int>(seconds.size())));
      if (proposals.empty()) break;
      for (const Proposal& one : proposals) {
        seconds.push_back(TwoSketchSeconds(one.state));
        Tell(TimedTrial(one, seconds.back()));
      }
    }
    return seconds;
  }

  TwoSketchSpace space_;
  std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  SearchModelState memory_;
  std::optional<MeasuredTree> tree_;
};

TEST_F(MeasuredTreeTest, EachNewNodeIsMeasuredOnce) {
  Make(Tinygrad());
  std::set<Key> keys;
  for (int i = 0; i < 6; ++i) {
    const auto proposals = tree_->Propose(8);
    EXPECT_EQ(proposals.size(), 8u);
    for (const Proposal& one : proposals) {
      EXPECT_TRUE(keys.insert(one.key).second);
      Tell(TimedTrial(one, TwoSketchSeconds(one.state)));
    }
  }
}

TEST_F(MeasuredTreeTest, FindsFastSchedulesSoonerThanChance) {
  for (const MeasuredTreeOptions& options : {Tinygrad(), Improved()}) {
    double searched = 0, drawn = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Make(options, seed);
      searched += std::ranges::min(Search(80));
      Rng rng(seed);
      double best = 100;
      for (int i = 0; i < 80; ++i) {
        best = std::min(best, TwoSketchSeconds(space_.Sample(task_, rng).value()));
      }
      drawn += best;
    }
    EXPECT_LT(searched, drawn);
  }
}

TEST_F(MeasuredTreeTest, SeesTheWholeSpaceAndEnds) {
  Make(Improved());
  const auto seconds = Search(10'000);
  EXPECT_EQ(std::ssize(seconds), TwoSketchSpace::kSchedules);
  EXPECT_DOUBLE_EQ(*std::ranges::min_element(seconds), kBestTwoSketchSeconds);
  EXPECT_TRUE(tree_->Propose(8).empty());
}

TEST_F(MeasuredTreeTest, WhatIsKnownIsCountedAndNotMeasured) {
  Make(Tinygrad());
  // The whole grid is known except the parallel schedules.
  for (const Sketch& sketch : space_.Sketches(task_)) {
    for (KnobIndex i = 0; i < sketch.knobs->size(); ++i) {
      const auto state = sketch.knobs->At(sketch.knobs->PointOf(i));
      if (!state || state->TraceText().find("parallel") != std::string::npos) continue;
      memory_.Take(KnownTrial(*state, TwoSketchSeconds(*state)));
    }
  }
  const auto seconds = Search(10'000);
  EXPECT_EQ(seconds.size(), 30u * 3 * 3);
  EXPECT_GT(tree_->Views()[0].nodes[0].visits, 30 * 3 * 3);
}

TEST_F(MeasuredTreeTest, WhatIsMeasuredAgainReplacesWhatItWasTold) {
  for (const MeasuredTreeOptions& options : {Tinygrad(), Improved()}) {
    Make(options);
    const std::vector<Proposal> proposals = tree_->Propose(8);
    for (const Proposal& one : proposals)
      Tell(TimedTrial(one, one.key == proposals[3].key ? 1 : 5));
    EXPECT_EQ(tree_->Views()[0].nodes[0].seconds, 1);
    Trial again = TimedTrial(proposals[3], 8.0);
    again.told = TrialStatus::kRevised;
    Tell(again);
    const ViewNode root = tree_->Views()[0].nodes[0];
    EXPECT_EQ(root.seconds, 5);
    EXPECT_EQ(root.visits, 8);
    EXPECT_DOUBLE_EQ(*root.best, options.takes_speeds ? 0.2 : -std::log(5));
  }
}

TEST_F(MeasuredTreeTest, SurvivesThatAllFails) {
  for (const MeasuredTreeOptions& options : {Tinygrad(), Improved()}) {
    Make(options);
    for (int i = 0; i < 20; ++i) {
      for (const Proposal& one : tree_->Propose(8)) Tell(TimedTrial(one, std::nullopt));
    }
    EXPECT_EQ(memory_.seen.size(), 160u);
  }
}

TEST_F(MeasuredTreeTest, WhatWasNotReachedMayComeAgain) {
  Make(Improved());
  for (const Proposal& one : tree_->Propose(8)) {
    Trial lost = TimedTrial(one, 1.0);
    lost.told = TrialStatus::kNotReached;
    lost.record = nullptr;
    Tell(lost);
  }
  EXPECT_EQ(tree_->Views()[0].nodes[0].visits, 0);
  EXPECT_EQ(std::ssize(Search(10'000)), TwoSketchSpace::kSchedules);
}

TEST_F(MeasuredTreeTest, NothingRefusedIsProposed) {
  const auto refuses = [](const ScheduleState& state) {
    return state.TraceText().find("parallel") != std::string::npos;
  };
  const TwoSketchSpace strict(refuses);
  MeasuredTree tree({strict, task_, memory_, nullptr, std::nullopt, Rng(1)},
                    FirstDecision(strict.Sketches(task_), DecisionOrder::kOutputsFirst),
                    Improved());
  for (int i = 0; i < 10; ++i) {
    for (const Proposal& one : tree.Propose(8)) {
      EXPECT_FALSE(refuses(one.state));
      const Trial trial = TimedTrial(one, TwoSketchSeconds(one.state));
      memory_.Take(trial);
      tree.Learn(trial);
    }
  }
}

TEST_F(MeasuredTreeTest, EqualSeedsProposeEqually) {
  for (const MeasuredTreeOptions& options : {Tinygrad(), Improved()}) {
    Make(options, 3);
    const auto one = Search(60);
    Make(options, 3);
    EXPECT_EQ(one, Search(60));
  }
}

// With `waits` an untrained model's guesses do not change the tree.
TEST_F(MeasuredTreeTest, APriorWaitsForAModelThatGuesses) {
  const auto root = FirstDecision(space_.Sketches(task_), DecisionOrder::kOutputsFirst);
  const auto keys = [&](bool waits, uint64_t chance) {
    StagedCostModel model({.features = ModelFeatures::kAnsor}, Rng(chance));
    SearchModelState memory;
    MeasuredTreeOptions options = Improved();
    options.tree.selection.kind = SelectionKind::kPuct;
    options.model_prior = true;
    options.waits = waits;
    MeasuredTree tree({space_, task_, memory, &model, std::nullopt, Rng(1)}, root, options);
    std::vector<Key> proposed;
    for (const Proposal& one : tree.Propose(24)) proposed.push_back(one.key);
    return proposed;
  };
  EXPECT_EQ(keys(true, 1), keys(true, 2));
  EXPECT_NE(keys(false, 1), keys(false, 2));
}

TEST_F(MeasuredTreeTest, ItsViewHasWhatWasMeasured) {
  Make(Improved());
  const auto seconds = Search(40);
  const TreeView view = tree_->Views().at(0);
  EXPECT_EQ(view.task, "small");
  ASSERT_TRUE(view.nodes[0].seconds);
  // Neighbours of the best are not in the tree.
  EXPECT_GE(*view.nodes[0].seconds, *std::ranges::min_element(seconds));
  EXPECT_NEAR(*view.nodes[0].best, -std::log(*view.nodes[0].seconds), 1e-9);
}

}  // namespace
}  // namespace schedulegym
