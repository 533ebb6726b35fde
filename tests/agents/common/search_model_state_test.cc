#include "agents/common/search_model_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "env/program/language/parser.h"
#include "tests/agents/split_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

class SearchModelStateTest : public testing::Test {
 protected:
  ScheduleState SplitBy(int64_t length) const {
    return Apply(ScheduleState::Initial(task_), Split{{1}, 0, {length}}).value();
  }
  Trial Timed(int64_t length, std::optional<double> seconds) const {
    return TimedTrial(ProposalOf(SplitBy(length)), seconds);
  }

  const std::shared_ptr<const Task> task_ = std::make_shared<const Task>(
      Task{*ParseDag("input X[60]\nA[i:60] = X[i] + 1\n", "test"), Target(), "test"});
  SearchModelState memory_;
};

TEST_F(SearchModelStateTest, RanksSuccessesBySeconds) {
  EXPECT_EQ(memory_.Take(Timed(2, 3.0))->seconds, 3.0);
  EXPECT_EQ(memory_.Take(Timed(3, 1.0))->seconds, 1.0);
  EXPECT_EQ(memory_.Take(Timed(4, std::nullopt))->seconds, std::nullopt);
  std::vector<double> seconds;
  for (const MeasuredState* one : memory_.Ranked()) seconds.push_back(*one->seconds);
  EXPECT_THAT(seconds, ElementsAre(1, 3));
  EXPECT_EQ(memory_.seen.size(), 3u);
}

TEST_F(SearchModelStateTest, ALaterRecordReplacesAnEarlierOne) {
  memory_.Take(Timed(2, 3.0));
  memory_.Take(Timed(2, 5.0));
  ASSERT_EQ(memory_.Ranked().size(), 1u);
  EXPECT_EQ(*memory_.Ranked()[0]->seconds, 5);
  memory_.Take(Timed(2, std::nullopt));
  EXPECT_TRUE(memory_.Ranked().empty());
}

TEST_F(SearchModelStateTest, WhatSaysNothingMayComeAgain) {
  const Trial trial = Timed(2, 3.0);
  memory_.seen.insert(trial.key);
  Trial lost = trial;
  lost.told = TrialStatus::kSaysNothing;
  EXPECT_FALSE(memory_.Take(lost));
  EXPECT_FALSE(memory_.seen.contains(trial.key));
  EXPECT_TRUE(memory_.measured.empty());
}

TEST_F(SearchModelStateTest, NeighboursAreUnseen) {
  const SplitSpace space;
  Rng rng(1);
  EXPECT_TRUE(memory_.Neighbours(space, 3, false, rng).empty());
  for (int64_t length = 1; length <= 50; ++length) memory_.Take(Timed(length, length));
  const auto neighbours = memory_.Neighbours(space, 3, false, rng);
  EXPECT_EQ(neighbours.size(), 6u);
  for (const Proposal& one : neighbours) EXPECT_FALSE(memory_.seen.contains(one.key));
  EXPECT_EQ(memory_.Neighbours(space, 3, true, rng).size(), 6u);
  // Stops once hardly any are left.
  for (int64_t length = 51; length <= 60; ++length) memory_.Take(Timed(length, length));
  EXPECT_TRUE(memory_.Neighbours(space, 3, false, rng).empty());
}

}  // namespace
}  // namespace schedulegym
