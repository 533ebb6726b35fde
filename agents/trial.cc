#include "agents/trial.h"

#include <utility>

#include "env/schedule/loop_structure.h"

namespace schedulegym {

Proposal ProposalOf(ScheduleState state) {
  const Key key = StateKey(state);
  return {std::move(state), key};
}

const char* TrialStatusName(TrialStatus told) {
  switch (told) {
    case TrialStatus::kMeasured: return "measured";
    case TrialStatus::kSaysNothing: return "says_nothing";
    case TrialStatus::kNotReached: return "not_reached";
    case TrialStatus::kKnown: return "known";
    case TrialStatus::kRevised: return "revised";
  }
  return "unknown";
}

std::optional<TrialStatus> ParseTrialStatus(std::string_view name) {
  for (const TrialStatus told :
       {TrialStatus::kMeasured, TrialStatus::kSaysNothing, TrialStatus::kNotReached,
        TrialStatus::kKnown, TrialStatus::kRevised}) {
    if (name == TrialStatusName(told)) return told;
  }
  return std::nullopt;
}

const Record* RecordToLearnFrom(const Trial& trial) {
  const bool is_lesson =
      trial.told != TrialStatus::kSaysNothing && trial.told != TrialStatus::kNotReached;
  return is_lesson ? trial.record.get() : nullptr;
}

}  // namespace schedulegym
