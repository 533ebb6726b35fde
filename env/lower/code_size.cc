#include "env/lower/code_size.h"

#include <algorithm>

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

  const LoopProgram& program_;
  const Target& target_;
};

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

}  // namespace schedulegym
