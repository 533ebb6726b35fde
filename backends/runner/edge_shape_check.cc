#include "backends/runner/edge_shape_check.h"

#include <optional>
#include <utility>

#include "backends/runner/wire/task_text.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "env/measure/verification/inputs.h"
#include "env/program/workloads/shrunk.h"

namespace schedulegym {
namespace {

constexpr size_t kMostShapes = 4;
constexpr size_t kMostTrials = 2;
// Limit of a program's operations, so that it compiles quickly. Where all tiles have tails on all
// sides, some programs are many times larger than their own shape's: one took ten seconds (T2D,
// 54,000 lines of LLVM's representation instead of 8,000).
constexpr double kMostCode = 2500;

EdgeShape ShapeOf(std::shared_ptr<const Task> task) {
  EdgeShape shape;
  const TaskText text = TextOf(*task);
  const std::string naive = ScheduleState::Initial(task).TraceText();
  // A user may also search at this shape, which then has its own key.
  shape.prepare.key = "verify " + TaskKey(*task).ToText();
  shape.prepare.task = text;
  shape.prepare.reference_trace = naive;
  shape.prepare.error_trace = naive;
  shape.prepare.seed = InputSeed(TaskKey(*task));
  shape.prepare.verify_only = true;
  shape.reference = {text, naive, 0};
  shape.task = std::move(task);
  return shape;
}

}  // namespace

EdgeShapeCheck::EdgeShapeCheck(const Task& task) {
  for (auto& shrunk : ShrunkTasks(task, kMostShapes)) shapes_.push_back(ShapeOf(std::move(shrunk)));
}

std::vector<ShapeTrial> EdgeShapeCheck::TrialsOf(const ScheduleState& state) const {
  std::vector<ShapeTrial> trials;
  std::optional<ShapeTrial> least;  // of the shapes that are too long
  double least_code = 0;
  const std::string trace = state.TraceText();
  for (const EdgeShape& shape : shapes_) {
    if (trials.size() == kMostTrials) break;
    const Result<ScheduleState> shrunk = ReplayText(shape.task, trace);
    const Result<LoopProgram> program = shrunk ? Lower(*shrunk) : shrunk.error();
    if (!program) continue;
    ShapeTrial trial = {&shape, {shape.prepare.task, shrunk->TraceText(), 0}};
    const double code = CodeSize(*program, shape.task->target);
    if (code <= kMostCode) {
      trials.push_back(std::move(trial));
    } else if (!least || code < least_code) {
      least = std::move(trial);
      least_code = code;
    }
  }
  if (trials.empty() && least) trials.push_back(*std::move(least));
  return trials;
}

Measurement AfterShape(Measurement measurement, const EdgeShape& shape, const VerifyReply& reply) {
  const std::optional<Outcome> outcome = ParseOutcome(reply.outcome);
  measurement.phases.verify += reply.seconds;
  if (outcome == Outcome::kOk) return measurement;
  measurement.outcome = outcome.value_or(Outcome::kCorruptResult);
  measurement.message = "at " + shape.task->name + ": " + reply.message;
  measurement.stderr_tail = reply.stderr_tail;
  measurement.timing.reset();
  return measurement;
}

}  // namespace schedulegym
