#include "agents/common/proposal_round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "env/schedule/loop_structure.h"
#include "tests/agents/split_space.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A schedule identified by its factor.
ScheduleState With(int64_t factor) {
  static const auto task = std::make_shared<const Task>(
      Task{DagOf("input X[4096]\nY[i:4096] = X[i] + 1\n"), Target{}, "vector"});
  return *Apply(ScheduleState::Initial(task), Split{{task->dag.outputs().back()}, 0, {factor}});
}

std::vector<int64_t> FactorsOf(const std::vector<ScheduleState>& states) {
  std::vector<int64_t> factors;
  for (const ScheduleState& state : states) {
    factors.push_back(std::get<Split>(state.step(0)).lengths.back());
  }
  return factors;
}

// The larger the factor, the higher the score.
std::vector<ScoredState> Scored(const std::vector<int64_t>& factors) {
  std::vector<ScoredState> states;
  for (int64_t factor : factors) {
    const ScheduleState state = With(factor);
    states.push_back({static_cast<double>(factor), StateKey(state), state});
  }
  return states;
}

std::vector<ScheduleState> States(const std::vector<int64_t>& factors) {
  std::vector<ScheduleState> states;
  for (int64_t factor : factors) states.push_back(With(factor));
  return states;
}

// Admits no multiple of seven.
class NoSevens : public SplitSpace {
 public:
  Result<void> Admit(const ScheduleState& state) const override {
    ++asked_;
    if (FactorsOf({state})[0] % 7 != 0) return {};
    return InvalidSchedule("found a multiple of seven");
  }

  int asked() const { return asked_; }

 private:
  mutable std::atomic<int> asked_ = 0;  // threads may call at once
};

class ProposalRoundTest : public testing::Test {
 protected:
  std::vector<int64_t> Deal(ProposalRound& round, int count, int random, int local,
                            const std::vector<int64_t>& neighbours) {
    std::vector<Proposal> near;
    for (const ScheduleState& state : States(neighbours)) near.push_back(ProposalOf(state));
    std::vector<ScheduleState> dealt;
    for (const Proposal& one : round.Deal(count, {random, local}, near, seen_)) {
      EXPECT_EQ(one.key, StateKey(one.state));
      seen_.insert(one.key);
      dealt.push_back(one.state);
    }
    return FactorsOf(dealt);
  }

  NoSevens space_;
  std::set<Key> seen_;
};

TEST_F(ProposalRoundTest, TheBestThenNeighboursThenStrays) {
  ProposalRound round(Scored({90, 80, 60, 50}), States({3, 4}), space_, 1);
  EXPECT_THAT(Deal(round, 4, 1, 1, {20, 22}), ElementsAre(90, 80, 20, 3));
  EXPECT_EQ(round.dealt(), 4);
  EXPECT_THAT(Deal(round, 2, 0, 0, {}), ElementsAre(60, 50));
  EXPECT_EQ(round.dealt(), 6);
}

TEST_F(ProposalRoundTest, WhatRunsOutYieldsToTheOthers) {
  ProposalRound round(Scored({90, 80, 60}), States({3}), space_, 1);
  EXPECT_THAT(Deal(round, 3, 1, 2, {}), ElementsAre(3, 90, 80)) << "no neighbours";
  EXPECT_THAT(Deal(round, 5, 2, 0, {}), ElementsAre(60)) << "nothing is left";
  EXPECT_THAT(Deal(round, 5, 2, 0, {}), IsEmpty());
  EXPECT_EQ(round.dealt(), 4);
}

TEST_F(ProposalRoundTest, NothingSeenAndNothingTwice) {
  ProposalRound round(Scored({90, 80, 60}), States({90, 5, 5}), space_, 1);
  seen_.insert(StateKey(With(80)));
  EXPECT_THAT(Deal(round, 4, 1, 1, {90, 60}), ElementsAre(90, 60, 5));
}

TEST_F(ProposalRoundTest, WhatTheSpaceRefusesIsNotDealt) {
  ProposalRound round(Scored({70, 60, 49}), States({14, 15}), space_, 2);
  EXPECT_EQ(space_.asked(), 0);
  EXPECT_THAT(Deal(round, 3, 1, 1, {21, 22}), ElementsAre(60, 22, 15));
  EXPECT_EQ(space_.asked(), 6) << "49 was never wanted";
}

TEST_F(ProposalRoundTest, TheSpaceIsAskedOnce) {
  ProposalRound round(Scored({70, 60, 49, 48, 47}), {}, space_, 2);
  EXPECT_THAT(Deal(round, 2, 0, 0, {}), ElementsAre(60, 48));
  EXPECT_THAT(Deal(round, 2, 0, 0, {}), ElementsAre(47));
  EXPECT_EQ(space_.asked(), 5);
}

TEST_F(ProposalRoundTest, RanksAnewWhatIsLeft) {
  ProposalRound round(Scored({90, 80, 60, 50}), {}, space_, 1);
  EXPECT_THAT(Deal(round, 1, 0, 0, {}), ElementsAre(90));
  // Now smaller factors score higher; one has no prediction, so its score stays.
  round.RankAnew([](const std::vector<StateFeatures>& states) {
    std::vector<ScheduleState> plain;
    for (const StateFeatures& one : states) plain.push_back(one.state());
    std::vector<std::optional<double>> scores;
    for (int64_t factor : FactorsOf(plain)) {
      scores.push_back(factor == 60 ? std::nullopt
                                    : std::optional<double>(100 - static_cast<double>(factor)));
    }
    return scores;
  });
  EXPECT_THAT(Deal(round, 3, 0, 0, {}), ElementsAre(60, 50, 80));
}

// The predictions of 60 and 80 are uncertain, that of 60 more; the others have no spread.
TEST_F(ProposalRoundTest, TheMostDoubtedComeAfterTheBest) {
  ProposalRound round(Scored({90, 80, 60, 50}), States({3}), space_, 1);
  round.NoteDoubts([](const std::vector<StateFeatures>& states) {
    std::vector<ScheduleState> plain;
    for (const StateFeatures& one : states) plain.push_back(one.state());
    std::vector<std::optional<double>> doubts;
    for (int64_t factor : FactorsOf(plain)) {
      const bool is_known = factor == 60 || factor == 80;
      doubts.push_back(is_known ? std::optional(1 / static_cast<double>(factor)) : std::nullopt);
    }
    return doubts;
  });
  std::vector<ScheduleState> dealt;
  for (const Proposal& one : round.Deal(4, {.random = 1, .local = 0, .doubted = 2}, {}, {})) {
    dealt.push_back(one.state);
  }
  EXPECT_THAT(FactorsOf(dealt), ElementsAre(90, 60, 80, 3));
}

// Three of 64 in batches of 16, although 5 % of 16 rounds to none.
TEST_F(ProposalRoundTest, PartsAddUpToTheSharesOfTheRound) {
  std::vector<int64_t> factors;
  for (int64_t factor = 1; factor < 100; ++factor) factors.push_back(7 * factor + 1);
  ProposalRound round(Scored(factors), {}, space_, 1);
  int strays = 0;
  for (int i = 0; i < 4; ++i) {
    strays += round.PartOf(0.05, 16);
    Deal(round, 16, 0, 0, {});
  }
  EXPECT_EQ(strays, 3);
  EXPECT_EQ(round.PartOf(0, 16), 0);
  EXPECT_EQ(round.PartOf(1, 16), 16);
}

}  // namespace
}  // namespace schedulegym
