// CurveModel: forecasts a search's best speed after more trials, with its uncertainty.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/schedulers/dynatune/curve_family.h"
#include "agents/schedulers/dynatune/curve_posterior.h"
#include "agents/schedulers/dynatune/ensemble.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"

namespace schedulegym {

// Defaults are those of the model for the bandit in DynaTune's released code (MCMCPredictor).
struct CurveModelOptions {
  std::vector<CurveFamily> families = {CurveFamily::kLogPower};  // several are combined
  bool samples = true;            // else least squares alone, without uncertainty
  EnsembleOptions ensemble;       // walkers: at least two for each dimension
  double ball = 1e-6;             // deviation of the walkers' start from the least squares
  bool recency = false;           // the latest point has ten times the weight of the first
  int most_fit_iterations = 200;  // of the least squares of one curve
};

// All nine families, as their library combines them by default (CurveCombinationModel).
CurveModelOptions CombinedCurveModel();
// One curve by least squares alone: the released code's MLPredictor, of the power law.
CurveModelOptions LeastSquaresCurveModel(CurveFamily family = CurveFamily::kPow2);

// A prediction of the curve, not of a measurement.
struct Forecast {
  double mean = 0;
  double deviation = 0;
};

class CurveModel {
 public:
  // `x` rises from 1 on; `y` is the best speed so far in any unit. `horizon`: the largest x for
  // later calls. A curve that is below 0 there, or above a hundred times the best, is left out, as
  // in the released code. `prior`: for the parameters of the first family. Equal rngs give equal
  // models. Throws Interrupted if `stop` is set meanwhile.
  CurveModel(const CurveModelOptions& options, std::span<const double> x, std::span<const double> y,
             double horizon, const CurvePrior& prior, Rng rng, const StopToken& stop = {});

  // If no fit converged (`has_fallen_back`), predicts no change, with deviation 0.
  Forecast At(double x) const;

  // Returns the rise of the curve from `from` to `to`, independent of the points' distance to it.
  Forecast Rise(double from, double to) const;

  bool has_fallen_back() const { return !posterior_; }
  // False if there were too few points for a fit.
  bool was_fitted() const { return was_fitted_; }
  // The families whose fits converged.
  std::span<const CurveFamily> families() const;
  // The posterior of the first family's parameters, in order; empty after a fallback.
  std::vector<NormalPrior> Parameters() const;
  // The accepted share of the sampler's moves; nullopt for least squares alone.
  std::optional<double> acceptance() const { return acceptance_; }

 private:
  template <class Value>
  std::optional<Forecast> Average(Value value) const;

  double scale_;  // of y
  std::optional<CurvePosterior> posterior_;
  bool was_fitted_ = false;
  std::vector<double> positions_;  // drawn from the posterior; one for least squares alone
  std::optional<double> acceptance_;
};

// Mixes the parameters of similar searches' curves into a prior for another. It leaves out the
// first parameter, the height, which each curve scales by its own best. Empty without any curves.
CurvePrior SharedPrior(std::span<const std::vector<NormalPrior>> parameters);

}  // namespace schedulegym
