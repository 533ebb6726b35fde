#include "agents/learned/rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::FloatNear;

const std::vector<double> kRewards = {1, 0, 2}, kValues = {0.5, 1, -1, 4};

TEST(AdvantagesTest, OneStepIsRewardAndNextValueLessThisOne) {
  const TrackAdvantages found = AdvantagesOf(kRewards, kValues, {.discount = 0.5, .lambda = 0});
  // 1 + 0.5 - 0.5; 0 - 0.5 - 1; 2 + 2 + 1.
  EXPECT_THAT(found.advantages, ElementsAre(1, -1.5, 5));
  // Reward and discounted next value.
  EXPECT_THAT(found.targets, ElementsAre(1.5, -0.5, 4));
}

TEST(AdvantagesTest, LambdaAddsLaterSteps) {
  const TrackAdvantages found = AdvantagesOf(kRewards, kValues, {.discount = 0.5, .lambda = 0.5});
  // Each step adds a quarter of the next: 5; -1.5 + 1.25; 1 - 0.0625.
  EXPECT_THAT(found.advantages, ElementsAre(0.9375, -0.25, 5));
  EXPECT_THAT(found.targets, ElementsAre(1.4375, 0.75, 4));
}

TEST(AdvantagesTest, WithALambdaOfOneTargetsAreDiscountedSumsOfRewards) {
  const TrackAdvantages found = AdvantagesOf(kRewards, kValues, {.discount = 0.5, .lambda = 1});
  // 2 + 0.5 * 4 = 4; half of it; 1 + half of that.
  EXPECT_THAT(found.targets,
              ElementsAre(DoubleNear(2, 1e-12), DoubleNear(2, 1e-12), DoubleNear(4, 1e-12)));
}

TEST(AdvantagesTest, TheDefaultIsOneStepAtNineTenths) {
  EXPECT_THAT(AdvantagesOf(std::vector<double>{1}, std::vector<double>{2, 10}, {}).advantages,
              ElementsAre(1 + 9 - 2));
}

TEST(AdvantagesTest, ThereIsAValueAfterTheLastStep) {
  EXPECT_THROW(AdvantagesOf(kRewards, kRewards, {}), std::logic_error);
  EXPECT_TRUE(AdvantagesOf({}, std::vector<double>{1}, {}).advantages.empty());
}

TEST(NormaliseTest, MeanZeroAndVarianceOne) {
  std::vector<float> numbers = {1, 3, 8};
  Normalise(numbers);
  // Mean 4, variance 26 / 3, its root 2.943920.
  EXPECT_THAT(numbers, ElementsAre(FloatNear(-1.019049F, 1e-5F), FloatNear(-0.339683F, 1e-5F),
                                   FloatNear(1.358732F, 1e-5F)));
}

TEST(NormaliseTest, EqualNumbersBecomeZero) {
  std::vector<float> numbers = {2, 2}, none;
  Normalise(numbers);
  Normalise(none);
  EXPECT_THAT(numbers, ElementsAre(0, 0));
}

}  // namespace
}  // namespace schedulegym
