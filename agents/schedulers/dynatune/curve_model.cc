// Extrapolates the best speed of a task (Domhan et al., IJCAI 2015; DynaTune): values over their
// largest;
// 1. fit each family by least squares from two starts; drop those that do not converge, or whose
//    value at the horizon is below 0 or above 100;
// 2. sample weights, parameters and noise by an affine-invariant ensemble (ensemble.h; 100 walkers,
//    2500 steps, 500 burnt in for the nine families) started in a small ball around the fits;
// 3. forecasts are mean and deviation over the samples.
// Recency weights are 10^(i / n), as in pylrpredictor. Fewer than 3 points give no model.
// Cost: walkers * steps evaluations of all curves.
#include "agents/schedulers/dynatune/curve_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agents/normal.h"
#include "agents/schedulers/dynatune/least_squares.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Fewest points for a fit.
constexpr size_t kLeastPoints = 3;
// Limit of a curve's value at the horizon, over the best so far (released: y_lim_sanity_check).
constexpr double kMostAtHorizon = 100;
// Strength of a prior in the least squares: that of one point with this noise.
constexpr double kUsualNoise = 0.05;

// Returns 10^(i / n) for point i of n: pylrpredictor's recency_weights.
std::vector<double> PointWeights(size_t count, bool recency) {
  std::vector<double> weights(count, 1);
  for (size_t i = 0; recency && i < count; ++i) {
    weights[i] = std::pow(10, static_cast<double>(i) / static_cast<double>(count));
  }
  return weights;
}

// Fits one curve by least squares.
class CurveFit {
 public:
  CurveFit(CurveFamily family, const CurvePoints& points, const CurvePrior& prior)
      : family_(family), points_(points), prior_(prior), values_(points.x.size()) {
    for (double x : points.x) at_.push_back({x, std::log(x)});
    for (const CurveParameter& each : EntryOf(family).parameters) {
      bounds_.push_back({each.low, each.high});
    }
  }

  // Fits from several starts and returns the best; nullopt if none converges to a possible curve.
  std::optional<std::vector<double>> Best(int most_iterations) {
    std::optional<LeastSquaresFit> best;
    for (const CurveParameters& start : CurveStarts(family_, points_.x, points_.y)) {
      LeastSquaresFit fit = FitLeastSquares(
          [this](std::span<const double> p, std::span<double> out) { Residuals(p, out); },
          at_.size() + prior_.size(), bounds_, {start.begin(), start.begin() + bounds_.size()},
          {.most_iterations = most_iterations});
      if (!fit.converged || !IsPossible(family_, fit.parameters)) continue;
      if (!best || fit.squared_error < best->squared_error) best = std::move(fit);
    }
    return best ? std::optional(best->parameters) : std::nullopt;
  }

 private:
  void Residuals(std::span<const double> parameters, std::span<double> residuals) {
    CurveValues(family_, parameters, at_, values_);
    for (size_t i = 0; i < values_.size(); ++i) {
      residuals[i] = std::sqrt(points_.weights[i]) * (values_[i] - points_.y[i]);
    }
    for (size_t i = 0; i < prior_.size(); ++i) {
      residuals[values_.size() + i] =
          prior_[i] ? kUsualNoise * (parameters[i] - prior_[i]->mean) / prior_[i]->deviation : 0;
    }
  }

  CurveFamily family_;
  const CurvePoints& points_;
  const CurvePrior& prior_;
  std::vector<CurvePoint<double>> at_;
  std::vector<double> values_;
  std::vector<ParameterBounds> bounds_;
};

struct Start {
  std::vector<CurveFamily> families;
  std::vector<double> parameters;  // of each in turn
};

Start LeastSquares(const CurveModelOptions& options, const CurvePoints& points, double horizon,
                   const CurvePrior& prior, const StopToken& stop) {
  Start start;
  for (CurveFamily family : options.families) {
    stop.Check();
    const bool is_first = family == options.families[0];
    const std::optional<std::vector<double>> fit =
        CurveFit(family, points, is_first ? prior : CurvePrior()).Best(options.most_fit_iterations);
    if (!fit) continue;
    const double end = CurveValue(family, *fit, horizon);
    if (!(end >= 0 && end <= kMostAtHorizon)) continue;
    start.families.push_back(family);
    start.parameters.insert(start.parameters.end(), fit->begin(), fit->end());
  }
  return start;
}

// Returns the fits with equal weights, and the noise that they leave.
std::vector<double> Position(const CurvePosterior& posterior, const CurvePoints& points,
                             std::vector<double> parameters) {
  const size_t noise = parameters.size();
  parameters.resize(posterior.dimensions(), kFirstCurveWeight);
  double squares = 0, weights = 0;
  for (size_t i = 0; i < points.x.size(); ++i) {
    const double residual = posterior.ValueAt(parameters, points.x[i]) - points.y[i];
    squares += points.weights[i] * residual * residual;
    weights += points.weights[i];
  }
  parameters[noise] = std::clamp(std::sqrt(squares / weights), kLeastNoise, kMostNoise);
  return parameters;
}

std::vector<double> Ball(std::span<const double> center, std::span<const ParameterBounds> bounds,
                         int walkers, double radius, Rng& rng) {
  std::vector<double> positions;
  for (int walker = 0; walker < walkers; ++walker) {
    for (size_t i = 0; i < center.size(); ++i) {
      const double drawn = center[i] + radius * DrawNormal(rng);
      positions.push_back(std::clamp(drawn, bounds[i].low, bounds[i].high));
    }
  }
  return positions;
}

}  // namespace

CurveModelOptions CombinedCurveModel() {
  CurveModelOptions options;
  options.families.assign(CombinedFamilies().begin(), CombinedFamilies().end());
  options.ensemble = {.walkers = 100, .steps = 2500, .burn_in = 500};
  return options;
}

CurveModelOptions LeastSquaresCurveModel(CurveFamily family) {
  CurveModelOptions options;
  options.families = {family};
  options.samples = false;
  return options;
}

CurveModel::CurveModel(const CurveModelOptions& options, std::span<const double> x,
                       std::span<const double> y, double horizon, const CurvePrior& prior, Rng rng,
                       const StopToken& stop)
    : scale_(y.empty() ? 0 : *std::max_element(y.begin(), y.end())) {
  SG_CHECK(x.size() == y.size(), "as many values as points");
  if (x.size() < kLeastPoints || !(scale_ > 0)) return;
  was_fitted_ = true;
  CurvePoints points = {.x = {x.begin(), x.end()},
                        .weights = PointWeights(x.size(), options.recency)};
  for (double each : y) points.y.push_back(each / scale_);
  Start start = LeastSquares(options, points, horizon, prior, stop);
  if (start.families.empty()) return;
  const bool keeps_first = start.families[0] == options.families[0];
  posterior_.emplace(std::move(start.families), points, keeps_first ? prior : CurvePrior());
  positions_ = Position(*posterior_, points, std::move(start.parameters));
  if (!options.samples) return;
  EnsembleOptions ensemble = options.ensemble;
  ensemble.walkers = std::max(ensemble.walkers, static_cast<int>(2 * posterior_->dimensions()));
  const EnsembleChain chain = SampleEnsemble(
      [this](std::span<const double> positions, std::span<double> log_densities) {
        posterior_->LogDensities(positions, log_densities);
      },
      Ball(positions_, posterior_->bounds(), ensemble.walkers, options.ball, rng), ensemble, rng,
      stop);
  positions_ = chain.samples;
  acceptance_ = chain.acceptance;
}

std::span<const CurveFamily> CurveModel::families() const {
  if (!posterior_) return {};
  return posterior_->families();
}

// Returns mean and deviation over the samples, in units of y; nullopt if no sample is finite.
template <class Value>
std::optional<Forecast> CurveModel::Average(Value value) const {
  if (!posterior_) return std::nullopt;
  const size_t dimensions = posterior_->dimensions();
  double sum = 0, squares = 0, count = 0;
  for (size_t begin = 0; begin < positions_.size(); begin += dimensions) {
    const double each = value(std::span(positions_).subspan(begin, dimensions));
    if (!std::isfinite(each)) continue;
    sum += each;
    squares += each * each;
    ++count;
  }
  if (count == 0) return std::nullopt;
  const double mean = sum / count;
  const double variance = std::max(squares / count - mean * mean, 0.0);
  return Forecast{scale_ * mean, scale_ * std::sqrt(variance)};
}

Forecast CurveModel::At(double x) const {
  return Average([&](std::span<const double> position) { return posterior_->ValueAt(position, x); })
      .value_or(Forecast{.mean = scale_});
}

Forecast CurveModel::Rise(double from, double to) const {
  return Average([&](std::span<const double> position) {
           return posterior_->ValueAt(position, to) - posterior_->ValueAt(position, from);
         })
      .value_or(Forecast());
}

std::vector<NormalPrior> CurveModel::Parameters() const {
  std::vector<NormalPrior> moments;
  if (!posterior_) return moments;
  const size_t dimensions = posterior_->dimensions();
  const size_t positions = positions_.size() / dimensions;
  const auto count = static_cast<double>(positions);
  for (size_t i = 0; i < EntryOf(posterior_->families()[0]).parameters.size(); ++i) {
    double sum = 0, squares = 0;
    for (size_t at = i; at < positions_.size(); at += dimensions) {
      sum += positions_[at];
      squares += positions_[at] * positions_[at];
    }
    const double mean = sum / count;
    moments.push_back({mean, std::sqrt(std::max(squares / count - mean * mean, 0.0))});
  }
  return moments;
}

CurvePrior SharedPrior(std::span<const std::vector<NormalPrior>> parameters) {
  CurvePrior prior;
  const auto count = static_cast<double>(parameters.size());
  for (size_t i = 0; !parameters.empty() && i < parameters[0].size(); ++i) {
    double sum = 0, squares = 0;
    for (const std::vector<NormalPrior>& each : parameters) {
      SG_CHECK(each.size() == parameters[0].size(), "parameters of one family");
      sum += each[i].mean;
      squares += each[i].mean * each[i].mean + each[i].deviation * each[i].deviation;
    }
    const double mean = sum / count, variance = squares / count - mean * mean;
    prior.emplace_back();
    if (i > 0 && variance > 0) prior.back() = {mean, std::sqrt(variance)};
  }
  return prior;
}

}  // namespace schedulegym
