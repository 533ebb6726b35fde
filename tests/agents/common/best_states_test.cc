#include "agents/common/best_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/language/parser.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// States split by 1, 2, ... 6.
std::vector<ScheduleState> States() {
  const auto task = std::make_shared<const Task>(
      Task{*ParseDag("input X[60]\nA[i:60] = X[i] + 1\n", "test"), Target(), "test"});
  std::vector<ScheduleState> states;
  for (int64_t length = 1; length <= 6; ++length) {
    states.push_back(Apply(ScheduleState::Initial(task), Split{{1}, 0, {length}}).value());
  }
  return states;
}

class BestStatesTest : public testing::Test {
 protected:
  // Offers states by number, with their scores.
  void Offer(BestStates& best, const std::vector<std::pair<int, double>>& scored) const {
    std::vector<BestStates::Offer> offers;
    for (const auto& [state, score] : scored) offers.push_back({score, &states_[state]});
    best.Take(std::move(offers));
  }

  // The numbers of the kept states.
  std::vector<int> Of(const BestStates& best) const {
    std::vector<int> numbers;
    for (const ScoredState& one : best.states()) {
      for (size_t i = 0; i < states_.size(); ++i) {
        if (StateKey(states_[i]) == one.key) numbers.push_back(static_cast<int>(i));
      }
    }
    return numbers;
  }

  const std::vector<ScheduleState> states_ = States();
  const std::set<Key> none_ = {};
};

TEST_F(BestStatesTest, KeepsTheBestInOrder) {
  BestStates best(3, none_);
  Offer(best, {{0, 1}, {1, 5}, {2, 3}});
  EXPECT_THAT(Of(best), ElementsAre(1, 2, 0));
  Offer(best, {{3, 4}, {4, 0.5}, {5, 9}});
  EXPECT_THAT(Of(best), ElementsAre(5, 1, 3));
  EXPECT_EQ(best.states()[1].score, 5);
}

TEST_F(BestStatesTest, TakesEachOnceAndNoneThatWasSeen) {
  const std::set<Key> seen = {StateKey(states_[1])};
  BestStates best(3, seen);
  Offer(best, {{0, 1}, {0, 1}, {1, 9}});
  Offer(best, {{0, 1}, {2, 0.5}});
  EXPECT_THAT(Of(best), ElementsAre(0, 2));
}

TEST_F(BestStatesTest, OfEqualOnesThoseThatCameFirst) {
  BestStates best(2, none_);
  Offer(best, {{3, 1}, {1, 1}});
  Offer(best, {{0, 1}});
  EXPECT_THAT(Of(best), ElementsAre(3, 1));
}

}  // namespace
}  // namespace schedulegym
