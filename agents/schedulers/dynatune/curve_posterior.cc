#include "agents/schedulers/dynatune/curve_posterior.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

bool IsWithin(double value, const ParameterBounds& bounds) {
  return value >= bounds.low && value <= bounds.high;
}

}  // namespace

CurvePosterior::CurvePosterior(std::vector<CurveFamily> families, const CurvePoints& points,
                               CurvePrior prior)
    : families_(std::move(families)),
      prior_(std::move(prior)),
      error_(points.x, points.y, points.weights),
      count_(std::accumulate(points.weights.begin(), points.weights.end(), 0.0)) {
  SG_CHECK(!families_.empty() && families_.size() <= kMostCurves, "at least one curve");
  SG_CHECK(prior_.size() <= EntryOf(families_[0]).parameters.size(), "priors of its parameters");
  for (CurveFamily family : families_) {
    for (const CurveParameter& each : EntryOf(family).parameters) {
      bounds_.push_back({each.low, each.high});
    }
  }
  noise_ = bounds_.size();
  bounds_.push_back({kLeastNoise, kMostNoise});
  if (families_.size() == 1) return;
  bounds_.insert(bounds_.end(), families_.size(), {0, kMostCurveWeight});
}

void CurvePosterior::LogDensities(std::span<const double> positions,
                                  std::span<double> log_densities) {
  for (size_t i = 0; i < log_densities.size(); ++i) {
    log_densities[i] = LogDensity(positions.subspan(i * dimensions(), dimensions()));
  }
}

double CurvePosterior::LogPrior(std::span<const double> position) const {
  double sum = 0;
  for (size_t i = 0; i < prior_.size(); ++i) {
    if (!prior_[i]) continue;
    const double apart = (position[i] - prior_[i]->mean) / prior_[i]->deviation;
    sum -= apart * apart / 2;
  }
  return sum;
}

double CurvePosterior::LogDensity(std::span<const double> position) {
  for (size_t i = noise_; i < dimensions(); ++i) {
    if (!IsWithin(position[i], bounds_[i])) return kImpossible;
  }
  WeightedCurve curves[kMostCurves];
  const bool has_weights = families_.size() > 1;
  double weights = 0;
  size_t begin = 0;
  for (size_t i = 0; i < families_.size(); ++i) {
    const size_t size = EntryOf(families_[i]).parameters.size();
    const std::span<const double> parameters = position.subspan(begin, size);
    if (!IsPossible(families_[i], parameters)) return kImpossible;
    curves[i] = {families_[i], has_weights ? position[noise_ + 1 + i] : 1, parameters};
    weights += curves[i].weight;
    begin += size;
  }
  if (weights <= 0) return kImpossible;
  for (size_t i = 0; i < families_.size(); ++i) curves[i].weight /= weights;
  const double noise = position[noise_];
  const double squares = error_.Of(std::span(curves).first(families_.size()));
  return LogPrior(position) - count_ * std::log(noise) - squares / (2 * noise * noise);
}

double CurvePosterior::ValueAt(std::span<const double> position, double x) const {
  const CurvePoint<double> point = {x, std::log(x)};
  double sum = 0, weights = 0;
  size_t begin = 0;
  for (size_t i = 0; i < families_.size(); ++i) {
    const size_t size = EntryOf(families_[i]).parameters.size();
    const double weight = families_.size() > 1 ? position[noise_ + 1 + i] : 1;
    double value = 0;
    CurveValues(families_[i], position.subspan(begin, size), {&point, 1}, {&value, 1});
    sum += weight * value;
    weights += weight;
    begin += size;
  }
  return sum / weights;
}

}  // namespace schedulegym
