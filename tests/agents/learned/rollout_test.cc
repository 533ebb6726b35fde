#include "agents/learned/rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

using testing::ElementsAre;

const AdvantageOptions kHalf = {.discount = 0.5, .lambda = 0};

class RolloutTest : public testing::Test {
 protected:
  // Adds a step identified by one number, its row's.
  void Add(int track, float number, double value, double reward) {
    const std::vector<float> row = {number, 0};
    const std::vector<uint8_t> mask = {1, 1, 0, 1};
    rollout_.Add(track, {row, mask, {1, 0}, -0.25, value}, reward);
  }

  Rollout rollout_{2, ActionHeads({2, 2})};
};

TEST_F(RolloutTest, PathsOfTracksInLockStepAreTheirOwn) {
  Add(0, 10, 1, 3);
  Add(1, 20, 2, 4);
  Add(0, 11, 5, 6);
  Add(1, 21, 7, 8);
  EXPECT_EQ(rollout_.steps(), 4);
  rollout_.End(0, 9, kHalf);
  rollout_.End(1, 0, kHalf);
  const PolicySamples samples = rollout_.Take();
  std::vector<float> numbers;
  for (int row = 0; row < 4; ++row) numbers.push_back(samples.rows[row][0]);
  EXPECT_THAT(numbers, ElementsAre(10, 20, 11, 21)) << "in the order of their steps";
  // Reward plus half of the next value, minus this value.
  EXPECT_THAT(samples.advantages, ElementsAre(3 + 2.5 - 1, 4 + 3.5 - 2, 6 + 4.5 - 5, 8 + 0 - 7));
  EXPECT_THAT(samples.targets, ElementsAre(5.5, 7.5, 10.5, 8));
}

TEST_F(RolloutTest, ATrackMayBeginAnotherPath) {
  Add(0, 1, 1, 2);
  rollout_.End(0, 0, kHalf);
  Add(0, 2, 3, 4);
  rollout_.End(0, 10, kHalf);
  EXPECT_THAT(rollout_.Take().advantages, ElementsAre(1, 4 + 5 - 3));
}

TEST_F(RolloutTest, WhatWasSeenAndDoneIsKept) {
  Add(2, 1, 1, 2);
  rollout_.End(2, 0, kHalf);
  const PolicySamples samples = rollout_.Take();
  EXPECT_THAT(samples.masks[0], ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(samples.values[0], ElementsAre(1, 0));
  EXPECT_THAT(samples.log_probabilities, ElementsAre(-0.25F));
}

TEST_F(RolloutTest, BeginsAnewOnceTaken) {
  Add(0, 1, 1, 2);
  rollout_.End(0, 0, kHalf);
  rollout_.Take();
  EXPECT_EQ(rollout_.steps(), 0);
  Add(0, 5, 1, 2);
  rollout_.End(0, 0, kHalf);
  const PolicySamples samples = rollout_.Take();
  EXPECT_EQ(samples.rows.rows(), 1);
  EXPECT_EQ(samples.rows[0][0], 5);
}

TEST_F(RolloutTest, OnlyWholePathsAreLearnedFrom) {
  rollout_.End(3, 1, kHalf);
  Add(0, 1, 1, 2);
  EXPECT_THROW(rollout_.Take(), std::logic_error);
  EXPECT_THROW(rollout_.Add(-1, {}, 0), std::logic_error);
  const std::vector<float> row = {1};
  EXPECT_THROW(rollout_.Add(0, {row, {}, {0, 0}, 0, 0}, 0), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
