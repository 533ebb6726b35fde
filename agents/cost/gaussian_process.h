// GaussianProcess: exact Gaussian process regression over a pool of points, updated point by point.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace schedulegym {

enum class GaussianKernel : uint8_t { kMatern32, kMatern52, kSquared };

// Covariance of two values of unit variance whose points have this Euclidean distance.
double KernelValue(GaussianKernel kernel, double distance, double length);

struct GaussianOptions {
  GaussianKernel kernel = GaussianKernel::kMatern32;
  double length = 1.5;
  double noise = 1e-10;  // least variance of a target, in units of their variance
};

// Points in row-major order, with `dimensions` coordinates each.
struct PointList {
  int dimensions = 1;
  std::vector<double> values;

  int size() const { return static_cast<int>(values.size()) / dimensions; }
  std::span<const double> operator[](int i) const {
    return std::span(values).subspan(static_cast<size_t>(i) * dimensions, dimensions);
  }
};

// Posterior mean and standard deviation of a value.
struct Posterior {
  double mean = 0;
  double deviation = 0;
};

class GaussianProcess {
 public:
  // `pool`: the points at which Predict evaluates the posterior.
  GaussianProcess(const GaussianOptions& options, PointList pool);
  ~GaussianProcess();
  GaussianProcess(GaussianProcess&& other) noexcept;
  GaussianProcess& operator=(GaussianProcess&& other) noexcept;

  // Adds a point; `noise` is added to the noise variance of its target. While the covariance is not
  // positive definite, the noise of all points grows tenfold, at most six times. Cost: points *
  // (points + pool).
  void Add(std::span<const double> point, double noise = 0);
  int size() const;
  // Number of times that the noise grew.
  int raises() const;

  // Posterior at each point of the pool. `targets`: one for each added point, in order; they are
  // normalised internally, and results have their units. Cost: points * pool.
  std::vector<Posterior> Predict(std::span<const double> targets) const;
  // Log-likelihood of the normalised targets.
  double LogLikelihood(std::span<const double> targets) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace schedulegym
