// TimedRecord: what a search is told of a schedule, made up; and timings of so many seconds.
#pragma once

#include <optional>

#include "env/measure/record.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// Beside a reference of one second, known to so large a share.
inline Timing TimingOf(double seconds, double width = 0.001) {
  Timing timing;
  timing.seconds = seconds;
  timing.ratio = {1 / seconds, (1 - width) / seconds, (1 + width) / seconds};
  for (double wobble : {-1.0, 0.0, 1.0}) {
    timing.samples.push_back(static_cast<float>(seconds * (1 + wobble * width)));
  }
  return timing;
}

// A success of so many seconds, known to a thousandth, beside a reference of one second; a wrong
// answer without seconds.
inline Record TimedRecord(const ScheduleState& state, std::optional<double> seconds) {
  Record record;
  record.task = DescribeTask(state.task());
  record.trace = state.TraceText();
  record.state_key = StateKey(state);
  record.measurement.outcome = seconds ? Outcome::kOk : Outcome::kWrongOutput;
  if (seconds) record.measurement.timing = TimingOf(*seconds);
  return record;
}

}  // namespace schedulegym
