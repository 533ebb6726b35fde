// AnnealingExplorer: chains that walk by a surrogate and cool, side by side.
#pragma once

#include <vector>

#include "agents/plan/plan_search.h"

namespace schedulegym {

// AutoTVM's (TVM, autotvm/tuner/sa_model_optimizer.py).
struct AnnealingChains {
  int chains = 128;
  int steps = 500;
  int patience = 50;       // steps that find no better place end it
  bool persistent = true;  // chains go on where they ended, by the next surrogate
  // The temperature counts in deviations of the scores of what was measured, not in scores.
  bool scaled = false;
  // As many chains begin at the best measured places.
  int from_best = 0;
};

// From 1 to 0 over the steps.
double TemperatureAt(int step, int steps);
// The probability with which a chain moves from a score to another one.
double Acceptance(double from, double to, double temperature);

class AnnealingExplorer : public Explorer {
 public:
  explicit AnnealingExplorer(const AnnealingChains& options) : options_(options) {}

  std::vector<ScoredPlace> Explore(const PlaceBook& book, Surrogate& surrogate, int count,
                                   Rng& rng) override;

 private:
  void Begin(const PlaceBook& book, Rng& rng);

  AnnealingChains options_;
  std::vector<FieldPlace> chains_;
};

}  // namespace schedulegym
