#include "env/gym/vector_environment.h"

#include <gtest/gtest.h>

#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

const EvaluationResult kFast = ExactEvaluationResult(2, std::nullopt);

TEST(EnvironmentSlotTest, NextStepBeginsAfterTheEnd) {
  EnvironmentSlot slot(SmallParts(), Autoreset::kNextStep, std::nullopt);
  slot.Begin();
  slot.Settle(nullptr);
  slot.Take(kStopAction);
  EXPECT_TRUE(slot.is_pending());
  EXPECT_TRUE(slot.needs_evaluation());
  slot.Settle(&kFast);
  EXPECT_FALSE(slot.is_pending());
  EXPECT_TRUE(slot.is_over());
  EXPECT_TRUE(slot.last().terminated && slot.last().evaluated);
  slot.Take(1);  // the action is ignored
  slot.Settle(nullptr);
  EXPECT_FALSE(slot.is_over());
  EXPECT_TRUE(slot.environment().actions().empty());
  EXPECT_EQ(slot.last().reward, 0);
}

TEST(EnvironmentSlotTest, SameStepNeedsAJudgementOfEndAndBeginning) {
  const auto parts = SmallParts(RewardKind::kDifference);
  EnvironmentSlot slot(parts, Autoreset::kSameStep, std::nullopt);
  slot.Begin();
  slot.Settle(&kFast);
  slot.Take(LegalActions(*parts->actions, slot.environment().episode()).at(1));
  slot.Settle(&kFast);
  slot.Take(kStopAction);
  EXPECT_FALSE(slot.needs_evaluation());  // the state has not changed
  slot.Settle(nullptr);
  EXPECT_TRUE(slot.is_pending());
  EXPECT_TRUE(slot.needs_evaluation());
  slot.Settle(&kFast);
  EXPECT_FALSE(slot.is_pending());
  EXPECT_TRUE(slot.last().terminated);  // of the step, not of the episode that began in it
  EXPECT_FALSE(slot.last().evaluated);
  EXPECT_TRUE(slot.ended().has_ended());
  EXPECT_EQ(slot.environment().evaluations().size(), 1u);
}

TEST(EnvironmentSlotTest, DisabledIsOverUntilItBegins) {
  EnvironmentSlot slot(SmallParts(), Autoreset::kDisabled, 1);
  slot.Begin();
  slot.Settle(nullptr);
  slot.Take(1);
  slot.Settle(nullptr);
  EXPECT_TRUE(slot.last().truncated);
  EXPECT_THROW(slot.Take(1), std::logic_error);
  slot.Rest();
  EXPECT_TRUE(slot.is_over());
  EXPECT_FALSE(slot.last().is_over());
  slot.Begin();
  slot.Settle(nullptr);
  EXPECT_FALSE(slot.is_over());
  EXPECT_THROW(slot.Settle(nullptr), std::logic_error);
}

TEST(EnvironmentSlotTest, AllItsEpisodesAreOfItsTask) {
  const auto parts = SmallParts();
  for (int task : {0, 1}) {
    for (Autoreset mode : {Autoreset::kNextStep, Autoreset::kSameStep}) {
      EnvironmentSlot slot(parts, mode, std::nullopt, task);
      slot.Seed(5);
      slot.Begin();
      for (int i = 0; i < 20; ++i) {
        while (slot.is_pending()) slot.Settle(slot.needs_evaluation() ? &kFast : nullptr);
        EXPECT_EQ(&slot.environment().task(), parts->tasks[task].get());
        slot.Take(kStopAction);
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
