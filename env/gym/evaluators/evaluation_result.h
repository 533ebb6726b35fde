// EvaluationResult: the speed of a schedule relative to its task's reference, or a typed failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "env/measure/measurement.h"

namespace schedulegym {

// A value, from which environments compute rewards.
struct EvaluationResult {
  Outcome outcome = Outcome::kOk;
  // Seconds of the reference divided by seconds of this schedule; above 1 is faster. A computed,
  // not measured, speed has an interval of one point. 1 unless the outcome is kOk.
  RatioInterval speed;
  std::optional<double> seconds;  // of one run, if the measurer returns seconds
  // Relative standard deviation of the speed, if a model estimates it. Not part of the text.
  std::optional<double> doubt = {};

  bool ok() const { return outcome == Outcome::kOk; }
  bool operator==(const EvaluationResult&) const = default;
  // "ok 1.5 1.4 1.6 0.001", "wrong_output"; ParseEvaluationResult returns an equal one.
  std::string ToText() const;
};

std::optional<EvaluationResult> ParseEvaluationResult(std::string_view text);

// A result without an interval.
EvaluationResult ExactEvaluationResult(double speed, std::optional<double> seconds);
EvaluationResult FailedEvaluationResult(Outcome outcome);

// Converts a measurement: its ratio to the reference, and its seconds if it has them. The interval
// of a model's ratio becomes `doubt`; `speed` then has one point.
EvaluationResult EvaluationResultOf(const Measurement& measurement);

}  // namespace schedulegym
