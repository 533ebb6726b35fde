#include "tests/support/schedules.h"

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/program/language/parser.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

std::shared_ptr<const Task> TaskOf(const ComputeDag& dag, BackendKind backend) {
  Target target;
  target.backend = backend;
  target.cpu = "generic";
  target.cores = 2;
  target.vector_bits = 256;
  return std::make_shared<const Task>(Task{dag, target, "test"});
}

std::shared_ptr<const Task> TaskOf(std::string_view dag, BackendKind backend) {
  return TaskOf(ParseDag(dag, "test.dag").value(), backend);
}

ScheduleState StateAfter(const std::shared_ptr<const Task>& task, std::string_view steps) {
  return ReplayText(task, "trace 1\n" + std::string(steps)).value();
}

ScheduleState StateAfter(std::string_view dag, std::string_view steps) {
  return StateAfter(TaskOf(dag), steps);
}

ScheduleState StateAfter(ScheduleState state, std::string_view steps) {
  for (const std::string& step : SplitLines(steps)) {
    state = Apply(state, ParsePrimitive(step, state.Names()).value()).value();
  }
  return state;
}

std::string LoopsOf(const ScheduleState& state) { return InferLoops(state).ToText(state); }

std::string RefusalOf(const ScheduleState& state, const Primitive& primitive) {
  const Result<void> legal = Check(state, primitive);
  const Result<ScheduleState> next = Apply(state, primitive);
  SG_CHECK(legal.ok() == next.ok(), "check and apply disagree");
  if (legal) return "";
  SG_CHECK(legal.error().kind == ErrorKind::kIllegal, "a refusal is illegal");
  SG_CHECK(legal.error().message == next.error().message, "check and apply give two reasons");
  return legal.error().message;
}

std::string RefusalOf(const ScheduleState& state, std::string_view step) {
  return RefusalOf(state, ParsePrimitive(step, state.Names()).value());
}

}  // namespace schedulegym
