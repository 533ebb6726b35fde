// Proposal and Trial: a schedule that an agent gives to be measured, and what became of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "env/base/hash.h"
#include "env/measure/record.h"
#include "env/schedule/state.h"

namespace schedulegym {

struct Proposal {
  ScheduleState state;
  Key key;  // the state's (StateKey), which is computed once and goes with it from here on
  // What is to be remembered beside the record: a spec, such as refine(of="..."); "" for nothing.
  std::string note = {};
};
// With the key computed here.
Proposal ProposalOf(ScheduleState state);

// Why an agent is given a schedule.
enum class TrialStatus : uint8_t {
  kMeasured,     // its record says something about it, be it a failure
  kSaysNothing,  // it was measured, and the record is about the machine alone (MayLearnFrom)
  kNotReached,   // it was proposed and never measured, for the search ended or was interrupted
  kKnown,        // an earlier search, or another agent of this one, measured it
  kRevised,      // it was measured again, for the first record turned out doubtful
};
// "measured", "says_nothing", "not_reached", "known", "revised".
const char* TrialStatusName(TrialStatus status);
std::optional<TrialStatus> ParseTrialStatus(std::string_view name);

struct Trial {
  int task = 0;  // position among those of the run
  ScheduleState state;
  Key key;
  TrialStatus told = TrialStatus::kMeasured;
  std::shared_ptr<const Record> record;  // null where it was not reached
};

// The record, where it says something about the schedule; else null. Such a schedule may be
// proposed again.
const Record* RecordToLearnFrom(const Trial& trial);

}  // namespace schedulegym
