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

// The task that the texts of a record describe (TaskInfo). Throws InputError, one line that begins
// with the workload, if the `.dag` text or the target cannot be read.
std::shared_ptr<const Task> TaskOfTexts(const std::string& workload, const std::string& dag,
                                        const std::string& target);

struct KeyedState {
  ScheduleState state;
  Key key;  // the state's
};

// Replays traces; results are in their order. Throws InputError, one line with the workload, the
// trace's position and its line, if a trace does not replay.
std::vector<KeyedState> ReplayTraces(const std::shared_ptr<const Task>& task,
                                     std::span<const std::string> traces,
                                     const StopToken& stop = {});

// Number of hardware threads of this machine. Targets do not limit it: nothing is timed meanwhile.
int ReplayThreads();

}  // namespace schedulegym
