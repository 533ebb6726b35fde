#include "agents/decisions/round_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agents/decisions/decision_place.h"
#include "env/features/analytical_cost.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

// Completes the root `count` times, and counts its visits.
class DrawingVisitor : public PlaceVisitor {
 public:
  DrawingVisitor(std::shared_ptr<const TreePlace> root, int draws, int& visits)
      : root_(std::move(root)), draws_(draws), visits_(visits) {}

  void Visit(StateRollout& rollout) override {
    ++visits_;
    const std::vector<RolloutRequest> requests(draws_, RolloutRequest{root_});
    rollout.Roll(requests, rng_);
  }

 private:
  std::shared_ptr<const TreePlace> root_;
  int draws_;
  int& visits_;
  Rng rng_{1};
};

class RoundSearchTest : public testing::Test {
 protected:
  void Make(const RoundOptions& options, int draws = 300) {
    memory_ = {};
    visits_ = 0;
    auto root = FirstDecision(space_.Sketches(task_), DecisionOrder::kOutputsFirst);
    search_.emplace(DecisionSearchContext{space_, task_, memory_, &model_, std::nullopt, Rng(1)},
                    options, std::make_unique<DrawingVisitor>(std::move(root), draws, visits_));
  }

  std::vector<Proposal> Ask(int count) {
    const auto proposals = search_->Propose(count);
    for (const Proposal& one : proposals) {
      const Trial trial = TimedTrial(one, TwoSketchSeconds(one.state));
      memory_.Take(trial);
      search_->Learn(trial);
    }
    return proposals;
  }

  static std::vector<double> Estimates(const std::vector<Proposal>& proposals) {
    std::vector<double> seconds;
    for (const Proposal& one : proposals) seconds.push_back(EstimateCost(one.state).Seconds());
    return seconds;
  }

  TwoSketchSpace space_;
  std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  StagedCostModel model_{{StagedModelOptions::Kind::kAnalytical}, Rng(1)};
  SearchModelState memory_;
  int visits_ = 0;
  std::optional<RoundSearch> search_;
};

TEST_F(RoundSearchTest, ProposesTheBestOfARoundInOrder) {
  Make({.round = 12});
  std::vector<Proposal> all = Ask(5);
  for (int count : {5, 2}) {
    for (Proposal& one : Ask(count)) all.push_back(std::move(one));
  }
  EXPECT_EQ(visits_, 1);
  ASSERT_EQ(all.size(), 12u);
  EXPECT_TRUE(std::ranges::is_sorted(Estimates(all)));
  Ask(1);
  EXPECT_EQ(visits_, 2);
}

TEST_F(RoundSearchTest, ProposesNothingTwice) {
  Make({.round = 16, .epsilon = 0.1, .local = 0.2});
  std::set<Key> keys;
  size_t proposed = 0;
  for (int i = 0; i < 20; ++i) {
    const auto proposals = Ask(7);
    proposed += proposals.size();
    for (const Proposal& one : proposals) keys.insert(one.key);
  }
  EXPECT_EQ(keys.size(), proposed);
  EXPECT_EQ(proposed, 140u);
}

TEST_F(RoundSearchTest, ASharesIsOfNeighboursOfTheBestMeasured) {
  Make({.round = 10, .local = 0.5}, 20);
  Ask(10);
  std::set<Key> near;
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    for (const MeasuredState* one : memory_.Ranked()) {
      const auto neighbour = space_.Mutate(one->state, rng);
      if (neighbour) near.insert(StateKey(*neighbour));
    }
    if (i > 30) break;
  }
  const auto proposals = Ask(10);
  int neighbours = 0;
  for (const Proposal& one : proposals) neighbours += near.contains(one.key);
  EXPECT_GE(neighbours, 4);
}

// A model without a spread has no uncertainty: the share goes to the best.
TEST_F(RoundSearchTest, AShareIsOfWhatTheModelIsLeastSureOf) {
  const auto all = [this](double doubted) {
    Make({.round = 16, .doubted = doubted});
    std::set<Key> keys;
    for (const Proposal& one : Ask(16)) keys.insert(one.key);
    return keys;
  };
  EXPECT_EQ(all(0.5), all(0));
  Rng rng(1);
  std::vector<MeasuredState> measured;
  while (measured.size() < 40) {
    const Result<ScheduleState> state = space_.Sample(task_, rng);
    if (!state) continue;
    measured.push_back({*state, StateKey(*state), TwoSketchSeconds(*state)});
  }
  model_ = StagedCostModel({.trusted_from = 3}, Rng(1));
  model_.Learn(measured);
  const std::set<Key> best = all(0), some = all(0.5);
  const auto kept = std::ranges::count_if(some, [&](const Key& key) { return best.contains(key); });
  EXPECT_EQ(some.size(), 16u);
  EXPECT_GE(kept, 8) << "the rest of the round is of the best";
  EXPECT_LT(kept, 16);
}

StagedModelOptions Blind() { return {.features = ModelFeatures::kAnsor, .trusted_from = 20}; }

TEST_F(RoundSearchTest, NothingIsVisitedByChanceThatTheModelTells) {
  model_ = StagedCostModel(Blind(), Rng(1));
  Make({.round = 16, .epsilon = 0.1, .local = 0.2, .doubted = 0.1});
  std::set<Key> keys;
  for (const int count : {7, 13, 1}) {
    for (const Proposal& one : Ask(count)) {
      EXPECT_EQ(one.note, "drawn");
      keys.insert(one.key);
      model_.Learn({&memory_.measured.at(one.key), 1});
    }
    EXPECT_EQ(visits_, 0);
  }
  EXPECT_EQ(keys.size(), 21u);
  for (const Proposal& one : Ask(8)) EXPECT_EQ(one.note, "");
  EXPECT_EQ(visits_, 1) << "the first fit begins a round";
}

TEST_F(RoundSearchTest, DrawsEndWithTheSpace) {
  model_ = StagedCostModel(Blind(), Rng(1));
  Make({});
  EXPECT_GT(std::ssize(search_->Propose(2 * TwoSketchSpace::kSchedules)), 300);
  while (!search_->Propose(16).empty()) continue;
  EXPECT_LE(std::ssize(memory_.seen), TwoSketchSpace::kSchedules);
}

TEST_F(RoundSearchTest, AsPublishedItVisitsWhateverTellsIt) {
  for (const bool waits : {false, true}) {
    model_ = waits ? StagedCostModel({StagedModelOptions::Kind::kRandom}, Rng(1))
                   : StagedCostModel(Blind(), Rng(1));
    Make({.waits = waits});
    for (const Proposal& one : Ask(4)) EXPECT_EQ(one.note, "");
    EXPECT_EQ(visits_, 1);
  }
}

TEST_F(RoundSearchTest, WhatIsAdmittedAloneIsProposed) {
  const auto refuses = [](const ScheduleState& state) {
    return state.TraceText().find("split(stage=A") != std::string::npos;
  };
  const TwoSketchSpace strict(refuses);
  int visits = 0;
  auto root = FirstDecision(strict.Sketches(task_), DecisionOrder::kOutputsFirst);
  RoundSearch search({strict, task_, memory_, &model_, std::nullopt, Rng(1)}, {.round = 16},
                     std::make_unique<DrawingVisitor>(std::move(root), 300, visits));
  for (const Proposal& one : search.Propose(16)) EXPECT_FALSE(refuses(one.state));
}

TEST_F(RoundSearchTest, GrowsNoTreesWhereItsVisitorGrowsNone) {
  Make({});
  Ask(3);
  EXPECT_TRUE(search_->Views().empty());
}

}  // namespace
}  // namespace schedulegym
