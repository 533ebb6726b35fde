// MadeCurves: recorded searches with the given turns.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

// Turns of one trial with the given seconds, and the best speed after each relative to the
// reference; nullopt: no success yet. The reference takes a second, so that speeds of 2 and 4 are
// latencies of 1/2 and 1/4.
inline RecordedCurve MadeCurve(const std::string& task, double count,
                               const std::vector<std::pair<double, std::optional<double>>>& turns) {
  RecordedCurve curve;
  curve.task = task;
  curve.agent = "made";
  curve.search = "one";
  curve.scheduler = "linear";
  curve.facts.counts = {count};
  curve.reference = 1;
  for (const auto& [seconds, ratio] : turns) {
    Turn turn = {.trials = 1, .failures = ratio ? 0 : 1, .seconds = seconds};
    if (ratio) turn.best = BestResult{*ratio, 1};
    curve.places.push_back(std::ssize(curve.whole.turns));
    curve.whole.turns.push_back(turn);
    curve.whole.seconds_by_trial.push_back(seconds);
    curve.whole.best_by_trial.push_back(ratio);
    curve.whole.best = turn.best;
  }
  return curve;
}

}  // namespace schedulegym
