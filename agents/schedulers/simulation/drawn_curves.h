// Drawn curves: searches that never were, from the shapes that searches follow.
#pragma once

#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "env/base/rng.h"

namespace schedulegym {

// Ranges are of uniform logarithms.
struct DrawnCurveOptions {
  int trials = 300;
  int batch = 16;     // trials of a turn; the last may have fewer
  double jump = 0.3;  // chance of a curve to find something new on the way, 1.1 to 2 times faster
  double plateau = 0.3;   // chance of a curve to find nothing for a tenth to a half of its trials
  double failures = 0.1;  // share of trials that fail
  double alike = 0.3;     // chance of a task to be like the one before: shape and speed are near
};

// `count` tasks of one search. The best follows one of the nine families that DynaTune combines
// (curve_family.h) from 0.02 to 0.5 of its final speed, which is 1 to 30 times the reference's; a
// trial falls short of its shape by chance, so that the best rises in steps. The reference takes 10
// us to 10 ms, a trial 0.05 to 0.5 s, a turn's thinking 0.1 to 1 s. Each runs once in the network.
std::vector<RecordedCurve> DrawCurves(const DrawnCurveOptions& options, int count, Rng rng);

}  // namespace schedulegym
