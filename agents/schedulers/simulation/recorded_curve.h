// RecordedCurve: how a search of one task went to its end, to be played again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/task_scheduler.h"

namespace schedulegym {

struct RecordedCurve {
  std::string task;              // what was searched, such as a workload
  std::string agent;             // spec
  std::string measure = "host";  // what told the speeds, a spec; what is not measured says so
  uint64_t seed = 0;             // of the search
  ScheduledTask facts;           // counts as that search had them
  // Seconds of the reference schedule: at first, the best. None where nobody knows them, for
  // nothing ever succeeded: such a task has no latency.
  std::optional<double> reference;
  TaskCurve whole;                // turns with trials alone, none of earlier searches
  std::vector<int64_t> places;    // of each turn among those of all tasks of its search
  std::string search, scheduler;  // which search that was, any text, and its scheduler, a spec

  int64_t trials() const { return whole.trials(); }
  double seconds() const { return whole.seconds(); }
  bool has_latency() const { return reference.has_value(); }
};

}  // namespace schedulegym
