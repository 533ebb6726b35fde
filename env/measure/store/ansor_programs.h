// Ansor programs: reads and writes logs of measured programs of TVM's auto_scheduler, as in
// TenSet.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "env/base/result.h"
#include "env/measure/store/program_set.h"

namespace schedulegym {

// Returns a log line of this schedule's record, without the newline. Its workload key is
// ["schedulegym_task", KEY, TENSORS]: the task's key, and the number of tensors of its computation.
// Returns an error for a primitive that Ansor lacks.
Result<std::string> ToAnsorLine(const Record& record, const ScheduleState& state);

// Returns whether the file is such a log, by its first bytes: JSON that is no file of programs.
// Throws InputError if it cannot be read, and for a Python pickle, which is never loaded.
bool IsAnsorLog(const std::string& path);

// Tasks by the whole workload key of a log, or by the hash at its start. The stages of a task's
// `.dag` must be in Ansor's order, inputs included.
using NamedComputations = std::map<std::string, std::shared_ptr<const Task>>;

// Returns the successes of a log, with a task for each workload key and target. A task missing in
// `named` has no computation (IsForeign): its traces are NumberedTraceText. Traces of named tasks
// are replayed. Seconds are the mean of a line's costs. Leaves out failures. Leaves out, too, lines
// of another form, unknown steps, and steps that do not replay; the set's notes count these, each
// reason once. Throws InputError if no program is left.
ProgramSet ReadAnsorLog(const std::string& path, const NamedComputations& named = {});

// A trace of a computation whose stages have no names: stage i is called s<i>.
std::string NumberedTraceText(const Trace& trace);
Result<Trace> ParseNumberedTrace(std::string_view text);

}  // namespace schedulegym
