// Ansor programs: measured programs to and from the logs of TVM's auto_scheduler, as TenSet has
// them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "env/base/result.h"
#include "env/measure/store/program_set.h"

namespace schedulegym {

// The line of a record of this schedule, without the newline. Its workload key is
// ["schedulegym_task", KEY, TENSORS]: the task's key, and how many tensors its computation has. An
// error for a primitive that Ansor lacks.
Result<std::string> ToAnsorLine(const Record& record, const ScheduleState& state);

// Whether the file is such a log, by its first bytes: JSON that is no file of programs. Throws
// InputError for one that cannot be read, and for a Python pickle, which is never loaded.
bool IsAnsorLog(const std::string& path);

// What workload keys of a log compute, by the whole key or by the hash that it begins with. Stages
// of a task's `.dag` have the order of Ansor's, inputs included.
using NamedComputations = std::map<std::string, std::shared_ptr<const Task>>;

// Its successes, tasks by workload key and target. A task that is not named has no computation
// (IsForeign): its traces are NumberedTraceText. Those of one that is named are replayed. Seconds
// are the mean of a line's costs. Failures are left out; so are lines of another form and steps
// that are not known or do not replay, which the set's notes count, each reason once. Throws
// InputError where no program is left.
ProgramSet ReadAnsorLog(const std::string& path, const NamedComputations& named = {});

// A trace of a computation whose stages have no names: stage i is called s<i>.
std::string NumberedTraceText(const Trace& trace);
Result<Trace> ParseNumberedTrace(std::string_view text);

}  // namespace schedulegym
