#include "backends/interpreter/flat_program.h"

#include <string>
#include <unordered_map>

#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

class Flattener {
 public:
  Result<FlatProgram> Flatten(const LoopProgram& program) {
    program_.root = AddStep(*program.body, /*in_vector=*/false);
    if (!problem_.empty()) return Error{ErrorKind::kUnsupported, problem_};
    return std::move(program_);
  }

 private:
  int AddExpr(const Expr& expr) {
    const auto known = positions_.find(expr.get());
    if (known != positions_.end()) return known->second;
    FlatExpr flat;
    flat.op = expr->op;
    flat.type = expr->type;
    flat.id = expr->id;
    flat.integer = expr->integer;
    flat.number = expr->op == Op::kInteger ? static_cast<double>(expr->integer) : expr->number;
    if (IsFloating(flat.type)) flat.number = RoundToType(flat.type, flat.number);
    if (!expr->args.empty()) flat.argument_type = expr->args[0]->type;
    for (const Expr& arg : expr->args) flat.args.push_back(AddExpr(arg));
    program_.exprs.push_back(std::move(flat));
    return positions_[expr.get()] = static_cast<int>(program_.exprs.size()) - 1;
  }

  int Keep(FlatStep step) {
    program_.steps.push_back(std::move(step));
    return static_cast<int>(program_.steps.size()) - 1;
  }

  int AddStep(const Statement& statement, bool in_vector) {
    return std::visit([&](const auto& node) { return Keep(StepOf(node, in_vector)); },
                      statement.node);
  }

  FlatStep StepOf(const For& loop, bool in_vector) {
    if (loop.kind > LoopKind::kParallel) {
      problem_ = std::string("loop kind ") + LoopKindName(loop.kind) +
                 " on the interpreter: expected serial, unrolled, vector or parallel";
    }
    if (in_vector) problem_ = "a loop within a vector loop";
    FlatStep step;
    const bool is_vector = loop.kind == LoopKind::kVector;
    step.kind = is_vector ? FlatStep::Kind::kVector : FlatStep::Kind::kFor;
    step.parallel = loop.kind == LoopKind::kParallel;
    step.id = loop.variable;
    step.begin = loop.begin;
    step.extent = loop.extent;
    step.body = AddStep(*loop.body, is_vector);
    return step;
  }

  FlatStep StepOf(const Let& let, bool in_vector) {
    FlatStep step;
    step.kind = FlatStep::Kind::kLet;
    step.id = let.variable;
    step.value = AddExpr(let.value);
    step.body = AddStep(*let.body, in_vector);
    return step;
  }

  FlatStep StepOf(const If& branch, bool in_vector) {
    FlatStep step;
    step.kind = FlatStep::Kind::kIf;
    step.value = AddExpr(branch.condition);
    step.body = AddStep(*branch.then_body, in_vector);
    if (branch.else_body) step.other = AddStep(*branch.else_body, in_vector);
    return step;
  }

  FlatStep StepOf(const Allocate& allocate, bool in_vector) {
    if (in_vector) problem_ = "a buffer within a vector loop";
    FlatStep step;
    step.kind = FlatStep::Kind::kAllocate;
    step.id = allocate.buffer;
    step.body = AddStep(*allocate.body, in_vector);
    return step;
  }

  FlatStep StepOf(const Store& store, bool) {
    FlatStep step;
    step.kind = FlatStep::Kind::kStore;
    step.id = store.buffer;
    step.value = AddExpr(store.value);
    for (const Expr& index : store.indices) step.parts.push_back(AddExpr(index));
    return step;
  }

  FlatStep StepOf(const Block& block, bool in_vector) {
    FlatStep step;
    step.kind = FlatStep::Kind::kBlock;
    for (const StatementPtr& part : block.statements) {
      step.parts.push_back(AddStep(*part, in_vector));
    }
    return step;
  }

  FlatStep StepOf(const Barrier&, bool) {
    problem_ = "a barrier on the interpreter: expected the sequential form";
    FlatStep step;
    step.kind = FlatStep::Kind::kBlock;
    return step;
  }

  FlatProgram program_;
  std::unordered_map<const ExprNode*, int> positions_;
  std::string problem_;
};

}  // namespace

Result<FlatProgram> Flatten(const LoopProgram& program) { return Flattener().Flatten(program); }

}  // namespace schedulegym
