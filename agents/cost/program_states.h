// Program states: recorded schedules of a task, replayed on all cores.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/base/hash.h"
#include "env/base/stop_token.h"
#include "env/program/task.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The task that a record describes by its texts (TaskInfo). Throws InputError, one line that begins
// with the workload, where the `.dag` text or the target cannot be read.
std::shared_ptr<const Task> TaskOfTexts(const std::string& workload, const std::string& dag,
                                        const std::string& target);

struct KeyedState {
  ScheduleState state;
  Key key;  // the state's
};

// In order. Throws InputError, one line with the workload, the trace's position and its line, for
// one that does not replay.
std::vector<KeyedState> ReplayTraces(const std::shared_ptr<const Task>& task,
                                     std::span<const std::string> traces,
                                     const StopToken& stop = {});

// As many threads as this machine runs at once, whatever a target says: nothing is timed meanwhile.
int ReplayThreads();

}  // namespace schedulegym
