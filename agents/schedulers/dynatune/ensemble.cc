#include "agents/schedulers/dynatune/ensemble.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"

namespace schedulegym {
namespace {

class Walkers {
 public:
  Walkers(const LogDensity& log_density, std::span<const double> start, size_t count,
          double stretch)
      : log_density_(log_density),
        count_(count),
        dimensions_(start.size() / count),
        stretch_(stretch),
        positions_(start.begin(), start.end()),
        densities_(count),
        moved_(start.size()),
        moved_densities_(count),
        log_factors_(count) {
    log_density_(positions_, densities_);
  }

  std::span<const double> positions() const { return positions_; }

  // Moves every walker once. Returns the number of accepted moves.
  int Step(Rng& rng) {
    const size_t half = count_ / 2;
    const int accepted = Move(0, half, half, count_, rng);
    return accepted + Move(half, count_, 0, half, rng);
  }

 private:
  // Moves [first, last) along lines to walkers of [others, others_end).
  int Move(size_t first, size_t last, size_t others, size_t others_end, Rng& rng) {
    for (size_t walker = first; walker < last; ++walker) {
      const auto span = static_cast<int64_t>(others_end - others);
      StretchMove(walker, others + static_cast<size_t>(rng.Below(span)), rng.Uniform());
    }
    const size_t begin = first * dimensions_, size = (last - first) * dimensions_;
    log_density_(std::span(moved_).subspan(begin, size),
                 std::span(moved_densities_).subspan(first, last - first));
    int accepted = 0;
    for (size_t walker = first; walker < last; ++walker) {
      const double log_ratio = log_factors_[walker] + moved_densities_[walker] - densities_[walker];
      // Also false for NaN.
      if (!(std::log(rng.Uniform()) < log_ratio)) continue;
      ++accepted;
      densities_[walker] = moved_densities_[walker];
      std::copy_n(&moved_[walker * dimensions_], dimensions_, &positions_[walker * dimensions_]);
    }
    return accepted;
  }

  // Z has the density 1 / sqrt(z) on [1/a, a]; a move is accepted with a factor Z^(dimensions - 1).
  void StretchMove(size_t walker, size_t other, double uniform) {
    const double root = (stretch_ - 1) * uniform + 1;
    const double z = root * root / stretch_;
    const double* from = &positions_[other * dimensions_];
    const double* at = &positions_[walker * dimensions_];
    double* to = &moved_[walker * dimensions_];
    for (size_t i = 0; i < dimensions_; ++i) to[i] = from[i] + z * (at[i] - from[i]);
    log_factors_[walker] = static_cast<double>(dimensions_ - 1) * std::log(z);
  }

  const LogDensity& log_density_;
  size_t count_, dimensions_;
  double stretch_;
  std::vector<double> positions_, densities_;
  std::vector<double> moved_, moved_densities_, log_factors_;
};

}  // namespace

EnsembleChain SampleEnsemble(const LogDensity& log_density, std::span<const double> start,
                             const EnsembleOptions& options, Rng& rng, const StopToken& stop) {
  const auto count = static_cast<size_t>(options.walkers);
  SG_CHECK(options.walkers > 1 && !start.empty() && start.size() % count == 0,
           "a position for each walker");
  EnsembleChain chain;
  chain.dimensions = start.size() / count;
  SG_CHECK(count >= 2 * chain.dimensions, "at least two walkers for each dimension");
  SG_CHECK(options.thin > 0 && options.stretch > 1, "thin by at least 1, stretch by more");
  const int kept = std::max(options.steps - options.burn_in, 0);
  chain.samples.reserve(start.size() * static_cast<size_t>(kept / options.thin + 1));
  Walkers walkers(log_density, start, count, options.stretch);
  double accepted = 0;
  for (int step = 0; step < options.steps; ++step) {
    stop.Check();
    accepted += walkers.Step(rng);
    const int after = step - options.burn_in;
    if (after < 0 || after % options.thin != 0) continue;
    chain.samples.insert(chain.samples.end(), walkers.positions().begin(),
                         walkers.positions().end());
  }
  chain.acceptance = accepted / (static_cast<double>(count) * std::max(options.steps, 1));
  return chain;
}

}  // namespace schedulegym
