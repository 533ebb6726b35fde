// Facts about loop programs for the emitter: whether LLVM's target can run it, which buffers a
// statement stores and reads (cached), the widths of its types, reductions of a register into one
// cell, and the plan of a vector loop: whole vectors, then the rest as one masked vector of the
// next power of two, or without masks as vectors of falling powers of two; more than `most_pieces`
// whole ones become a loop.
// Cost: one visit of the statement for each fact.
#include "backends/llvm/program_facts.h"

#include <algorithm>
#include <bit>
#include <string>

namespace schedulegym {
namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

Error Unsupported(std::string message) { return {ErrorKind::kUnsupported, std::move(message)}; }

bool IsFloatFunction(Op op) {
  switch (op) {
    case Op::kExp:
    case Op::kLog:
    case Op::kSqrt:
    case Op::kRsqrt:
    case Op::kTanh:
    case Op::kSigmoid:
    case Op::kErf:
    case Op::kPow: return true;
    default: return false;
  }
}

Result<void> CheckExpr(const Expr& expr) {
  if (IsFloatFunction(expr->op) && !IsFloating(expr->type)) {
    return Unsupported(std::string(OpName(expr->op)) + " of type " + DTypeName(expr->type) +
                       " on the llvm target: expected a floating type");
  }
  for (const Expr& arg : expr->args) {
    if (auto checked = CheckExpr(arg); !checked) return checked;
  }
  return {};
}

Result<void> CheckStatement(const Statement& statement, bool in_vector);

Result<void> CheckLoop(const For& loop, bool in_vector) {
  if (loop.kind > LoopKind::kParallel) {
    return Unsupported(std::string("loop kind ") + LoopKindName(loop.kind) +
                       " on the llvm target: expected serial, unrolled, vector or parallel");
  }
  if (in_vector) return Unsupported("a loop within a vector loop on the llvm target");
  return CheckStatement(*loop.body, loop.kind == LoopKind::kVector);
}

Result<void> CheckStore(const Store& store) {
  for (const Expr& index : store.indices) {
    if (auto checked = CheckExpr(index); !checked) return checked;
  }
  return CheckExpr(store.value);
}

Result<void> CheckAll(std::initializer_list<const Statement*> statements, bool in_vector) {
  for (const Statement* statement : statements) {
    if (statement == nullptr) continue;
    if (auto checked = CheckStatement(*statement, in_vector); !checked) return checked;
  }
  return {};
}

Result<void> CheckStatement(const Statement& statement, bool in_vector) {
  return std::visit(
      Overloaded{[&](const For& loop) { return CheckLoop(loop, in_vector); },
                 [&](const Let& let) { return CheckAll({let.body.get()}, in_vector); },
                 [&](const If& branch) {
                   return CheckAll({branch.then_body.get(), branch.else_body.get()}, in_vector);
                 },
                 [&](const Allocate& allocate) -> Result<void> {
                   if (in_vector)
                     return Unsupported("a buffer within a vector loop on the llvm target");
                   return CheckStatement(*allocate.body, in_vector);
                 },
                 [&](const Store& store) { return CheckStore(store); },
                 [&](const Block& block) -> Result<void> {
                   for (const StatementPtr& part : block.statements) {
                     if (auto checked = CheckStatement(*part, in_vector); !checked) return checked;
                   }
                   return {};
                 },
                 [](const Barrier&) -> Result<void> {
                   return Unsupported("a barrier on the llvm target: expected the sequential form");
                 }},
      statement.node);
}

bool Mentions(const Expr& expr, int variable) {
  if (expr->op == Op::kVariable && expr->id == variable) return true;
  return std::any_of(expr->args.begin(), expr->args.end(),
                     [variable](const Expr& arg) { return Mentions(arg, variable); });
}

// Calls `visit` with each store, and `visit_condition` with each condition, under a statement.
template <typename VisitStore, typename VisitCondition>
void ForEach(const Statement& statement, VisitStore& visit, VisitCondition& visit_condition) {
  std::visit(
      Overloaded{[&](const For& loop) { ForEach(*loop.body, visit, visit_condition); },
                 [&](const Let& let) { ForEach(*let.body, visit, visit_condition); },
                 [&](const If& branch) {
                   visit_condition(branch.condition);
                   ForEach(*branch.then_body, visit, visit_condition);
                   if (branch.else_body) {
                     ForEach(*branch.else_body, visit, visit_condition);
                   }
                 },
                 [&](const Allocate& allocate) { ForEach(*allocate.body, visit, visit_condition); },
                 [&](const Store& store) { visit(store); },
                 [&](const Block& block) {
                   for (const StatementPtr& part : block.statements) {
                     ForEach(*part, visit, visit_condition);
                   }
                 },
                 [](const Barrier&) {}},
      statement.node);
}

}  // namespace

Result<void> CheckSupported(const LoopProgram& program) {
  return CheckStatement(*program.body, /*in_vector=*/false);
}

ProgramFacts::ProgramFacts(const LoopProgram& program)
    : buffers_(static_cast<int>(program.buffers.size())), program_(program) {}

const ProgramFacts::Touched& ProgramFacts::TouchedBy(const Statement& statement) {
  const auto [entry, is_new] = touched_.try_emplace(&statement);
  Touched& touched = entry->second;
  if (!is_new) return touched;
  touched.stored.resize(buffers_);
  touched.read.resize(buffers_);
  const auto see = [&touched](const ExprNode& node) {
    if (node.op == Op::kRead) touched.read[node.id] = true;
  };
  auto visit = [&](const Store& store) {
    touched.stored[store.buffer] = true;
    Visit(store.value, see);
  };
  auto visit_condition = [&](const Expr& condition) { Visit(condition, see); };
  ForEach(statement, visit, visit_condition);
  return touched;
}

ProgramFacts::Sizes ProgramFacts::SizesIn(const Statement& statement) const {
  Sizes sizes;
  const auto see = [&sizes](DType type) {
    if (type == DType::kIndex || type == DType::kBool) return;
    // Halves are floats in registers.
    sizes.largest = std::max(sizes.largest, SizeInBytes(AccumulatorType(type)));
    sizes.smallest = std::min(sizes.smallest, SizeInBytes(type));
  };
  const auto see_node = [&see](const ExprNode& node) { see(node.type); };
  auto visit = [&](const Store& store) {
    see(program_.buffers[store.buffer].type);
    Visit(store.value, see_node);
  };
  auto visit_condition = [&](const Expr& condition) { Visit(condition, see_node); };
  ForEach(statement, visit, visit_condition);
  return sizes;
}

bool ReadsOtherCells(const Store& store) {
  bool reads = false;
  Visit(store.value, [&](const ExprNode& node) {
    if (node.op != Op::kRead || node.id != store.buffer) return;
    reads |= !std::equal(node.args.begin(), node.args.end(), store.indices.begin(),
                         store.indices.end(), Equal);
  });
  return reads;
}

bool HasFunctions(const Expr& value) {
  switch (value->op) {
    case Op::kExp:
    case Op::kLog:
    case Op::kTanh:
    case Op::kSigmoid:
    case Op::kErf:
    case Op::kDivide:
    case Op::kPow: return true;
    default: return std::any_of(value->args.begin(), value->args.end(), HasFunctions);
  }
}

std::optional<CellReduction> FindCellReduction(const For& loop) {
  const auto* store = std::get_if<Store>(&loop.body->node);
  if (store == nullptr) return std::nullopt;
  const ExprNode& value = *store->value;
  const bool combines = value.op == Op::kAdd || value.op == Op::kMultiply || value.op == Op::kMin ||
                        value.op == Op::kMax;
  if (!combines || value.args[0]->op != Op::kRead || value.args[1]->op != Op::kRead) {
    return std::nullopt;
  }
  const ExprNode& cell = *value.args[0];
  const ExprNode& element = *value.args[1];
  const bool is_same = cell.id == store->buffer && element.id != store->buffer &&
                       std::equal(cell.args.begin(), cell.args.end(), store->indices.begin(),
                                  store->indices.end(), Equal);
  const auto depends = [&loop](const Expr& index) { return Mentions(index, loop.variable); };
  if (!is_same || std::any_of(cell.args.begin(), cell.args.end(), depends)) return std::nullopt;
  return CellReduction{store, value.op, value.args[1]};
}

int CountReads(const Expr& expr) {
  int reads = expr->op == Op::kRead ? 1 : 0;
  for (const Expr& arg : expr->args) reads += CountReads(arg);
  return reads;
}

VectorPlan PlanVector(int64_t extent, int lanes, bool masks, int64_t most_pieces) {
  VectorPlan plan;
  const int64_t full = extent / lanes;
  int64_t offset = 0;
  if (full > most_pieces) {
    plan.repeats = full;
    offset = full * lanes;
  }
  for (; offset + lanes <= extent; offset += lanes) plan.pieces.push_back({offset, lanes, lanes});
  while (offset < extent) {
    const unsigned rest = static_cast<unsigned>(extent - offset);
    const int width = static_cast<int>(masks ? std::bit_ceil(rest) : std::bit_floor(rest));
    const int active = masks ? static_cast<int>(rest) : width;
    plan.pieces.push_back({offset, width, active});
    offset += active;
  }
  return plan;
}

}  // namespace schedulegym
