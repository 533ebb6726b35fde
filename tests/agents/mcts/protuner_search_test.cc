#include "agents/mcts/protuner_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agents/decisions/decision_place.h"
#include "env/features/analytical_cost.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

ProtunerOptions Small(int measured = 4) {
  ProtunerOptions options;
  options.ensemble.trees = 4;
  options.iterations = 200;
  options.measured = measured;
  return options;
}

// A place with a single choice; counts how often it is taken.
class OneWayPlace : public TreePlace {
 public:
  OneWayPlace(std::shared_ptr<const TreePlace> next, int& gone)
      : next_(std::move(next)), gone_(gone) {}

  int choices() const override { return 1; }
  std::shared_ptr<const TreePlace> After(int) const override {
    ++gone_;
    return next_;
  }
  Result<ScheduleState> Complete(Rng& rng) const override { return next_->Complete(rng); }
  Key key() const override {
    Hasher hasher;
    hasher.Add(next_->key().high);
    return hasher.KeyValue();
  }
  std::string Word(int) const override { return "the only way"; }

 private:
  std::shared_ptr<const TreePlace> next_;
  int& gone_;
};

class ProtunerSearchTest : public testing::Test {
 protected:
  void Make(const ProtunerOptions& options, std::optional<int64_t> trials = std::nullopt,
            uint64_t seed = 1, const Clock* clock = nullptr, int singles = 0) {
    memory_ = {};
    gone_ = 0;
    model_.emplace(StagedModelOptions{StagedModelOptions::Kind::kAnalytical}, Rng(1));
    const std::vector<Sketch> sketches = space_.Sketches(task_);
    auto root = FirstDecision(sketches, DecisionOrder::kOutputsFirst);
    for (int i = 0; i < singles; ++i) root = std::make_shared<OneWayPlace>(std::move(root), gone_);
    search_.emplace(DecisionSearchContext{space_, task_, memory_, &*model_, trials, Rng(seed),
                                          StopToken(), clock},
                    std::move(root), MostDecisions(sketches) + singles, options);
  }

  std::vector<Proposal> Ask(int count, std::optional<double> seconds) {
    const auto proposals = search_->Propose(count);
    for (const Proposal& one : proposals) {
      const Trial trial = TimedTrial(one, seconds ? TwoSketchSeconds(one.state) : seconds);
      memory_.Take(trial);
      search_->Learn(trial);
    }
    return proposals;
  }

  TwoSketchSpace space_;
  std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  SearchModelState memory_;
  int gone_ = 0;  // choices taken at places with a single one
  std::optional<StagedCostModel> model_;
  std::optional<ProtunerSearch> search_;
};

TEST_F(ProtunerSearchTest, TheTreesBestAreMeasuredAtEachDecision) {
  Make(Small());
  std::set<Key> keys;
  for (int i = 0; i < 5; ++i) {
    const auto proposals = Ask(16, 1);
    EXPECT_LE(proposals.size(), 4u);
    EXPECT_FALSE(proposals.empty());
    for (const Proposal& one : proposals) EXPECT_TRUE(keys.insert(one.key).second);
  }
}

// A batch may be smaller than a decision's candidates: the decision waits for all of them.
TEST_F(ProtunerSearchTest, AnswersAsManyAsAreAskedFor) {
  Make(Small());
  for (int i = 0; i < 12; ++i) EXPECT_EQ(Ask(1, 1).size(), 1u);
}

// The fastest measured candidate decides, whatever the model predicts. With every parallel
// candidate measured as fastest, the descent soon has no others.
TEST_F(ProtunerSearchTest, TheWinnerIsChosenByMeasurement) {
  int decided = 0, rounds = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Make(Small(), std::nullopt, seed);
    std::vector<Proposal> first = search_->Propose(16);
    if (first.size() < 2) continue;
    // The last has the worst prediction.
    for (size_t i = 0; i < first.size(); ++i) {
      const Trial trial = TimedTrial(first[i], i + 1 == first.size() ? 0.001 : 1.0);
      memory_.Take(trial);
      search_->Learn(trial);
    }
    const auto is_of_a = [](const Proposal& one) {
      return one.state.TraceText().find("split(stage=A") != std::string::npos;
    };
    for (const Proposal& one : search_->Propose(16)) {
      ++rounds;
      decided += is_of_a(one) == is_of_a(first.back());
    }
  }
  EXPECT_GT(rounds, 5);
  EXPECT_EQ(decided, rounds);
}

TEST_F(ProtunerSearchTest, ADescentTakesAThirdOfTheTrials) {
  // Few rollouts each, so that their best schedules differ.
  ProtunerOptions options = Small(8);
  options.ensemble.trees = 8;
  options.iterations = 64;
  // Six decisions in 36 / 3 trials: two each.
  Make(options, 36);
  EXPECT_LE(search_->Propose(16).size(), 2u);
  Make(options, 1000);
  EXPECT_GT(search_->Propose(16).size(), 2u);
}

// The whole descent: late decisions cannot use the trials of early ones. A descent starts with the
// single choice that leads to its first decision.
TEST_F(ProtunerSearchTest, AWholeDescentTakesAThirdOfTheTrials) {
  int64_t most = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    ProtunerOptions options = Small(8);
    options.ensemble.trees = 8;
    options.iterations = 64;
    Make(options, 36, seed, nullptr, 1);
    int64_t taken = 0;
    for (std::vector<Proposal> some = Ask(16, 1); gone_ == 1; some = Ask(16, 1)) {
      ASSERT_FALSE(some.empty());
      taken += std::ssize(some);
    }
    EXPECT_LE(taken, 12) << seed;
    most = std::max(most, taken);
  }
  EXPECT_GE(most, 6) << "where the first sketch was decided for";
}

TEST_F(ProtunerSearchTest, WithoutMeasurementsAtTheRootTheKeptOnesComeAtTheEnd) {
  Make(Small(0));
  const auto proposals = Ask(16, 1);
  ASSERT_EQ(proposals.size(), 10u);
  // The best predictions come first.
  std::vector<double> predicted;
  for (const Proposal& one : proposals) predicted.push_back(EstimateCost(one.state).Seconds());
  EXPECT_TRUE(std::ranges::is_sorted(predicted));
}

// 16 / 3 trials: five at the end of each descent, not ten.
TEST_F(ProtunerSearchTest, WhatIsKeptTakesNoMoreThanAThirdOfTheTrials) {
  Make(Small(0), 16);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Ask(16, 1).size(), 5u);
  Make(Small(0), 2);
  EXPECT_EQ(Ask(16, 1).size(), 1u) << "at least one";
}

// A single choice is taken without a search, as if the search had started after it.
TEST_F(ProtunerSearchTest, WhatLeavesNoChoiceIsNotSearched) {
  const auto keys = [&](int singles) {
    Make(Small(), 60, 1, nullptr, singles);
    std::vector<Key> all;
    for (int i = 0; i < 6; ++i) {
      for (const Proposal& one : Ask(16, 1)) all.push_back(one.key);
    }
    return all;
  };
  const std::vector<Key> plain = keys(0);
  EXPECT_EQ(keys(2), plain);
  EXPECT_GT(search_->Views().at(0).nodes.size(), 1u);
  EXPECT_NE(search_->Views().at(0).nodes.at(1).word, "the only way");
}

// Each clock reading advances it by a second: one before the rollouts, one after each 64.
TEST_F(ProtunerSearchTest, ADecisionMayTakeSoManySeconds) {
  const auto rollouts = [&](double seconds, int iterations) {
    ProtunerOptions options = Small();
    options.ensemble.greedy = 0;
    options.seconds = seconds;
    options.iterations = iterations;
    const TickingClock clock(100);
    Make(options, std::nullopt, 1, &clock);
    search_->Propose(16);
    int64_t visits = 0;
    for (const TreeView& view : search_->Views()) visits += view.nodes[0].visits;
    return visits;
  };
  EXPECT_EQ(rollouts(3, 10'000), 3 * 64);
  EXPECT_EQ(rollouts(1.5, 10'000), 2 * 64);
  EXPECT_EQ(rollouts(3, 100), 100) << "whichever ends first";
  EXPECT_EQ(rollouts(0, 200), 200) << "off";
}

TEST_F(ProtunerSearchTest, BeginsAnewUntilNothingIsLeft) {
  Make(Small());
  int64_t proposed = 0;
  for (int i = 0; i < 500; ++i) {
    const auto proposals = Ask(16, 1);
    if (proposals.empty()) break;
    proposed += std::ssize(proposals);
  }
  EXPECT_GT(proposed, 60);
  EXPECT_LE(proposed, TwoSketchSpace::kSchedules);
}

TEST_F(ProtunerSearchTest, SurvivesThatAllFails) {
  Make(Small());
  int64_t proposed = 0;
  for (int i = 0; i < 30; ++i) proposed += std::ssize(Ask(16, std::nullopt));
  EXPECT_GT(proposed, 30);
}

TEST_F(ProtunerSearchTest, EqualSeedsProposeEqually) {
  const auto keys = [&](uint64_t seed) {
    Make(Small(), 100, seed);
    std::vector<Key> all;
    for (int i = 0; i < 10; ++i) {
      for (const Proposal& one : Ask(16, 1)) all.push_back(one.key);
    }
    return all;
  };
  EXPECT_EQ(keys(4), keys(4));
  EXPECT_NE(keys(4), keys(5));
}

TEST_F(ProtunerSearchTest, ShowsTheTreesOfTheLastDecision) {
  Make(Small());
  EXPECT_TRUE(search_->Views().empty());
  Ask(16, 1);
  const auto views = search_->Views();
  ASSERT_EQ(views.size(), 4u);
  const int64_t each = views[0].nodes[0].visits;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(views[i].nodes[0].visits, each);
  // A quarter of 200 samples or fewer, because the greedy tree's last rollout may use a dozen.
  EXPECT_GE(each, 40);
  EXPECT_LE(each, 50);
  EXPECT_LT(views[3].nodes[0].visits, each) << "greedy: it takes several samples at once";
  EXPECT_GT(views[3].nodes[0].visits, 0);
  for (const TreeView& view : views) EXPECT_LT(*view.nodes[0].best, 0) << "minus seconds";
  EXPECT_TRUE(std::ranges::any_of(
      views, [](const TreeView& view) { return view.nodes[0].seconds.has_value(); }));
}

}  // namespace
}  // namespace schedulegym
