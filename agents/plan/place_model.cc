// The Gaussian process of `bayes`. Each success adds a row to the factor, O(n^2). Every 16 or n / 8
// successes the pool of places and the length are chosen anew and the process is rebuilt from the
// fastest 512, O(n^3), unless the result would be the same. The length is the likeliest of five for
// the targets, times sqrt(dimensions / 8); noise is a place's own interval over the targets'
// deviation. Published (Willemsen et al., PMBS 2021): milliseconds, one length.
#include "agents/plan/place_model.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

constexpr size_t kRenewal = 16, kRenewalPart = 8, kMostPoints = 512;
constexpr double kLengths[] = {0.25, 0.5, 1, 2, 4};
constexpr double kMilliseconds = 1e3;
// Noise of predicted values that stand in for pending ones, in units of the targets' variance.
constexpr double kBeliefNoise = 1e-4;

// Returns the fastest, in the order of their measurement.
std::vector<const MeasuredPlace*> FastestOf(std::vector<const MeasuredPlace*> places) {
  if (places.size() <= kMostPoints) return places;
  std::vector<const MeasuredPlace*> fastest = places;
  std::ranges::stable_sort(fastest, std::greater<>(), &MeasuredPlace::speed);
  const double least = fastest[kMostPoints - 1]->speed;
  std::erase_if(places, [&](const MeasuredPlace* one) { return one->speed < least; });
  return places;
}

double DeviationOf(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size()));
  return deviation > 0 ? deviation : 1;
}

}  // namespace

double PlaceModel::TargetOf(const MeasuredPlace& place) const {
  // A measurer without seconds reports only the ratio.
  const double seconds = place.seconds > 0 ? place.seconds : 1 / place.speed;
  return options_.has_log_targets ? std::log(seconds) : seconds * kMilliseconds;
}

double PlaceModel::TimeOf(double target) const {
  return options_.has_log_targets ? std::exp(target) : target;
}

double PlaceModel::Best() const { return *std::ranges::min_element(targets_); }

void PlaceModel::Fit(const PlaceBook& book, Rng& rng) {
  Successes successes;
  for (const MeasuredPlace& one : book.measured()) {
    if (one.ok()) successes.push_back(&one);
  }
  const bool is_same =
      process_ && !has_beliefs_ && considered_.size() <= successes.size() &&
      std::ranges::equal(considered_, std::span(successes).first(considered_.size()), {}, {},
                         &MeasuredPlace::key);
  if (!is_same || successes.size() >= renewal_) Renew(book, successes, is_same, rng);
  for (size_t i = considered_.size(); i < successes.size(); ++i) {
    AddTo(*process_, book, *successes[i]);
    considered_.push_back(successes[i]->key);
    fitted_.push_back(successes[i]->key);
  }
  targets_.clear();
  for (const Key& key : fitted_) targets_.push_back(TargetOf(*book.Find(key)));
}

void PlaceModel::Renew(const PlaceBook& book, const Successes& successes, bool is_same, Rng& rng) {
  renewal_ = successes.size() + std::max(kRenewal, successes.size() / kRenewalPart);
  const bool has_points = pool_.is_complete;
  if (!has_points) pool_ = PlacePool::Make(book, options_.pool, rng);
  const Successes chosen = FastestOf(successes);
  targets_.clear();
  for (const MeasuredPlace* one : chosen) targets_.push_back(TargetOf(*one));
  deviation_ = DeviationOf(targets_);
  const double length = options_.process.length;
  if (options_.fits_length) ChooseLength(book, chosen);
  // Rows were added as successes came in, so a rebuilt process would be equal.
  if (is_same && has_points && length == options_.process.length &&
      chosen.size() == successes.size()) {
    return;
  }
  process_.emplace(options_.process, pool_.PointsOf(book.field(), coordinates_));
  has_beliefs_ = false;
  considered_.clear();
  fitted_.clear();
  for (const MeasuredPlace* one : chosen) {
    AddTo(*process_, book, *one);
    fitted_.push_back(one->key);
  }
  for (const MeasuredPlace* one : successes) considered_.push_back(one->key);
}

void PlaceModel::ChooseLength(const PlaceBook& book, const Successes& chosen) {
  GaussianOptions options = options_.process;
  std::optional<double> best;
  for (const double length : kLengths) {
    options.length = length * std::sqrt(coordinates_.dimensions() / 8.0);
    GaussianProcess process(options, {coordinates_.dimensions(), {}});
    for (const MeasuredPlace* one : chosen) AddTo(process, book, *one);
    const double likelihood = process.LogLikelihood(targets_);
    if (best && likelihood <= *best) continue;
    best = likelihood;
    options_.process.length = options.length;
  }
}

void PlaceModel::AddTo(GaussianProcess& process, const PlaceBook& book,
                       const MeasuredPlace& place) const {
  book.stop().Check();
  std::vector<double> point;
  coordinates_.Append(book.field(), place.place, point);
  if (!options_.has_interval_noise) return process.Add(point, 0);
  // The book's noise is of logarithms, that is, a share of the time.
  const double unit = options_.has_log_targets ? 1 : TargetOf(place);
  process.Add(point, std::pow(place.noise * unit / deviation_, 2));
}

void PlaceModel::Believe(const KnobField& field, int place, double target) {
  std::vector<double> point;
  coordinates_.Append(field, pool_.places[place], point);
  process_->Add(point, kBeliefNoise);
  targets_.push_back(target);
  has_beliefs_ = true;
}

}  // namespace schedulegym
