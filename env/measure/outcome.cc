#include "env/measure/outcome.h"

#include <array>

#include "env/base/check.h"

namespace schedulegym {
namespace {

struct OutcomeRow {
  Outcome outcome;
  const char* name;
  OutcomeGroup group;
};

constexpr OutcomeGroup kCandidate = OutcomeGroup::kAboutCandidate;
constexpr OutcomeGroup kAgain = OutcomeGroup::kRepeat;
constexpr OutcomeGroup kElsewhere = OutcomeGroup::kNotAboutCandidate;

constexpr OutcomeRow kRows[] = {
    {Outcome::kOk, "ok", kCandidate},
    {Outcome::kInvalidSchedule, "invalid_schedule", kCandidate},
    {Outcome::kCompileError, "compile_error", kCandidate},
    {Outcome::kCompileTimeout, "compile_timeout", kCandidate},
    {Outcome::kCompileCrash, "compile_crash", kCandidate},
    {Outcome::kLinkError, "link_error", kCandidate},
    {Outcome::kRunSignal, "run_signal", kCandidate},
    {Outcome::kRunTimeout, "run_timeout", kCandidate},
    {Outcome::kOutOfMemory, "out_of_memory", kCandidate},
    {Outcome::kOobWrite, "oob_write", kCandidate},
    {Outcome::kWrongOutput, "wrong_output", kCandidate},
    {Outcome::kNondeterministic, "nondeterministic", kCandidate},
    {Outcome::kNoisy, "noisy", kAgain},
    {Outcome::kImpossibleTime, "impossible_time", kAgain},
    {Outcome::kCorruptResult, "corrupt_result", kAgain},
    {Outcome::kDeviceLost, "device_lost", kElsewhere},
    {Outcome::kInfra, "infra", kElsewhere},
    {Outcome::kCutOff, "cut_off", kElsewhere},
};

constexpr auto kAll = [] {
  std::array<Outcome, std::size(kRows)> all{};
  for (size_t i = 0; i < all.size(); ++i) all[i] = kRows[i].outcome;
  return all;
}();

const OutcomeRow& RowOf(Outcome outcome) {
  const auto position = static_cast<size_t>(outcome);
  SG_CHECK(position < std::size(kRows) && kRows[position].outcome == outcome, "outcomes in order");
  return kRows[position];
}

}  // namespace

const char* OutcomeName(Outcome outcome) { return RowOf(outcome).name; }

std::optional<Outcome> ParseOutcome(std::string_view name) {
  for (const OutcomeRow& row : kRows) {
    if (name == row.name) return row.outcome;
  }
  return std::nullopt;
}

std::span<const Outcome> AllOutcomes() { return kAll; }

OutcomeGroup GroupOf(Outcome outcome) { return RowOf(outcome).group; }

}  // namespace schedulegym
