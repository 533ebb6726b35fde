#include "agents/learned/policy/ppo.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "agents/learned/policy/tensor_views.h"
#include "tests/agents/learned/policy/ppo_samples.h"

namespace schedulegym {
namespace {

std::vector<float> WeightsOf(const Ppo& ppo) {
  std::vector<float> all;
  for (const Adam* adam : {&ppo.actor(), &ppo.critic()}) {
    for (const at::Tensor& parameter : adam->parameters()) {
      const std::vector<float> numbers = NumbersOf(parameter);
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
  }
  return all;
}

TEST(PpoTest, TheTotalIsTheWeightedSumOfItsTerms) {
  Ppo ppo(SampleShape(), {.value_weight = 2, .entropy_weight = 3, .epochs = 1, .normalised = false},
          Rng(1));
  const PolicySamples samples = SomeSamples(40);
  const std::vector<float> values = ppo.network().Values(samples.rows);
  const PpoReport report = ppo.Learn(samples).value();
  EXPECT_EQ(report.steps, 1);
  EXPECT_NEAR(report.total, report.policy + 2 * report.value - 3 * report.entropy, 1e-5);
  // The policy starts almost uniform, so that all ratios are about 1.
  double advantage = 0, error = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    advantage += samples.advantages[i] / 40;
    error += (values[i] - 1.5) * (values[i] - 1.5) / 40;
  }
  EXPECT_NEAR(report.policy, -advantage, 0.02);
  EXPECT_NEAR(report.value, error, 1e-5);
  EXPECT_NEAR(report.entropy, std::log(6.0), 0.01);
  EXPECT_EQ(report.clipped, 0);
  EXPECT_GT(report.gradient, 0);
}

TEST(PpoTest, ReportsMeansOverItsSteps) {
  // 3 epochs over 40 rows in batches of 16: 16, 16 and 8.
  Ppo ppo(SampleShape(), {.epochs = 3, .batch = 16}, Rng(1));
  const PpoReport report = ppo.Learn(SomeSamples(40)).value();
  EXPECT_EQ(report.steps, 9);
  EXPECT_EQ(ppo.actor().steps(), 9);
  EXPECT_NEAR(report.entropy, std::log(6.0), 0.02);
}

TEST(PpoTest, NormalisedAdvantagesHaveNoScale) {
  const auto policy = [](float scale, bool normalised) {
    PolicySamples samples = SomeSamples(32);
    for (float& advantage : samples.advantages) advantage = (advantage + 3) * scale;
    Ppo ppo(SampleShape(), {.epochs = 2, .normalised = normalised}, Rng(1));
    return ppo.Learn(samples)->policy;
  };
  EXPECT_NEAR(policy(1, true), policy(1000, true), 1e-5);
  EXPECT_NEAR(policy(1, true), 0, 0.01);
  EXPECT_LT(policy(1, false), -2);
  EXPECT_LT(policy(1000, false), -2000);
}

TEST(PpoTest, GradientsAreCutToALengthOfBothTogether) {
  // Adam's first step does not depend on the norm of its gradient, but its moments do.
  Ppo ppo(SampleShape(), {.epochs = 1, .longest_gradient = 0.125}, Rng(1));
  const PpoReport report = ppo.Learn(SomeSamples(40)).value();
  ASSERT_GT(report.gradient, 0.125);
  double square = 0;
  for (const Adam* adam : {&ppo.actor(), &ppo.critic()}) {
    for (const at::Tensor& moment : adam->first_moments()) {
      square += moment.square().sum().item<double>();
    }
  }
  EXPECT_NEAR(std::sqrt(square), 0.1 * 0.125, 1e-6);
}

TEST(PpoTest, TheCriticAndTheActorHaveTheirOwnRates) {
  const PolicySamples samples = SomeSamples(32);
  const auto moved = [&](const PpoOptions& options) {
    const Ppo before(SampleShape(), options, Rng(1));
    Ppo after(SampleShape(), options, Rng(1));
    after.Learn(samples);
    const auto most = [](const Adam& a, const Adam& b) {
      double farthest = 0;
      for (size_t i = 0; i < a.parameters().size(); ++i) {
        const at::Tensor difference = (a.parameters()[i] - b.parameters()[i]).abs();
        farthest = std::max(farthest, difference.max().item<double>());
      }
      return farthest;
    };
    return std::pair(most(before.actor(), after.actor()), most(before.critic(), after.critic()));
  };
  // The length of Adam's first step is the rate.
  const auto [actor, critic] = moved({.actor_rate = 0.01, .critic_rate = 0.02, .epochs = 1});
  EXPECT_NEAR(actor, 0.01, 1e-4);
  EXPECT_NEAR(critic, 0.02, 1e-4);
}

TEST(PpoTest, TheSameSeedLearnsTheSameToTheBit) {
  const auto learned = [](uint64_t seed) {
    Ppo ppo(SampleShape(), {.batch = 8}, Rng(seed));
    for (uint64_t round = 0; round < 5; ++round) ppo.Learn(SomeSamples(50, round));
    return WeightsOf(ppo);
  };
  EXPECT_EQ(learned(3), learned(3));
  EXPECT_NE(learned(3), learned(4));
}

TEST(PpoTest, WhatIsNotFiniteIsNotLearned) {
  Ppo ppo(SampleShape(), {}, Rng(1));
  const std::vector<float> before = WeightsOf(ppo);
  PolicySamples samples = SomeSamples(16);
  samples.targets[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ppo.Learn(samples), std::nullopt);
  EXPECT_EQ(WeightsOf(ppo), before);
  EXPECT_TRUE(ppo.Learn(SomeSamples(16))) << "what comes later is learned";
  for (const float weight : WeightsOf(ppo)) EXPECT_TRUE(std::isfinite(weight));
}

TEST(PpoTest, ALikelierActionIsTheOneThatPaid) {
  Ppo ppo(SampleShape(), {.actor_rate = 0.01}, Rng(1));
  const PolicySamples samples = SomeSamples(64);
  for (int round = 0; round < 5; ++round) ppo.Learn(samples);
  const Evaluation said = ppo.network().Evaluate(samples.rows, samples.masks);
  EXPECT_GT(std::exp(said.log_probabilities[0][0]), 0.35);
  EXPECT_NEAR(std::exp(said.log_probabilities[0][3]), 0.5, 0.1) << "this head made no difference";
}

TEST(PpoTest, RefusesSamplesThatLackSomething) {
  Ppo ppo(SampleShape(), {}, Rng(1));
  EXPECT_THROW(ppo.Learn(SomeSamples(0)), std::logic_error);
  PolicySamples samples = SomeSamples(3);
  samples.targets.pop_back();
  EXPECT_THROW(ppo.Learn(samples), std::logic_error);
  EXPECT_THROW(Ppo(SampleShape(), {.clip = 1}, Rng(1)), std::logic_error);
  EXPECT_THROW(Ppo(SampleShape(), {.longest_gradient = 0.0}, Rng(1)), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
