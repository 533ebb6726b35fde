// Ensemble: walkers that draw from a density known up to a factor, whatever its scales.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "env/base/rng.h"
#include "env/base/stop_token.h"

namespace schedulegym {

// Defaults as released with DynaTune for one curve (its MCMCPredictor).
struct EnsembleOptions {
  int walkers = 10;    // at least two for each dimension
  int steps = 500;     // of every walker
  int burn_in = 300;   // steps that are not kept
  int thin = 10;       // of the others one in this many is
  double stretch = 2;  // a of Goodman and Weare
};

// Fills in the logarithm of the density, up to a constant, at each of the positions, which stand
// one after another. Where it is minus infinity or no number, no walker goes.
using LogDensity =
    std::function<void(std::span<const double> positions, std::span<double> log_densities)>;

struct EnsembleChain {
  size_t dimensions = 0;
  std::vector<double> samples;  // positions one after another, a step's walkers together
  double acceptance = 0;        // share of the moves, of all steps

  size_t size() const { return samples.size() / dimensions; }
  std::span<const double> at(size_t i) const {
    return std::span(samples).subspan(i * dimensions, dimensions);
  }
};

// The stretch move of Goodman and Weare ("Ensemble samplers with affine invariance", 2010), one
// half of the walkers along lines to the other half, as in emcee (Foreman-Mackey et al., 2013).
// `start`: a position for each walker. The same rng, the same chain. Throws
// Interrupted where `stop` is set on the way.
EnsembleChain SampleEnsemble(const LogDensity& log_density, std::span<const double> start,
                             const EnsembleOptions& options, Rng& rng, const StopToken& stop = {});

}  // namespace schedulegym
