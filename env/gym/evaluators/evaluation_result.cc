#include "env/gym/evaluators/evaluation_result.h"

#include <cmath>
#include <vector>

#include "env/base/text.h"

namespace schedulegym {
namespace {

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto [word, rest] = Cut(text, ' ');
    words.push_back(word);
    text = rest;
  }
  return words;
}

// Positive, finite numbers alone are times or ratios of times.
std::optional<double> ParsePositive(std::string_view text) {
  const std::optional<double> value = ParseDouble(text);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

}  // namespace

std::string EvaluationResult::ToText() const {
  if (!ok()) return OutcomeName(outcome);
  return std::string("ok ") + FormatDouble(speed.median) + " " + FormatDouble(speed.low) + " " +
         FormatDouble(speed.high) + (seconds ? " " + FormatDouble(*seconds) : "");
}

std::optional<EvaluationResult> ParseEvaluationResult(std::string_view text) {
  const std::vector<std::string_view> words = Words(text);
  if (words.empty()) return std::nullopt;
  const std::optional<Outcome> outcome = ParseOutcome(words[0]);
  if (!outcome) return std::nullopt;
  if (*outcome != Outcome::kOk) {
    return words.size() == 1 ? std::optional(FailedEvaluationResult(*outcome)) : std::nullopt;
  }
  if (words.size() != 4 && words.size() != 5) return std::nullopt;
  std::vector<double> numbers;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::optional<double> number = ParsePositive(words[i]);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return EvaluationResult{Outcome::kOk,
                          {numbers[0], numbers[1], numbers[2]},
                          numbers.size() == 4 ? std::optional(numbers[3]) : std::nullopt};
}

EvaluationResult ExactEvaluationResult(double speed, std::optional<double> seconds) {
  return {Outcome::kOk, {speed, speed, speed}, seconds};
}

EvaluationResult FailedEvaluationResult(Outcome outcome) { return {outcome, {}, std::nullopt}; }

EvaluationResult EvaluationResultOf(const Measurement& measurement) {
  if (!measurement.ok()) return FailedEvaluationResult(measurement.outcome);
  const Timing& timing = measurement.timing.value();
  const bool has_seconds = timing.seconds > 0;
  const auto seconds = has_seconds ? std::optional(timing.seconds) : std::nullopt;
  const bool is_predicted = measurement.session && measurement.session->protocol == kModelName;
  if (!is_predicted) return {Outcome::kOk, timing.ratio, seconds};
  EvaluationResult result = ExactEvaluationResult(timing.ratio.median, seconds);
  if (timing.ratio.high > timing.ratio.median) {
    result.doubt = timing.ratio.high / timing.ratio.median - 1;
  }
  return result;
}

}  // namespace schedulegym
