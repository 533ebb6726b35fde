// EvaluationResult: how fast a schedule is beside its task's reference, or a typed failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "env/measure/measurement.h"

namespace schedulegym {

// What environments pay for. A value.
struct EvaluationResult {
  Outcome outcome = Outcome::kOk;
  // The reference's seconds over this one's; above 1 is faster. What is computed, and not measured,
  // has an interval of one point. 1 unless the outcome is kOk.
  RatioInterval speed;
  std::optional<double> seconds;  // of one run, where the measurer gives seconds
  // Of a model that knows its own: a standard deviation of the speed, as a share of it. Texts leave
  // it out.
  std::optional<double> doubt = {};

  bool ok() const { return outcome == Outcome::kOk; }
  bool operator==(const EvaluationResult&) const = default;
  // "ok 1.5 1.4 1.6 0.001", "wrong_output"; reads back as an equal one.
  std::string ToText() const;
};

std::optional<EvaluationResult> ParseEvaluationResult(std::string_view text);

// Without an interval.
EvaluationResult ExactEvaluationResult(double speed, std::optional<double> seconds);
EvaluationResult FailedEvaluationResult(Outcome outcome);

// Of a measurement: its ratio to the reference, and its seconds where it has them. The interval of
// a model's ratio is its doubt, and the speed has one point.
EvaluationResult EvaluationResultOf(const Measurement& measurement);

}  // namespace schedulegym
