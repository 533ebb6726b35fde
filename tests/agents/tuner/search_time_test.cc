#include "agents/tuner/search_time.h"

#include <gtest/gtest.h>

#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

RecentSeconds Took(double seconds) {
  RecentSeconds recent;
  recent.Note(seconds);
  return recent;
}

TEST(RecentSecondsTest, TheLongestOfTheLastEight) {
  RecentSeconds recent;
  EXPECT_TRUE(recent.is_empty());
  EXPECT_EQ(recent.Longest(), 0);
  recent.Note(9);
  recent.Note(2);
  EXPECT_EQ(recent.Longest(), 9);
  for (int i = 0; i < 7; ++i) recent.Note(1);
  EXPECT_EQ(recent.Longest(), 2);
}

class SearchTimeTest : public testing::Test {
 protected:
  FakeClock clock_;
  SearchTime time_{clock_, 10};
};

TEST_F(SearchTimeTest, GoesOnFromItsBeginning) {
  clock_.Advance(3);
  EXPECT_EQ(time_.Elapsed(), 3);
  EXPECT_FALSE(time_.IsOver());
  clock_.Advance(7);
  EXPECT_TRUE(time_.IsOver());
}

TEST_F(SearchTimeTest, WithoutALimitEverythingFits) {
  SearchTime endless(clock_, std::nullopt);
  clock_.Advance(1e9);
  EXPECT_FALSE(endless.IsOver());
  EXPECT_TRUE(endless.BeginTurn(Took(1e9)));
  EXPECT_EQ(endless.BeginTrials(RecentSeconds(), 8), 8);
  EXPECT_TRUE(endless.HasLeft(1e9));
}

TEST_F(SearchTimeTest, ATurnIsProposingATrialAndTelling) {
  time_.propose.Note(2);
  time_.tell.Note(3);
  clock_.Advance(4);
  EXPECT_TRUE(time_.BeginTurn(Took(1)));
  EXPECT_FALSE(time_.IsOver());
  EXPECT_FALSE(time_.BeginTurn(Took(1.1)));
  EXPECT_TRUE(time_.IsOver()) << "what is shorter would be unfair to others";
}

TEST_F(SearchTimeTest, AsManyTrialsAsFitBeforeTheAgentIsTold) {
  time_.tell.Note(1);
  clock_.Advance(4);
  EXPECT_EQ(time_.BeginTrials(Took(1), 8), 5);
  EXPECT_EQ(time_.BeginTrials(Took(1), 3), 3);
  EXPECT_EQ(time_.BeginTrials(Took(0), 8), 8);
  EXPECT_FALSE(time_.IsOver());
  EXPECT_EQ(time_.BeginTrials(Took(5.5), 8), 0);
  EXPECT_TRUE(time_.IsOver());
}

TEST_F(SearchTimeTest, ANewTaskHasOneTrialThatTakesAsLongAsTheFirstOfOthers) {
  EXPECT_EQ(time_.BeginTrials(RecentSeconds(), 8), 1);
  time_.first_trials.Note(4);
  clock_.Advance(6);
  EXPECT_TRUE(time_.BeginTurn(RecentSeconds()));
  EXPECT_EQ(time_.BeginTrials(RecentSeconds(), 8), 1);
  clock_.Advance(0.5);
  EXPECT_EQ(time_.BeginTrials(RecentSeconds(), 8), 0);
}

TEST_F(SearchTimeTest, WhatGoesOnEndsWithTheWholeOrWhenItIsToStop) {
  std::atomic<bool> stop = false;
  EXPECT_FALSE(SearchTime(clock_, std::nullopt).End(nullptr)());
  const SearchTime time(clock_, 10);
  const auto end = time.End(&stop), unstoppable = time.End(nullptr);
  EXPECT_FALSE(end());
  stop = true;
  EXPECT_TRUE(end());
  EXPECT_FALSE(unstoppable());
  clock_.Advance(10.5);
  EXPECT_TRUE(unstoppable());
}

TEST_F(SearchTimeTest, APartEndsBeforeTheWhole) {
  time_.Limit(6);
  clock_.Advance(5);
  EXPECT_FALSE(time_.BeginTurn(Took(2)));
  EXPECT_TRUE(time_.IsOver());
  EXPECT_TRUE(time_.HasLeft(5));
  EXPECT_FALSE(time_.HasLeft(5.1));
  time_.Limit(10);
  EXPECT_FALSE(time_.IsOver());
  EXPECT_TRUE(time_.BeginTurn(Took(2)));
}

TEST_F(SearchTimeTest, WhatIsReservedIsNoPartOfIt) {
  time_.Reserve(3);
  clock_.Advance(5);
  EXPECT_TRUE(time_.BeginTurn(Took(2)));
  EXPECT_EQ(time_.BeginTrials(Took(0.5), 8), 4);
  EXPECT_TRUE(time_.HasLeft(5));
  clock_.Advance(2);
  EXPECT_TRUE(time_.IsOver());
}

}  // namespace
}  // namespace schedulegym
