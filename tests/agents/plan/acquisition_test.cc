#include "agents/plan/acquisition.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

const Posterior kValue = {1, 2};

// z = 0.25: Phi 0.598706, phi 0.386668.
TEST(AcquisitionTest, BelowABestOfOneAndAHalf) {
  EXPECT_NEAR(ExpectedImprovement(kValue, 1.5), 1.072689, 1e-6);
  EXPECT_NEAR(ProbabilityOfImprovement(kValue, 1.5), 0.598706, 1e-6);
  EXPECT_NEAR(Promise(Acquisition::kImprovement, kValue, 1.5, 0.25), 0.929110, 1e-6);
  EXPECT_NEAR(Promise(Acquisition::kProbability, kValue, 1.5, 0), 0.598706, 1e-6);
  EXPECT_NEAR(Promise(Acquisition::kLowerBound, kValue, 1.5, 0.25), -0.5, 1e-12);
}

// For speeds, which are maximised: 0.8 with a best of 0.9.
TEST(AcquisitionTest, ImprovementOfAForest) {
  EXPECT_NEAR(ExpectedImprovement({-0.8, 0.1}, -0.9), 0.008332, 1e-6);
}

TEST(AcquisitionTest, WithoutDoubtTheGainIsKnown) {
  EXPECT_EQ(ExpectedImprovement({1, 0}, 1.5), 0.5);
  EXPECT_EQ(ExpectedImprovement({2, 0}, 1.5), 0);
  EXPECT_EQ(ProbabilityOfImprovement({1, 0}, 1.5), 1);
}

TEST(AcquisitionTest, TheFactorFallsWithDoubtAndGain) {
  const ExplorationFactor factor = {.first_mean = 10, .first_deviation = 0.8};
  EXPECT_DOUBLE_EQ(factor.At(5, 0.4), 0.25);
  EXPECT_DOUBLE_EQ(factor.At(-5, 0.4), 0.08);
  EXPECT_DOUBLE_EQ(ExplorationFactor().At(5, 0.4), 0.01);
}

}  // namespace
}  // namespace schedulegym
