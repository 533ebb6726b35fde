// Evaluator: says how fast schedules are, by measuring, by a model or from a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/measure/measurement.h"

namespace schedulegym {

// How fast a schedule is beside its task's reference, or why nobody can tell.
struct EvaluationResult {
  Outcome outcome = Outcome::kOk;
  // The reference's seconds over this one's; above 1 is faster. What is computed, and not measured,
  // has an interval of one point. 1 unless the outcome is kOk.
  RatioInterval speed;
  std::optional<double> seconds;  // of one run, where the evaluator speaks of seconds

  bool ok() const { return outcome == Outcome::kOk; }
  bool operator==(const EvaluationResult&) const = default;
  // "ok 1.5 1.4 1.6 0.001", "wrong_output"; reads back as an equal one.
  std::string ToText() const;
};

std::optional<EvaluationResult> ParseEvaluationResult(std::string_view text);

// Without an interval.
EvaluationResult ExactEvaluationResult(double speed, std::optional<double> seconds);
EvaluationResult FailedEvaluationResult(Outcome outcome);

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // One answer for each place, in order; they may be of several tasks, of those it was made for. A
  // place that is no schedule is a kInvalidSchedule. Throws MachineError where nothing can be
  // judged at all.
  virtual std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) = 0;

  // Whether many places are better asked about at once, by one thread; else threads may ask at
  // once, each about its own.
  virtual bool is_shared() const = 0;

  // How many places it works on at once: asked about more, it takes them in turn. May start what
  // judging needs.
  virtual int Width() { return 1; }

  // What Ask will be asked next, in this order: preparing may begin. Asking for something else then
  // is legal and wastes that work.
  virtual void Expect(std::span<const EpisodeState* const> places) { (void)places; }
};

}  // namespace schedulegym
