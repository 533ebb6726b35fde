// Proposal and Trial: a schedule that an agent proposes, and its result.
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
  Key key;  // the state's StateKey, computed once
  // A note to store with the record: a spec, such as refine(of="..."); "" for none.
  std::string note = {};
};
// Computes the key.
Proposal ProposalOf(ScheduleState state);

// The reason why an agent receives a trial.
enum class TrialStatus : uint8_t {
  kMeasured,     // its record is about the schedule, be it a failure
  kSaysNothing,  // it was measured, but the record is only about the machine (MayLearnFrom)
  kNotReached,   // it was proposed but not measured, because the search ended or was interrupted
  kKnown,        // an earlier search, or another agent of this one, measured it
  kRevised,      // it was measured again, because the first record was doubtful
};
// "measured", "says_nothing", "not_reached", "known", "revised".
const char* TrialStatusName(TrialStatus status);
std::optional<TrialStatus> ParseTrialStatus(std::string_view name);

struct Trial {
  int task = 0;  // position among the run's tasks
  ScheduleState state;
  Key key;
  TrialStatus told = TrialStatus::kMeasured;
  std::shared_ptr<const Record> record;  // nullptr if it was not measured
};

// Returns the record if it is about the schedule; else nullptr, and the schedule may be proposed
// again.
const Record* RecordToLearnFrom(const Trial& trial);

}  // namespace schedulegym
