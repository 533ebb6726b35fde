// Judgement: how fast a schedule is beside its task's reference, or why nobody can tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "env/measure/measurement.h"

namespace schedulegym {

struct Judgement {
  Outcome outcome = Outcome::kOk;
  // The reference's seconds over this one's; above 1 is faster. What is computed, and not measured,
  // has an interval of one point. 1 unless the outcome is kOk.
  RatioInterval speed;
  std::optional<double> seconds;  // of one run, where the judge speaks of seconds

  bool ok() const { return outcome == Outcome::kOk; }
  bool operator==(const Judgement&) const = default;
  // "ok 1.5 1.4 1.6 0.001", "wrong_output"; reads back as an equal one.
  std::string ToText() const;
};

std::optional<Judgement> ParseJudgement(std::string_view text);

// Without an interval.
Judgement ExactJudgement(double speed, std::optional<double> seconds);
Judgement FailedJudgement(Outcome outcome);

}  // namespace schedulegym
