// Estimates the operations in a program's machine code. Each store counts
//   (1 + 0.5 operators + 20 functions) * ceil(vector extent / lanes)
// a loop 2, a let, a branch and a barrier 1 each; an unrolled loop multiplies its body by its
// extent. Index arithmetic and reads are free. The weights are this project's estimate.
// QuickCodeSize takes a schedule without lowering: unrolled copies, times 2 for each spatial split
// that leaves a tail. Cost: O(program); QuickCodeSize O(loops + expression).
#include "env/lower/code_size.h"

#include <algorithm>

#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

class Counter {
 public:
  Counter(const LoopProgram& program, const Target& target) : program_(program), target_(target) {}

  // `vector`: extent of the vector loop around, 1 for none.
  double Count(const StatementPtr& statement, int64_t vector) const {
    if (!statement) return 0;
    return std::visit([&](const auto& node) { return Of(node, vector); }, statement->node);
  }

 private:
  double Of(const For& loop, int64_t vector) const {
    if (loop.kind == LoopKind::kVector) return Count(loop.body, loop.extent);
    const double body = Count(loop.body, vector);
    return loop.kind == LoopKind::kUnrolled ? static_cast<double>(loop.extent) * body : 2 + body;
  }
  double Of(const Let& let, int64_t vector) const { return 1 + Count(let.body, vector); }
  double Of(const If& branch, int64_t vector) const {
    return 1 + Count(branch.then_body, vector) + Count(branch.else_body, vector);
  }
  double Of(const Allocate& allocate, int64_t vector) const { return Count(allocate.body, vector); }
  double Of(const Store& store, int64_t vector) const {
    return StoreOperations(store.value, program_.buffers[store.buffer].type, vector, target_);
  }
  double Of(const Block& block, int64_t vector) const {
    double sum = 0;
    for (const StatementPtr& statement : block.statements) sum += Count(statement, vector);
    return sum;
  }
  double Of(const Barrier&, int64_t) const { return 1; }

  const LoopProgram& program_;
  const Target& target_;
};

// Copies of a stage's statement once its loops are unrolled, vectors as one.
double Copies(const Stage& stage) {
  double copies = 1, steps = 1;
  bool innermost = true;  // all loops so far are unrolled
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

double CodeOperations(const Expr& expr) {
  double operations = 1;
  Visit(expr, [&](const ExprNode& node) {
    const bool function = node.op >= Op::kExp && node.op <= Op::kErf;
    if (node.args.empty() || node.op == Op::kRead || node.type == DType::kIndex) return;
    operations += function ? 20 : 0.5;
  });
  return operations;
}

double StoreOperations(const Expr& value, DType type, int64_t vector, const Target& target) {
  const int64_t lanes = std::max(1, target.VectorLanes(SizeInBytes(type)));
  return CodeOperations(value) * static_cast<double>(CeilDivide(vector, lanes));
}

double CodeSize(const LoopProgram& program, const Target& target) {
  return Counter(program, target).Count(program.body, 1);
}

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
