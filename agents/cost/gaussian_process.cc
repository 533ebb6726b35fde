// Gaussian process regression (Rasmussen and Williams, 2006, algorithm 2.1) with a factor that
// grows. With K = L L^T over the points and z = L^-1 y,
//   mean = v^T z,  variance = 1 - v^T v,  v = L^-1 k(points, x)
// for each point x of the pool. A new point adds a row to L and a row to the matrix V of all v:
//   l = L^-1 k(points, new),  d = sqrt(1 + noise - l^T l),  row of V = (k(new, pool) - l^T V) / d.
// Cost: O(n^2 + n * pool) a point, O(n * pool) a prediction.
#include "agents/cost/gaussian_process.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr int kMostRaises = 6;
constexpr double kRaise = 10;
// With a smaller pivot a row of the factor has no significant digits.
constexpr double kLeastPivot = 1e-12;

double DistanceOf(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

struct Normalised {
  Eigen::VectorXd values;
  double mean = 0;
  double deviation = 1;
};

Normalised Normalise(std::span<const double> targets) {
  Normalised normalised;
  normalised.values = Eigen::Map<const Eigen::VectorXd>(targets.data(), std::ssize(targets));
  if (targets.empty()) return normalised;
  normalised.mean = normalised.values.mean();
  normalised.values.array() -= normalised.mean;
  const double variance = normalised.values.squaredNorm() / static_cast<double>(targets.size());
  if (variance > 0) normalised.deviation = std::sqrt(variance);
  normalised.values /= normalised.deviation;
  return normalised;
}

}  // namespace

double KernelValue(GaussianKernel kernel, double distance, double length) {
  const double ratio = distance / length;
  switch (kernel) {
    case GaussianKernel::kMatern32: {
      const double x = std::sqrt(3.0) * ratio;
      return (1 + x) * std::exp(-x);
    }
    case GaussianKernel::kMatern52: {
      const double x = std::sqrt(5.0) * ratio;
      return (1 + x + x * x / 3) * std::exp(-x);
    }
    case GaussianKernel::kSquared: return std::exp(-ratio * ratio / 2);
  }
  return 0;
}

struct GaussianProcess::Parts {
  GaussianOptions options;
  PointList pool, points;
  std::vector<double> noises;  // by point: noise of its target
  int raises = 0;
  Eigen::MatrixXd factor;     // lower triangle; the first size() rows and columns count
  Eigen::MatrixXd whitened;   // V: a column for each point of the pool
  Eigen::VectorXd explained;  // by point of the pool: v^T v

  double Kernel(std::span<const double> a, std::span<const double> b) const {
    return KernelValue(options.kernel, DistanceOf(a, b), options.length);
  }
  double NoiseOf(int i) const {
    return (options.noise + noises[i]) * std::pow(kRaise, static_cast<double>(raises));
  }

  void Reserve(int rows) {
    if (factor.rows() >= rows) return;
    const auto size = std::max<Eigen::Index>(2 * factor.rows(), std::max(rows, 32));
    factor.conservativeResize(size, size);
    whitened.conservativeResize(size, pool.size());
  }

  // Computes row i of the factor and of V. Returns false if no variance is left.
  bool AddRow(int i) {
    Reserve(i + 1);
    Eigen::VectorXd row(i);
    for (int j = 0; j < i; ++j) row[j] = Kernel(points[i], points[j]);
    if (i > 0) factor.topLeftCorner(i, i).triangularView<Eigen::Lower>().solveInPlace(row);
    const double left = 1 + NoiseOf(i) - row.squaredNorm();
    if (!(left > kLeastPivot)) return false;
    const double pivot = std::sqrt(left);
    factor.row(i).head(i) = row.transpose();
    factor(i, i) = pivot;
    Eigen::RowVectorXd across(pool.size());
    for (int j = 0; j < pool.size(); ++j) across[j] = Kernel(points[i], pool[j]);
    if (i > 0) across -= row.transpose() * whitened.topRows(i);
    across /= pivot;
    whitened.row(i) = across;
    explained += across.transpose().cwiseAbs2();
    return true;
  }

  bool Refactor() {
    explained = Eigen::VectorXd::Zero(pool.size());
    for (int i = 0; i < points.size(); ++i) {
      if (!AddRow(i)) return false;
    }
    return true;
  }

  Eigen::VectorXd Whiten(Eigen::VectorXd values) const {
    const auto size = values.size();
    factor.topLeftCorner(size, size).triangularView<Eigen::Lower>().solveInPlace(values);
    return values;
  }
};

GaussianProcess::GaussianProcess(const GaussianOptions& options, PointList pool)
    : parts_(std::make_unique<Parts>()) {
  parts_->options = options;
  parts_->points.dimensions = pool.dimensions;
  parts_->pool = std::move(pool);
  parts_->explained = Eigen::VectorXd::Zero(parts_->pool.size());
}

GaussianProcess::~GaussianProcess() = default;
GaussianProcess::GaussianProcess(GaussianProcess&& other) noexcept = default;
GaussianProcess& GaussianProcess::operator=(GaussianProcess&& other) noexcept = default;

void GaussianProcess::Add(std::span<const double> point, double noise) {
  Parts& parts = *parts_;
  parts.points.values.insert(parts.points.values.end(), point.begin(), point.end());
  parts.noises.push_back(noise);
  bool is_definite = parts.AddRow(parts.points.size() - 1);
  while (!is_definite && parts.raises < kMostRaises) {
    ++parts.raises;
    is_definite = parts.Refactor();
  }
  if (is_definite) return;
  parts.options.noise = std::max(parts.options.noise, 1e-6);
  is_definite = parts.Refactor();
  SG_CHECK(is_definite, "a covariance with noise is positive definite");
}

int GaussianProcess::size() const { return parts_->points.size(); }
int GaussianProcess::raises() const { return parts_->raises; }

std::vector<Posterior> GaussianProcess::Predict(std::span<const double> targets) const {
  const Parts& parts = *parts_;
  SG_CHECK(std::ssize(targets) == size(), "a target for each point");
  const Normalised normalised = Normalise(targets);
  Eigen::VectorXd means = Eigen::VectorXd::Zero(parts.pool.size());
  if (size() > 0) {
    means = parts.whitened.topRows(size()).transpose() * parts.Whiten(normalised.values);
  }
  std::vector<Posterior> posterior;
  for (int i = 0; i < parts.pool.size(); ++i) {
    const double variance = std::max(1 - parts.explained[i], 0.0);
    posterior.push_back({normalised.mean + normalised.deviation * means[i],
                         normalised.deviation * std::sqrt(variance)});
  }
  return posterior;
}

double GaussianProcess::LogLikelihood(std::span<const double> targets) const {
  const Parts& parts = *parts_;
  SG_CHECK(std::ssize(targets) == size(), "a target for each point");
  const double fit = parts.Whiten(Normalise(targets).values).squaredNorm();
  const double volume = parts.factor.diagonal().head(size()).array().log().sum();
  return -fit / 2 - volume - size() * std::log(2 * std::numbers::pi) / 2;
}

}  // namespace schedulegym
