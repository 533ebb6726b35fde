// Outcome: the result kind of a candidate; a closed set, so that no large number means failure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace schedulegym {

enum class Outcome : uint8_t {
  // About the candidate: agents may learn from it.
  kOk,
  kInvalidSchedule,
  kCompileError,
  kCompileTimeout,
  kCompileCrash,
  kLinkError,
  kRunSignal,
  kRunTimeout,
  kOutOfMemory,
  kOobWrite,
  kWrongOutput,
  kNondeterministic,
  // The measurement must be repeated.
  kNoisy,
  kImpossibleTime,
  kCorruptResult,
  // Not about the candidate.
  kDeviceLost,
  kInfra,
  kCutOff,  // cancelled: the caller's time was over
};

enum class OutcomeGroup : uint8_t { kAboutCandidate, kRepeat, kNotAboutCandidate };

// "ok", "invalid_schedule", "wrong_output", ...
const char* OutcomeName(Outcome outcome);
std::optional<Outcome> ParseOutcome(std::string_view name);
// In the order of the enum.
std::span<const Outcome> AllOutcomes();

OutcomeGroup GroupOf(Outcome outcome);
// True only for outcomes about the candidate: others carry no information about its schedule.
inline bool MayLearnFrom(Outcome outcome) {
  return GroupOf(outcome) == OutcomeGroup::kAboutCandidate;
}

}  // namespace schedulegym
