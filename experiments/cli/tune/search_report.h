// Search report: how a search over several tasks ended: the latency of the network first.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "agents/task_scheduler.h"
#include "agents/tuner/tuner.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/report.h"
#include "experiments/cli/common/reproduce.h"

namespace schedulegym {

struct EndedSearch {
  std::span<const DoneEvent> done;
  const TaskList& list;
  std::string scheduler;          // spec
  std::optional<FitCounts> fits;  // none of a scheduler that fits no curves
  ReproduceWords words;
  bool is_verbose = false;  // shows the trace of each task
};

// Of several tasks or a network; nothing else. The events `scheduler` and `network`. As text: the
// latency by the best known of each task, beside it that of this search alone where it differs; the
// table of tasks; how each of them ended; the scheduler.
void ReportEnd(const EndedSearch& search, Report& report);

}  // namespace schedulegym
