#include "backends/runner/measured_task.h"

#include <algorithm>
#include <stdexcept>

#include "backends/object_code.h"
#include "backends/runner/wire/task_text.h"
#include "env/measure/outcome.h"
#include "env/measure/record.h"
#include "env/measure/timing/paired_statistics.h"
#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/inputs.h"

namespace schedulegym {
namespace {

// Largest slowdown of the reference against its usual time. Up to 1.5 ratios move by some percent,
// which the finalists' timing corrects; beyond that they moved by a half.
constexpr double kMostSlowdown = 1.5;
constexpr double kMostSlowdownOfOthers = 3;

}  // namespace

bool MeasuredTask::WouldBeBest(const Measurement& measurement) const {
  return measurement.ok() && (!best || IsBetter(measurement, *best));
}

void MeasuredTask::Note(const Key& state, const Measurement& measurement) {
  if (MayLearnFrom(measurement.outcome)) known[state] = measurement;
  if (!measurement.ok()) return;
  // The lower end, so that one lucky measurement does not reject equally fast candidates.
  best_ratio = std::max(best_ratio.value_or(0), measurement.timing->ratio.low);
  if (WouldBeBest(measurement)) best = measurement;
}

bool MeasuredTask::IsDisturbed(const Timing& timing, bool matters, double now) {
  if (timing.reference_samples.empty()) return false;
  const double seconds = Median({timing.reference_samples.begin(), timing.reference_samples.end()});
  const double slowdown = usual.Slowdown(seconds);
  usual.Note(seconds, now);
  return slowdown > (matters ? kMostSlowdown : kMostSlowdownOfOthers);
}

CompileRequest CompileRequestOf(const ScheduleState& state) {
  return {TextOf(state.task()), state.TraceText(), 0};
}

std::shared_ptr<const Task> JudgingTask(const std::shared_ptr<const Task>& task) {
  if (!task->target.IsGpu()) return task;
  const char* backend = HasLlvm() ? "llvm" : "interpreter";
  return std::make_shared<const Task>(
      Task{task->dag, MakeTarget({backend, {{"cores", SpecValue{int64_t{1}}}}}), task->name});
}

uint64_t OrderSeedOf(const std::string& task_key, uint64_t session_seed) {
  Hasher hasher;
  hasher.Add(session_seed);
  hasher.Add(task_key);
  return hasher.Value();
}

ReferenceFunction ReferenceOf(const PrepareRequest& request) {
  return [&request](const std::shared_ptr<const Task>& task) {
    for (const std::string& trace : {request.reference_trace, request.error_trace}) {
      Result<ScheduleState> state = ReplayText(task, trace);
      if (state) return *std::move(state);
    }
    throw std::logic_error("no reference schedule fits " + task->name);
  };
}

PrepareRequest MakePrepareRequest(const std::shared_ptr<const Task>& task,
                                  const ScheduleState& reference, const ReferenceFunction& schedule,
                                  const std::string& protocol, uint64_t seed) {
  PrepareRequest request;
  request.key = TaskKey(*task).ToText();
  request.task = TextOf(*task);
  const std::shared_ptr<const Task> judge = JudgingTask(task);
  request.reference_trace = judge == task ? reference.TraceText() : schedule(judge).TraceText();
  if (const Result<ErrorDag> error = MakeErrorDag(task->dag)) {
    const auto error_task =
        std::make_shared<const Task>(Task{error->dag, judge->target, task->name});
    request.error_trace = schedule(error_task).TraceText();
  }
  request.seed = InputSeed(TaskKey(*task));
  request.order_seed = OrderSeedOf(request.key, seed);
  request.protocol = protocol;
  return request;
}

}  // namespace schedulegym
