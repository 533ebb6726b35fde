// CurveModel: what a search's best speed will be after more trials, and how sure that is.
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

// The defaults are the belief that DynaTune's released code gives its bandit (MCMCPredictor).
struct CurveModelOptions {
  std::vector<CurveFamily> families = {CurveFamily::kLogPower};  // several are combined
  bool samples = true;       // else the least squares alone, of which nothing says how sure it is
  EnsembleOptions ensemble;  // its walkers at least two for each dimension
  double ball = 1e-6;        // deviation of the walkers' start about the least squares
  bool recency = false;      // the latest point counts ten times as much as the first
  int most_fit_iterations = 200;  // of the least squares of one curve
};

// All nine, as their library's defaults combine them (CurveCombinationModel).
CurveModelOptions CombinedCurveModel();
// One curve by least squares alone: the released code's MLPredictor, of the power law.
CurveModelOptions LeastSquaresCurveModel(CurveFamily family = CurveFamily::kPow2);

// Of the curve, not of a measurement about it.
struct Forecast {
  double mean = 0;
  double deviation = 0;
};

class CurveModel {
 public:
  // `x` rises from 1 on, `y` is the best speed so far in any unit. `horizon`: the farthest x that
  // will be asked for; a curve that is below 0 or a hundred times the best there is left out, as in
  // the released code. `prior`: of the parameters of the first family. The same rng, the same
  // belief. Throws Interrupted where `stop` is set on the way.
  CurveModel(const CurveModelOptions& options, std::span<const double> x, std::span<const double> y,
             double horizon, const CurvePrior& prior, Rng rng, const StopToken& stop = {});

  // Where no fit converged (`has_fallen_back`): that nothing will change, for sure.
  Forecast At(double x) const;

  // How much higher the curve will be at `to` than it is at `from`, wherever the points lie about
  // it.
  Forecast Rise(double from, double to) const;

  bool has_fallen_back() const { return !posterior_; }
  // False where there were too few points for a fit.
  bool was_fitted() const { return was_fitted_; }
  // Those whose fits converged.
  std::span<const CurveFamily> families() const;
  // What is believed of the first family's parameters, in order; none after a fallback.
  std::vector<NormalPrior> Parameters() const;
  // Share of the sampler's moves that were accepted; none of least squares alone.
  std::optional<double> acceptance() const { return acceptance_; }

 private:
  template <class Value>
  std::optional<Forecast> Average(Value value) const;

  double scale_;  // of y
  std::optional<CurvePosterior> posterior_;
  bool was_fitted_ = false;
  std::vector<double> positions_;  // drawn from the posterior; one of least squares alone
  std::optional<double> acceptance_;
};

// What similar searches' curves let expect of another: the mixture of their parameters. Not of the
// first, the height, which each curve measures by its own best. Empty where nothing is known.
CurvePrior SharedPrior(std::span<const std::vector<NormalPrior>> parameters);

}  // namespace schedulegym
