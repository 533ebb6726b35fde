// GaussianProcess: exact regression by kernels over a pool of points, which grows row by row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace schedulegym {

enum class GaussianKernel : uint8_t { kMatern32, kMatern52, kSquared };

// The covariance of two values of unit variance whose points lie so far apart.
double KernelValue(GaussianKernel kernel, double distance, double length);

struct GaussianOptions {
  GaussianKernel kernel = GaussianKernel::kMatern32;
  double length = 1.5;
  double noise = 1e-10;  // least variance of a target, in units of their variance
};

// Points one after another, of `dimensions` coordinates each.
struct PointList {
  int dimensions = 1;
  std::vector<double> values;

  int size() const { return static_cast<int>(values.size()) / dimensions; }
  std::span<const double> operator[](int i) const {
    return std::span(values).subspan(static_cast<size_t>(i) * dimensions, dimensions);
  }
};

// What is thought of a value: its mean and standard deviation.
struct Posterior {
  double mean = 0;
  double deviation = 0;
};

class GaussianProcess {
 public:
  // The pool is what Predict speaks of.
  GaussianProcess(const GaussianOptions& options, PointList pool);
  ~GaussianProcess();
  GaussianProcess(GaussianProcess&& other) noexcept;
  GaussianProcess& operator=(GaussianProcess&& other) noexcept;

  // One more point with a target, which has at least this variance beside the kernel's. Where the
  // covariance is no longer positive definite, the noise of all grows tenfold, at most six times.
  // Cost: points * (points + pool).
  void Add(std::span<const double> point, double noise = 0);
  int size() const;
  // How often the noise grew.
  int raises() const;

  // Of each point of the pool, from a target for each point that was added, in order; in units of
  // the targets, which are normalised within. Cost: points * pool.
  std::vector<Posterior> Predict(std::span<const double> targets) const;
  // The logarithm of the likelihood of normalised targets.
  double LogLikelihood(std::span<const double> targets) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace schedulegym
