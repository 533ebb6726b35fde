// The history of a task in a search: turns with trials, failures, seconds, and the best after each
// trial. A turn's seconds, less those of the agent, are split over its trials in proportion to
// their compile, verify and measure phases. Known records of earlier searches come first, in turns
// of a batch. Revise lowers past bests after a corrected measurement, so that the curve never shows
// a wrong speed.
// Cost: O(1) a trial; Revise O(trials).
#include "agents/task_curve.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"

namespace schedulegym {
namespace {

void Count(const Measurement& measurement, Turn& turn) {
  ++turn.trials;
  if (measurement.ok()) return;
  ++turn.failures;
  if (!MayLearnFrom(measurement.outcome)) ++turn.faults;
}

BestResult ResultOf(const Measurement& measurement) {
  const Timing& timing = *measurement.timing;
  return {timing.ratio.median, timing.seconds * timing.ratio.median};
}

std::optional<double> RatioOf(const std::optional<BestResult>& best) {
  return best ? std::optional(best->ratio) : std::nullopt;
}

double SecondsOf(const PhaseSeconds& phases) {
  return phases.compile + phases.verify + phases.measure;
}

// Splits `all` in proportion to the phases; evenly if no phase took any time.
void AddSeconds(std::span<const Measurement> measurements, double all,
                std::vector<double>& seconds) {
  double sum = 0;
  for (const Measurement& measurement : measurements) sum += SecondsOf(measurement.phases);
  const auto count = static_cast<double>(measurements.size());
  for (const Measurement& measurement : measurements) {
    seconds.push_back(sum > 0 ? all * SecondsOf(measurement.phases) / sum : all / count);
  }
}

}  // namespace

int64_t TaskCurve::failures() const {
  int64_t sum = 0;
  for (const Turn& turn : own_turns()) sum += turn.failures;
  return sum;
}

double TaskCurve::seconds() const {
  double sum = 0;
  for (const Turn& turn : own_turns()) sum += turn.seconds;
  return sum;
}

int64_t TaskCurve::trials_since_gain() const {
  const auto count = std::ssize(best_by_trial);
  for (auto i = count - 1; i >= known_trials; --i) {
    const std::optional<double> before = i == 0 ? std::nullopt : best_by_trial[i - 1];
    if (best_by_trial[i] != before) return count - 1 - i;
  }
  return trials();
}

int TaskCurve::own_rounds() const {
  int count = 0;
  for (const Turn& turn : own_turns()) count += turn.trials > 0 ? 1 : 0;
  return count;
}

void TaskCurve::AddKnown(std::span<const Record> known, int batch) {
  SG_CHECK(best_by_trial.empty() && turns.empty(), "what is known comes first");
  SG_CHECK(batch > 0, "a turn has trials");
  known_turns = static_cast<int>(std::lround(static_cast<double>(known.size()) / batch));
  turns.resize(static_cast<size_t>(known_turns));
  for (size_t i = 0; i < known.size(); ++i) {
    Take(known[i].measurement);
    if (turns.empty()) continue;
    Turn& turn = turns[std::min(i / static_cast<size_t>(batch), turns.size() - 1)];
    Count(known[i].measurement, turn);
    turn.best = best;
  }
  seconds_by_trial.resize(known.size(), 0);
  known_best = best;
  known_trials = std::ssize(known);
}

void TaskCurve::AddTurn(std::span<const Measurement> measurements, double thinking,
                        double seconds) {
  Turn turn{.thinking = thinking, .seconds = seconds};
  for (const Measurement& measurement : measurements) {
    Count(measurement, turn);
    Take(measurement);
  }
  turn.best = best;
  AddSeconds(measurements, std::max(0.0, seconds - thinking), seconds_by_trial);
  turns.push_back(turn);
}

void TaskCurve::AddTurnOf(const TaskCurve& other) {
  SG_CHECK(other.known_turns == 0 && turns.size() < other.turns.size(), "a turn that it had");
  const Turn& turn = other.turns[turns.size()];
  const auto begin = trials(), end = begin + turn.trials;
  best_by_trial.insert(best_by_trial.end(), other.best_by_trial.begin() + begin,
                       other.best_by_trial.begin() + end);
  seconds_by_trial.insert(seconds_by_trial.end(), other.seconds_by_trial.begin() + begin,
                          other.seconds_by_trial.begin() + end);
  turns.push_back(turn);
  best = turn.best;
}

void TaskCurve::Finish() {
  turns.emplace_back().best = best;
  finished = true;
}

void TaskCurve::Revise(const std::optional<Measurement>& now) {
  best = known_best;
  if (now && now->ok() && (!best || now->timing->ratio.median > best->ratio)) best = ResultOf(*now);
  for (std::optional<double>& ratio : best_by_trial) {
    if (!best || !ratio)
      ratio.reset();
    else
      ratio = std::min(*ratio, best->ratio);
  }
  for (Turn& turn : turns) {
    if (!best || !turn.best)
      turn.best.reset();
    else if (best->ratio < turn.best->ratio)
      turn.best = best;
  }
  if (trials() > 0) best_by_trial.back() = RatioOf(best);
  if (!own_turns().empty()) turns.back().best = best;
  revised_turns = std::ssize(turns);
}

void TaskCurve::Take(const Measurement& measurement) {
  if (measurement.ok() && (!best || measurement.timing->ratio.median > best->ratio)) {
    best = ResultOf(measurement);
  }
  best_by_trial.push_back(RatioOf(best));
}

}  // namespace schedulegym
