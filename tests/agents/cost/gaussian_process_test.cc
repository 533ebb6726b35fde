#include "agents/cost/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

PointList Line(std::vector<double> values) { return {1, std::move(values)}; }

TEST(GaussianProcessTest, MaternAtThreeDistances) {
  EXPECT_NEAR(KernelValue(GaussianKernel::kMatern32, 0.25, 1.5), 0.965547, 1e-6);
  EXPECT_NEAR(KernelValue(GaussianKernel::kMatern32, 0.5, 1.5), 0.885499, 1e-6);
  EXPECT_NEAR(KernelValue(GaussianKernel::kMatern32, 1, 1.5), 0.679058, 1e-6);
  EXPECT_NEAR(KernelValue(GaussianKernel::kSquared, 1.5, 1.5), std::exp(-0.5), 1e-12);
  EXPECT_EQ(KernelValue(GaussianKernel::kMatern52, 0, 1.5), 1);
}

// Between 0 and 1 with values -1 and 1, predicted at 0.25. Their mean is 0 and their deviation 1,
// so that normalising changes nothing.
TEST(GaussianProcessTest, PosteriorOfTwoPoints) {
  GaussianProcess process({}, Line({0.25}));
  const std::vector<double> zero = {0}, one = {1};
  process.Add(zero);
  process.Add(one);
  const std::vector<double> targets = {-1, 1};
  const Posterior found = process.Predict(targets)[0];
  EXPECT_NEAR(found.mean, -0.562903, 1e-5);
  EXPECT_NEAR(found.deviation * found.deviation, 0.036730, 1e-5);
}

// With one point and k = 0.5 the mean is half its value; its likelihood is a normal one.
TEST(GaussianProcessTest, LikelihoodOfTwoIndependentPoints) {
  GaussianProcess process({.kernel = GaussianKernel::kSquared, .length = 1e-3}, Line({}));
  const std::vector<double> zero = {0}, one = {1};
  process.Add(zero);
  process.Add(one);
  const std::vector<double> targets = {3, 5};  // normalised -1 and 1
  EXPECT_NEAR(process.LogLikelihood(targets), -1 - std::log(2 * M_PI), 1e-6);
}

TEST(GaussianProcessTest, KnowsWhatItWasTold) {
  GaussianProcess process({}, Line({0, 0.5, 1}));
  for (const double x : {0.0, 0.5, 1.0}) process.Add(std::vector<double>{x});
  const std::vector<double> targets = {30, 10, 20};
  const std::vector<Posterior> found = process.Predict(targets);
  for (size_t i = 0; i < targets.size(); ++i) {
    EXPECT_NEAR(found[i].mean, targets[i], 1e-5);
    EXPECT_NEAR(found[i].deviation, 0, 1e-3);
  }
}

// Adding points one by one equals rebuilding the process from the pool and all points.
TEST(GaussianProcessTest, GrowingEqualsMakingAnew) {
  Rng rng(1);
  PointList pool{3, {}};
  for (int i = 0; i < 60; ++i) pool.values.push_back(rng.Uniform());
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 40; ++i) points.push_back({rng.Uniform(), rng.Uniform(), rng.Uniform()});
  std::vector<double> targets;
  GaussianProcess grown({.noise = 1e-6}, pool);
  for (const std::vector<double>& point : points) {
    grown.Add(point);
    targets.push_back(point[0] * point[1] - point[2]);
    grown.Predict(targets);
  }
  GaussianProcess anew({.noise = 1e-6}, pool);
  for (const std::vector<double>& point : points) anew.Add(point);
  const std::vector<Posterior> a = grown.Predict(targets), b = anew.Predict(targets);
  for (int i = 0; i < pool.size(); ++i) {
    EXPECT_NEAR(a[i].mean, b[i].mean, 1e-9);
    EXPECT_NEAR(a[i].deviation, b[i].deviation, 1e-9);
  }
}

// Equal points make a covariance without noise singular: the noise grows until it is definite.
TEST(GaussianProcessTest, DuplicatesRaiseTheNoise) {
  GaussianProcess process({.noise = 1e-14}, Line({0.5}));
  for (int i = 0; i < 4; ++i) process.Add(std::vector<double>{0.5});
  EXPECT_GT(process.raises(), 0);
  EXPECT_LE(process.raises(), 6);
  const std::vector<double> targets = {1, 2, 3, 2};
  EXPECT_NEAR(process.Predict(targets)[0].mean, 2, 1e-3);
}

TEST(GaussianProcessTest, BeforeAnyPointNothingIsKnown) {
  const GaussianProcess process({}, Line({0, 1}));
  const std::vector<Posterior> found = process.Predict({});
  EXPECT_EQ(found[1].mean, 0);
  EXPECT_EQ(found[1].deviation, 1);
}

}  // namespace
}  // namespace schedulegym
