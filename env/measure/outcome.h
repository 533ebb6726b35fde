// Outcome: what became of a candidate; a closed set, so that a failure is never a large number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace schedulegym {

enum class Outcome : uint8_t {
  // About the candidate: may be learned from.
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
  // To be repeated.
  kNoisy,
  kImpossibleTime,
  kCorruptResult,
  // Not about the candidate.
  kDeviceLost,
  kInfra,
  kCutOff,  // the time of those who asked was over
};

enum class OutcomeGroup : uint8_t { kAboutCandidate, kRepeat, kNotAboutCandidate };

// "ok", "invalid_schedule", "wrong_output", ...
const char* OutcomeName(Outcome outcome);
std::optional<Outcome> ParseOutcome(std::string_view name);
// In the order of the enum.
std::span<const Outcome> AllOutcomes();

OutcomeGroup GroupOf(Outcome outcome);
// Only what is about the candidate says anything about its schedule.
inline bool MayLearnFrom(Outcome outcome) {
  return GroupOf(outcome) == OutcomeGroup::kAboutCandidate;
}

}  // namespace schedulegym
