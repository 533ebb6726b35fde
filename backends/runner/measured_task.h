// MeasuredTask: a measurer's state of a task whose candidates it times.
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
  std::optional<double> reference_seconds;  // the session's; nullopt until a checker has timed it
  std::optional<double> best_ratio;         // lower end of the best interval
  std::optional<Measurement> best;          // correct at awkward shapes, too
  std::map<Key, Measurement> known;         // by state
  RollingBaseline usual;                    // of the reference

  bool WouldBeBest(const Measurement& measurement) const;
  // Records a candidate's final measurement.
  void Note(const Key& state, const Measurement& measurement);
  // Whether the reference took so much longer than usual that the ratio is not comparable with
  // others. The limit is lower if the timing `matters`, as for a new best. Pass each timing once.
  bool IsDisturbed(const Timing& timing, bool matters, double now);
};

// All but `reference`, which is the code of CompileRequestOf for the reference schedule. `seed`:
// the session's.
PrepareRequest MakePrepareRequest(const std::shared_ptr<const Task>& task,
                                  const ScheduleState& reference, const ReferenceFunction& schedule,
                                  const std::string& protocol, uint64_t seed);

// For the worker's side: the schedules of the two programs for which the naive one may take too
// long. The request outlives it. Throws std::logic_error for any other task.
ReferenceFunction ReferenceOf(const PrepareRequest& request);

// The task whose target computes the trusted outputs. For a device: the same computation on one
// core of this machine's processor, by another compiler (in a build without LLVM by the
// interpreter). Otherwise the task itself.
std::shared_ptr<const Task> JudgingTask(const std::shared_ptr<const Task>& task);

// Seed of the interleaving, by task and session. Inputs are the same in all sessions (InputSeed).
uint64_t OrderSeedOf(const std::string& task_key, uint64_t session_seed);

// The request that compiles a schedule to an object.
CompileRequest CompileRequestOf(const ScheduleState& state);

}  // namespace schedulegym
