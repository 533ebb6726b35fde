// TimedRecord: what a search is told of a schedule, made up.
#pragma once

#include <optional>

#include "env/measure/record.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// A success of so many seconds, known to a thousandth, beside a reference of one second; a wrong
// answer without seconds.
inline Record TimedRecord(const ScheduleState& state, std::optional<double> seconds) {
  Record record;
  record.task = DescribeTask(state.task());
  record.trace = state.TraceText();
  record.state_key = StateKey(state);
  record.measurement.outcome = seconds ? Outcome::kOk : Outcome::kWrongOutput;
  if (!seconds) return record;
  Timing timing;
  timing.seconds = *seconds;
  timing.ratio = {1 / *seconds, 0.999 / *seconds, 1.001 / *seconds};
  timing.samples.assign(3, static_cast<float>(*seconds));
  record.measurement.timing = timing;
  return record;
}

}  // namespace schedulegym
