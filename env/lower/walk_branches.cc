#include "env/lower/walk.h"

#include <algorithm>

#include "env/lower/builder.h"

namespace schedulegym {

StatementPtr Walker::BranchOnPart(Job job, int position, const OpenPart& open) {
  const Expr value = builder_.Simplified(job.nest.value[open.child]);
  const Range bounds = BoundsOf(value, builder_.ranges());
  Job tail = job;
  job.nest.part[open.child] = Part::kMain;
  PropagateExtents(job.nest);
  if (bounds.high < open.main_count) return Bound(std::move(job), position);
  tail.nest.part[open.child] = Part::kTail;
  tail.nest.value[open.child] = IndexConstant(open.main_count);
  PropagateExtents(tail.nest);
  if (bounds.low >= open.main_count) return Bound(std::move(tail), position);
  const Expr is_main = Binary(Op::kLess, value, IndexConstant(open.main_count));
  // In the main part the value is known to be smaller; a new variable carries that range.
  std::vector<Binding> bindings;
  if (open.main_count == 1) {
    job.nest.value[open.child] = IndexConstant(0);
  } else if (!job.nest.IsInVector(position)) {
    const int narrowed = builder_.AddVariable(UniqueName("main"), {0, open.main_count - 1}, value);
    bindings.push_back({narrowed, value});
    job.nest.value[open.child] = Variable(narrowed);
  }
  StatementPtr then_body = Wrap(bindings, Bound(std::move(job), position));
  StatementPtr else_body = Bound(std::move(tail), position);
  return builder_.Count(MakeIf(is_main, std::move(then_body), std::move(else_body)));
}

StatementPtr Walker::CheckGuards(Job job, int position) {
  Nest& nest = job.nest;
  std::vector<Expr> conditions;
  std::erase_if(nest.guards, [&](const auto& guard) {
    if (!nest.value[guard.first]) return false;
    conditions.push_back(builder_.Simplified(
        Binary(Op::kLess, nest.value[guard.first], IndexConstant(guard.second))));
    return true;
  });
  const Expr condition = Conjunction(conditions);
  if (IsFalse(condition)) return nullptr;
  StatementPtr body = CheckConditions(std::move(job), position);
  if (IsTrue(condition)) return body;
  return builder_.Count(MakeIf(condition, std::move(body), nullptr));
}

StatementPtr Walker::CheckConditions(Job job, int position) {
  if (job.mode != Mode::kUpdate) return Enter(std::move(job), position + 1);
  Nest& nest = job.nest;
  std::vector<Expr> conditions;
  std::erase_if(nest.conditions, [&](const Expr& condition) {
    if (!IsDetermined(nest, condition)) return false;
    conditions.push_back(builder_.Simplified(OverAxes(nest, condition)));
    return true;
  });
  const Expr condition = Conjunction(conditions);
  if (IsTrue(condition)) return BranchOnSelect(std::move(job), position);
  // Where a sum has no terms, its cells still get the neutral element.
  StatementPtr empty;
  if (nest.op().is_reduction() && !job.initialized) {
    Job initialize = job;
    initialize.initialized = true;
    initialize.mode = Mode::kInitialize;
    empty = Enter(std::move(initialize), position + 1);
  }
  if (IsFalse(condition)) return empty;
  StatementPtr body = BranchOnSelect(std::move(job), position);
  return builder_.Count(MakeIf(condition, std::move(body), std::move(empty)));
}

// A select at the top of an elementwise body branches as far out as its condition is known.
StatementPtr Walker::BranchOnSelect(Job job, int position) {
  Nest& nest = job.nest;
  if (nest.op().is_reduction() || nest.body->op != Op::kSelect || nest.IsInVector(position)) {
    return ComputeAttached(std::move(job), position);
  }
  std::vector<Expr> conjuncts, known, rest;
  CollectConjuncts(nest.body->args[0], conjuncts);
  for (const Expr& conjunct : conjuncts) {
    (IsDetermined(nest, conjunct) ? known : rest).push_back(conjunct);
  }
  if (known.empty()) return ComputeAttached(std::move(job), position);
  const Expr condition = builder_.Simplified(OverAxes(nest, Conjunction(known)));
  Job otherwise = job;
  otherwise.nest.body = nest.body->args[2];
  nest.body = Select(Conjunction(rest), nest.body->args[1], nest.body->args[2]);
  if (IsTrue(condition)) return BranchOnSelect(std::move(job), position);
  if (IsFalse(condition)) return BranchOnSelect(std::move(otherwise), position);
  StatementPtr then_body = BranchOnSelect(std::move(job), position);
  StatementPtr else_body = BranchOnSelect(std::move(otherwise), position);
  return builder_.Count(MakeIf(condition, std::move(then_body), std::move(else_body)));
}

Expr Walker::OverAxes(const Nest& nest, const Expr& expr) const {
  return Transform(expr, [&](const Expr& leaf) -> Expr {
    if (leaf->op == Op::kVariable) return nest.AxisValue(leaf->id);
    const int buffer = builder_.residence(leaf->id).buffer;
    return Read(leaf->type, buffer, builder_.LocateElement(leaf->id, leaf->args));
  });
}

bool Walker::IsDetermined(const Nest& nest, const Expr& expr) const {
  if (expr->op == Op::kRead) return false;
  if (expr->op == Op::kVariable) return nest.value[expr->id] != nullptr;
  return std::ranges::all_of(expr->args, [&](const Expr& arg) { return IsDetermined(nest, arg); });
}

}  // namespace schedulegym
