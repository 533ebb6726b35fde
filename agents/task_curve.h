// TaskCurve: the history of one task's search, by turn and by trial.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/measure/record.h"

namespace schedulegym {

// A success: its speed over the reference's, and the reference's seconds in that measurement.
struct BestResult {
  double ratio = 0;
  double reference = 0;

  // Seconds of one call. Ratios compare across sessions, measured seconds do not.
  double seconds() const { return 1 / ratio * reference; }
  bool operator==(const BestResult&) const = default;
};

// One batch of measurements. In a turn without trials the agent had nothing left, or it was
// interrupted.
struct Turn {
  int64_t trials = 0;
  int64_t failures = 0;            // of the trials
  int64_t faults = 0;              // of the failures, those of the machine, not of a schedule
  double thinking = 0;             // seconds of its agent
  double seconds = 0;              // of the whole turn
  std::optional<BestResult> best;  // after it; nullopt before the first success

  int64_t successes() const { return trials - failures; }
};

struct TaskCurve {
  // Turns of earlier searches come first. Their number `known_turns` is estimated as their records
  // over the batch, rounded. They have no seconds.
  std::vector<Turn> turns;
  int known_turns = 0;
  // The best ratio after each trial, those of earlier searches first; nullopt before the first
  // success.
  std::vector<std::optional<double>> best_by_trial;
  // A trial's part of its turn's seconds without the thinking, in proportion to its phases.
  std::vector<double> seconds_by_trial;
  int64_t known_trials = 0;
  std::optional<BestResult> best, known_best;  // of all searches, and of earlier ones
  int64_t revised_turns = 0;                   // number of turns when a result was last revised
  bool finished = false;                       // its agent has nothing left

  // These functions are about this search only.
  std::span<const Turn> own_turns() const { return std::span(turns).subspan(known_turns); }
  int64_t trials() const { return std::ssize(best_by_trial) - known_trials; }
  int64_t failures() const;
  double seconds() const;
  // Trials after the last that improved the best; all of them if none did.
  int64_t trials_since_gain() const;
  // Turns with trials, known ones included; and those of this search.
  int rounds() const { return known_turns + own_rounds(); }
  int own_rounds() const;

  // Adds records of earlier searches, oldest first; once, before the first turn.
  void AddKnown(std::span<const Record> known, int batch);
  void AddTurn(std::span<const Measurement> measurements, double thinking, double seconds);
  // Adds the next turn of another curve, with that turn's trials.
  void AddTurnOf(const TaskCurve& other);
  // Marks the task as finished: its agent returned nothing, a turn without trials.
  void Finish();
  // Corrects the curve after results of this search were revised. `now` is its best. Earlier bests
  // are capped at the best that remains valid.
  void Revise(const std::optional<Measurement>& now);

 private:
  void Take(const Measurement& measurement);
};

}  // namespace schedulegym
