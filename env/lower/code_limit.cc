#include "env/lower/code_limit.h"

#include <algorithm>

#include "env/base/text.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// Copies of a stage's statement once its loops are unrolled, vectors as one.
double Copies(const Stage& stage) {
  double copies = 1, steps = 1;
  bool innermost = true;  // the loops so far all stand unrolled
  for (size_t i = stage.loops.size(); i-- > 0;) {
    const StageLoop& loop = stage.loops[i];
    if (loop.annotation == Annotation::kVectorize) continue;
    const auto extent = static_cast<double>(stage.nodes[loop.node].extent);
    steps *= extent;
    const bool plain = loop.annotation == Annotation::kNone;
    const bool unrolled = loop.annotation == Annotation::kUnroll;
    innermost = innermost && (plain || unrolled) &&
                (unrolled || steps <= static_cast<double>(stage.auto_unroll_max_step));
    if (unrolled || innermost) copies *= extent;
  }
  return copies;
}

// Splits that do not divide have a tail each, beside the main part.
double Parts(const Stage& stage) {
  double parts = 1;
  for (const Relation& relation : stage.relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (!split || stage.nodes[split->parent].reduction) continue;
    int64_t product = 1;
    for (int64_t length : split->lengths) product *= length;
    if (stage.nodes[split->parent].extent % product != 0) parts *= 2;
  }
  return parts;
}

int64_t VectorExtent(const Stage& stage) {
  for (const StageLoop& loop : stage.loops) {
    if (loop.annotation == Annotation::kVectorize) return stage.nodes[loop.node].extent;
  }
  return 1;
}

}  // namespace

double QuickCodeSize(const ScheduleState& state) {
  double size = 0;
  for (const StagePtr& stage : state.stages()) {
    const bool has_loops = stage->op->kind != StageKind::kInput &&
                           stage->location != Location::kInlined && stage->effective->body;
    if (!has_loops) continue;
    const int64_t lanes =
        std::max(1, state.task().target.VectorLanes(SizeInBytes(stage->op->type)));
    const auto vectors = static_cast<double>(CeilDivide(VectorExtent(*stage), lanes));
    size += Copies(*stage) * Parts(*stage) * vectors * CodeOperations(stage->effective->body);
  }
  return size;
}

Result<void> CheckCodeSize(const ScheduleState& state, double most) {
  const Result<LoopProgram> program = LowerWithin(state, most);
  if (!program) return program.error();
  const double code = CodeSize(*program, state.task().target);
  if (code <= most) return {};
  return Error{ErrorKind::kCompile, "found code of " + FormatDouble(code) +
                                        " operations, expected at most " + FormatDouble(most)};
}

}  // namespace schedulegym
