// TaskCurve: how the search of one task went, turn by turn and trial by trial.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/measure/record.h"

namespace schedulegym {

// A success: how many times as fast as the reference it is, and the reference's seconds beside it.
struct BestResult {
  double ratio = 0;
  double reference = 0;

  // Of one call. Ratios compare across sessions, seconds of the clock don't.
  double seconds() const { return 1 / ratio * reference; }
  bool operator==(const BestResult&) const = default;
};

// One batch of measurements. A turn without trials is one whose agent had nothing left, or that was
// interrupted.
struct Turn {
  int64_t trials = 0;
  int64_t failures = 0;            // of the trials
  int64_t faults = 0;              // of the failures: the machine's, that say nothing of a schedule
  double thinking = 0;             // seconds of its agent
  double seconds = 0;              // of the whole turn
  std::optional<BestResult> best;  // after it; none before the first success

  int64_t successes() const { return trials - failures; }
};

struct TaskCurve {
  // Those of earlier searches first: `known_turns`, estimated as their records over the batch,
  // rounded. They have no seconds.
  std::vector<Turn> turns;
  int known_turns = 0;
  // The best ratio after each trial, those of earlier searches first; none before the first
  // success.
  std::vector<std::optional<double>> best_by_trial;
  // What each trial took of its turn's seconds without the thinking: as its phases do.
  std::vector<double> seconds_by_trial;
  int64_t known_trials = 0;
  std::optional<BestResult> best, known_best;  // of all, and of earlier searches
  int64_t revised_turns = 0;                   // turns when a result last turned out not to stand
  bool finished = false;                       // its agent has nothing left

  // Of this search.
  std::span<const Turn> own_turns() const { return std::span(turns).subspan(known_turns); }
  int64_t trials() const { return std::ssize(best_by_trial) - known_trials; }
  int64_t failures() const;
  double seconds() const;
  // Trials after the last that made the best better; all of them if none did.
  int64_t trials_since_gain() const;
  // Turns with trials, known ones included; and of this search.
  int rounds() const { return known_turns + own_rounds(); }
  int own_rounds() const;

  // What earlier searches found out, oldest first; once, before the first turn.
  void AddKnown(std::span<const Record> known, int batch);
  void AddTurn(std::span<const Measurement> measurements, double thinking, double seconds);
  // The same turn as another curve had after as many, of trials of its own.
  void AddTurnOf(const TaskCurve& other);
  // Its agent had nothing left: a turn without trials.
  void Finish();
  // Some results of this search did not stand, and `now` is its best. No earlier trial can have
  // reached more than what stands.
  void Revise(const std::optional<Measurement>& now);

 private:
  void Take(const Measurement& measurement);
};

}  // namespace schedulegym
