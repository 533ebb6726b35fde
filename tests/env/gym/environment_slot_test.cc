#include "env/gym/environment_slot.h"

#include <gtest/gtest.h>

#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

const Judgement kFast = ExactJudgement(2, std::nullopt);

TEST(EnvironmentSlotTest, NextStepBeginsAfterTheEnd) {
  EnvironmentSlot slot(SmallParts(), Autoreset::kNextStep, std::nullopt);
  slot.Begin();
  slot.Settle(nullptr);
  slot.Take(kStopAction);
  EXPECT_TRUE(slot.is_pending());
  EXPECT_TRUE(slot.needs_judgement());
  slot.Settle(&kFast);
  EXPECT_FALSE(slot.is_pending());
  EXPECT_TRUE(slot.is_over());
  EXPECT_TRUE(slot.last().terminated && slot.last().judged);
  slot.Take(1);  // is taken by nobody
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
  slot.Take(LegalActions(*parts->actions, slot.environment().walk()).at(1));
  slot.Settle(&kFast);
  slot.Take(kStopAction);
  EXPECT_FALSE(slot.needs_judgement());  // it stands where it stood
  slot.Settle(nullptr);
  EXPECT_TRUE(slot.is_pending());
  EXPECT_TRUE(slot.needs_judgement());
  slot.Settle(&kFast);
  EXPECT_FALSE(slot.is_pending());
  EXPECT_TRUE(slot.last().terminated);  // of the step, not of what began in it
  EXPECT_FALSE(slot.last().judged);
  EXPECT_TRUE(slot.ended().has_ended());
  EXPECT_EQ(slot.environment().judgements().size(), 1u);
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

}  // namespace
}  // namespace schedulegym
