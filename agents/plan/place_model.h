// PlaceModel: a Gaussian process over measured places, and the pool that it predicts.
#pragma once

#include <optional>
#include <vector>

#include "agents/common/place_book.h"
#include "agents/cost/gaussian_process.h"
#include "agents/plan/place_pool.h"

namespace schedulegym {

struct PlaceModelOptions {
  GaussianOptions process;
  bool has_log_targets = true;     // log seconds, else milliseconds
  bool has_interval_noise = true;  // a target has the noise of its recorded interval, too
  bool fits_length = true;         // the length is the likeliest of five
  // Each knob goes from 0 to 1, numbers as logarithms; else all knobs have one spacing.
  bool has_own_spacing = true;
  int pool = 4096;  // places, where there are more than 20,000
};

class PlaceModel {
 public:
  PlaceModel(const PlaceModelOptions& options, const KnobField& field)
      : options_(options), coordinates_(field, !options.has_own_spacing) {}

  // Adds new measurements; at least one must be a success. After 16 more successes, or an eighth
  // more, pool and length are chosen again. Of many successes it then uses the fastest 512 and
  // those that follow.
  void Fit(const PlaceBook& book, Rng& rng);
  // Counts a place of the pool as measured, at the value predicted for it, until the next Fit.
  void Believe(const KnobField& field, int place, double target);

  const std::vector<FieldPlace>& pool() const { return pool_.places; }
  // Of each place of the pool.
  std::vector<Posterior> Predict() const { return process_->Predict(targets_); }
  // The least target, the deviation of all, and the milliseconds or seconds that a target means.
  double Best() const;
  double deviation() const { return options_.has_log_targets ? deviation_ : 1; }
  double TimeOf(double target) const;
  double TargetOf(const MeasuredPlace& place) const;
  const std::vector<double>& targets() const { return targets_; }
  // Whether equal points have raised the noise.
  bool is_raised() const { return process_->raises() > 0; }

 private:
  using Successes = std::vector<const MeasuredPlace*>;

  void Renew(const PlaceBook& book, const Successes& successes, bool is_same, Rng& rng);
  void ChooseLength(const PlaceBook& book, const Successes& chosen);
  void AddTo(GaussianProcess& process, const PlaceBook& book, const MeasuredPlace& place) const;

  PlaceModelOptions options_;
  PlaceCoordinates coordinates_;
  PlacePool pool_;
  std::optional<GaussianProcess> process_;
  std::vector<Key> considered_, fitted_;  // successes so far, and those that are points
  std::vector<double> targets_;           // of these, and of predicted stand-ins
  bool has_beliefs_ = false;
  size_t renewal_ = 0;  // number of successes at which it is made again
  double deviation_ = 1;
};

}  // namespace schedulegym
