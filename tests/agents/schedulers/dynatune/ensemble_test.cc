#include "agents/schedulers/dynatune/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "agents/normal.h"

namespace schedulegym {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Moments {
  double mean = 0, deviation = 0;
};

Moments MomentsOf(const EnsembleChain& chain, size_t dimension) {
  double sum = 0, squares = 0;
  const auto count = static_cast<double>(chain.size());
  for (size_t i = 0; i < chain.size(); ++i) {
    sum += chain.at(i)[dimension];
    squares += chain.at(i)[dimension] * chain.at(i)[dimension];
  }
  const double mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean)};
}

// Makes the batched density from the density of one position.
template <class Density>
LogDensity Each(size_t dimensions, Density density) {
  return [dimensions, density](std::span<const double> positions, std::span<double> log_densities) {
    for (size_t i = 0; i < log_densities.size(); ++i) {
      log_densities[i] = density(positions.subspan(i * dimensions, dimensions));
    }
  };
}

std::vector<double> Ball(const std::vector<double>& center, int walkers, Rng& rng) {
  std::vector<double> start;
  for (int walker = 0; walker < walkers; ++walker) {
    for (double each : center) start.push_back(each + 1e-3 * DrawNormal(rng));
  }
  return start;
}

// Twenty values of mean 2.5 and known noise 0.4, with the prior normal(0, 1): the posterior has
// precision 1 / 1 + 20 / 0.16 = 126 and mean (20 * 2.5 / 0.16) / 126.
TEST(EnsembleTest, AgreesWithANormalPosterior) {
  const auto log_posterior = [](std::span<const double> at) {
    const double mean = at[0];
    return -0.5 * mean * mean - 0.5 * 20 * (2.5 - mean) * (2.5 - mean) / 0.16;
  };
  Rng rng(1);
  const std::vector<double> start = Ball({0}, 20, rng);
  const EnsembleChain chain =
      SampleEnsemble(Each(1, log_posterior), start,
                     {.walkers = 20, .steps = 10000, .burn_in = 500, .thin = 5}, rng);
  const Moments moments = MomentsOf(chain, 0);
  const double mean = 20 * 2.5 / 0.16 / 126;
  EXPECT_NEAR(moments.mean, mean, 0.02 * mean);
  EXPECT_NEAR(moments.mean, mean, 0.02 / std::sqrt(126)) << "of the deviation, too";
  EXPECT_NEAR(moments.deviation, 1 / std::sqrt(126), 0.02 / std::sqrt(126));
}

// Values of normal(mu, sigma) with the prior 1 / sigma^2 for both: sigma^2 has an inverse gamma and
// mu a Student's t distribution. With n values of variance s^2 (divisor n - 1), n - 1 = v: mu -
// mean has v degrees of freedom and scale s / sqrt n, deviation s / sqrt n * sqrt(v / (v - 2));
// sigma^2 has the mean v s^2 / (v - 2). Here n = 12, s = 0.3, mean = 0.8.
TEST(EnsembleTest, AgreesWithStudentsPosteriorOfMeanAndNoise) {
  constexpr double kCount = 12, kDegrees = kCount - 1, kMean = 0.8, kVariance = 0.09;
  const auto log_posterior = [](std::span<const double> at) {
    const double mu = at[0], variance = at[1];
    if (variance <= 0) return kNever;
    const double squares = kDegrees * kVariance + kCount * (kMean - mu) * (kMean - mu);
    return -(kCount / 2 + 1) * std::log(variance) - squares / (2 * variance);
  };
  Rng rng(2);
  const std::vector<double> start = Ball({0.8, 0.09}, 40, rng);
  const EnsembleChain chain =
      SampleEnsemble(Each(2, log_posterior), start,
                     {.walkers = 40, .steps = 20000, .burn_in = 500, .thin = 5}, rng);
  const double deviation = std::sqrt(kVariance / kCount * kDegrees / (kDegrees - 2));
  EXPECT_NEAR(MomentsOf(chain, 0).mean, kMean, 0.02 * deviation);
  EXPECT_NEAR(MomentsOf(chain, 0).deviation, deviation, 0.02 * deviation);
  const double variance = kDegrees * kVariance / (kDegrees - 2);
  EXPECT_NEAR(MomentsOf(chain, 1).mean, variance, 0.02 * variance);
}

// Normal with scales 1 and 1000 and correlation 0.99: the sampler is affine invariant.
TEST(EnsembleTest, DoesNotMindScalesAndCorrelation) {
  const auto density = [](std::span<const double> at) {
    const double u = at[0] - 3, v = (at[1] + 500) / 1000, r = 0.99;
    return -0.5 * (u * u - 2 * r * u * v + v * v) / (1 - r * r);
  };
  Rng rng(3);
  const std::vector<double> start = Ball({3, -500}, 40, rng);
  const EnsembleChain chain = SampleEnsemble(
      Each(2, density), start, {.walkers = 40, .steps = 15000, .burn_in = 1000, .thin = 5}, rng);
  EXPECT_NEAR(MomentsOf(chain, 0).mean, 3, 0.02 * 3);
  EXPECT_NEAR(MomentsOf(chain, 0).deviation, 1, 0.02);
  EXPECT_NEAR(MomentsOf(chain, 1).mean, -500, 0.04 * 1000);
  EXPECT_NEAR(MomentsOf(chain, 1).deviation, 1000, 0.02 * 1000);
}

// exp(-x) above 0: mean and deviation 1. No samples below 0, where the density is 0.
TEST(EnsembleTest, KeepsOutOfWhereNothingIs) {
  const auto density = [](std::span<const double> at) {
    return at[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : -at[0];
  };
  Rng rng(4);
  std::vector<double> start;
  for (int i = 0; i < 20; ++i) start.push_back(0.1 * (i + 1));
  const EnsembleChain chain = SampleEnsemble(
      Each(1, density), start, {.walkers = 20, .steps = 20000, .burn_in = 500, .thin = 5}, rng);
  EXPECT_NEAR(MomentsOf(chain, 0).mean, 1, 0.02);
  EXPECT_NEAR(MomentsOf(chain, 0).deviation, 1, 0.02);
  for (size_t i = 0; i < chain.size(); ++i) ASSERT_GE(chain.at(i)[0], 0);
}

TEST(EnsembleTest, KeepsWhatItWasAskedToKeep) {
  const LogDensity flat = Each(1, [](std::span<const double>) { return 0.0; });
  Rng rng(5);
  const std::vector<double> start = {0, 1, 2, 3};
  const EnsembleChain chain =
      SampleEnsemble(flat, start, {.walkers = 4, .steps = 25, .burn_in = 5, .thin = 10}, rng);
  EXPECT_EQ(chain.size(), 2u * 4) << "after steps 6 and 16";
  EXPECT_EQ(chain.acceptance, 1) << "in one dimension a flat density takes every move";
}

TEST(EnsembleTest, RepeatsItself) {
  const LogDensity density = Each(1, [](std::span<const double> at) { return -at[0] * at[0]; });
  const std::vector<double> start = {0, 1, 2, 3};
  const EnsembleOptions options = {.walkers = 4, .steps = 50, .burn_in = 10, .thin = 1};
  Rng one(6), same(6), other(7);
  const std::vector<double> samples = SampleEnsemble(density, start, options, one).samples;
  EXPECT_EQ(SampleEnsemble(density, start, options, same).samples, samples);
  EXPECT_NE(SampleEnsemble(density, start, options, other).samples, samples);
}

TEST(EnsembleTest, RefusesTooFewWalkers) {
  const LogDensity flat = Each(2, [](std::span<const double>) { return 0.0; });
  const std::vector<double> start(6);
  Rng rng(8);
  EXPECT_THROW(SampleEnsemble(flat, start, {.walkers = 3}, rng), std::logic_error);
  EXPECT_THROW(SampleEnsemble(flat, start, {.walkers = 4}, rng), std::logic_error);
}

TEST(EnsembleTest, AStopEndsItBetweenSteps) {
  std::atomic<bool> stop = false;
  int calls = 0;
  const LogDensity density = [&](std::span<const double>, std::span<double> log_densities) {
    std::fill(log_densities.begin(), log_densities.end(), 0.0);
    stop = ++calls == 9;
  };
  Rng rng(1);
  const std::vector<double> start = Ball({0}, 4, rng);
  EXPECT_THROW(
      SampleEnsemble(density, start, {.walkers = 4, .steps = 1'000'000}, rng, StopToken(&stop)),
      Interrupted);
  EXPECT_EQ(calls, 9) << "one at the start, two a step";
}

}  // namespace
}  // namespace schedulegym
