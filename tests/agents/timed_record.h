// TimedRecord, TimedTrial: made-up results of schedules, and timings of the given seconds.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/trial.h"
#include "env/measure/record.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// Timing against a reference of one second, with a relative interval of `width`.
inline Timing TimingOf(double seconds, double width = 0.001) {
  Timing timing;
  timing.seconds = seconds;
  timing.ratio = {1 / seconds, (1 - width) / seconds, (1 + width) / seconds};
  for (double wobble : {-1.0, 0.0, 1.0}) {
    timing.samples.push_back(static_cast<float>(seconds * (1 + wobble * width)));
  }
  return timing;
}

// A success with `seconds`, with an interval of a thousandth, against a reference of one second;
// nullopt: wrong output.
inline Record TimedRecord(const ScheduleState& state, std::optional<double> seconds) {
  Record record;
  record.task = DescribeTask(state.task());
  record.trace = state.TraceText();
  record.state_key = StateKey(state);
  record.measurement.outcome = seconds ? Outcome::kOk : Outcome::kWrongOutput;
  if (seconds) record.measurement.timing = TimingOf(*seconds);
  return record;
}

inline Trial TrialOf(const ScheduleState& state, Record record, TrialStatus told, int task = 0) {
  const Key key = record.state_key;
  return {task, state, key, told, std::make_shared<const Record>(std::move(record))};
}

// The same for a proposal; the record keeps its note.
inline Trial TimedTrial(const Proposal& proposal, std::optional<double> seconds, int task = 0) {
  Record record = TimedRecord(proposal.state, seconds);
  record.note = proposal.note;
  return TrialOf(proposal.state, std::move(record), TrialStatus::kMeasured, task);
}
inline Trial KnownTrial(const ScheduleState& state, std::optional<double> seconds, int task = 0) {
  return TrialOf(state, TimedRecord(state, seconds), TrialStatus::kKnown, task);
}

inline std::vector<ScheduleState> StatesOf(const std::vector<Proposal>& proposals) {
  std::vector<ScheduleState> states;
  for (const Proposal& proposal : proposals) states.push_back(proposal.state);
  return states;
}

}  // namespace schedulegym
