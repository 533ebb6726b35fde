// MeasuredTask: what a measurer knows of a task whose candidates it times.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "backends/runner/edge_shape_check.h"
#include "backends/runner/verification/trusted_outputs.h"
#include "backends/runner/wire/messages.h"
#include "env/base/hash.h"
#include "env/measure/measurement.h"
#include "env/measure/timing/outlier_check.h"

namespace schedulegym {

struct MeasuredTask {
  std::unique_ptr<EdgeShapeCheck> shapes;
  std::optional<double> reference_seconds;  // the session's, once some checker has timed it
  std::optional<double> best_ratio;         // the lower end of the best one's interval
  std::optional<Measurement> best;          // that was right at awkward shapes, too
  std::map<Key, Measurement> known;         // by state
  RollingBaseline usual;                    // of the reference

  bool WouldBeBest(const Measurement& measurement) const;
  // A candidate's last word.
  void Note(const Key& state, const Measurement& measurement);
  // Whether the reference took so much longer than usual that the ratio compares with no other; of
  // what matters, such as what looks best, less is believed. Each timing is to be shown once.
  bool IsDisturbed(const Timing& timing, bool matters, double now);
};

// All but `reference`, which is the code of what CompileRequestOf says of the reference schedule.
// `seed`: the session's.
PrepareRequest MakePrepareRequest(const std::shared_ptr<const Task>& task,
                                  const ScheduleState& reference, const ReferenceFunction& schedule,
                                  const std::string& protocol, uint64_t seed);

// On the other side: the schedules of the two programs for which the naive one may take too long.
// The request outlives it. Throws std::logic_error for any other task.
ReferenceFunction ReferenceOf(const PrepareRequest& request);

// The task on whose target trusted outputs are made: of a device, the same computation on one core
// of this machine's processor, by another compiler (in a build without LLVM by the interpreter);
// else the task itself.
std::shared_ptr<const Task> JudgingTask(const std::shared_ptr<const Task>& task);

// Of interleaving: another for each task of a session. Inputs are the same in all (InputSeed).
uint64_t OrderSeedOf(const std::string& task_key, uint64_t session_seed);

// That makes an object of a schedule.
CompileRequest CompileRequestOf(const ScheduleState& state);

}  // namespace schedulegym
