#include "env/features/operation_counts.h"

#include <numeric>

namespace schedulegym {
namespace {

using Kind = OperationKind;

// The kind of an operator on floating arguments.
Kind FloatKind(Op op) {
  switch (op) {
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract: return Kind::kFloatAdd;
    case Op::kMultiply: return Kind::kFloatMultiply;
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kModulo: return Kind::kFloatDivide;
    case Op::kMin:
    case Op::kMax: return Kind::kFloatCompare;
    default: return IsComparison(op) ? Kind::kFloatCompare : Kind::kFloatFunction;
  }
}

Kind IntegerKind(Kind kind) {
  constexpr auto kDistance =
      static_cast<int>(Kind::kIntegerMultiplyAdd) - static_cast<int>(Kind::kFloatMultiplyAdd);
  return static_cast<Kind>(static_cast<int>(kind) + kDistance);
}

void AddValue(const ExprNode& node, const AxisForms& forms, OperationCounts& counts) {
  switch (node.op) {
    case Op::kInteger:
    case Op::kNumber:
    case Op::kRead: return;
    case Op::kVariable: counts += CountLinear(forms.axes[node.id], 0); return;
    case Op::kCast: break;
    case Op::kSelect: ++counts[Kind::kSelect]; break;
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr: ++counts[Kind::kBoolean]; break;
    default: {
      const Kind kind = FloatKind(node.op);
      ++counts[IsFloating(node.args[0]->type) ? kind : IntegerKind(kind)];
    }
  }
  for (const Expr& arg : node.args) AddValue(*arg, forms, counts);
}

}  // namespace

OperationCounts& OperationCounts::operator+=(const OperationCounts& other) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  return *this;
}

double OperationCounts::Flops() const {
  return std::accumulate(counts.begin(), counts.begin() + static_cast<int>(Kind::kFloatCall) + 1,
                         0.0);
}

OperationCounts CountLinear(std::span<const int64_t> row, int64_t constant) {
  OperationCounts counts;
  int terms = 0;
  for (int64_t coefficient : row) {
    if (coefficient == 0) continue;
    ++terms;
    // Behind the first term, a factor of -1 is a subtraction.
    const bool is_plain = coefficient == 1 || (coefficient == -1 && terms > 1);
    if (!is_plain) ++counts[Kind::kIntegerMultiply];
  }
  if (terms > 0) counts[Kind::kIntegerAdd] = terms - 1 + (constant != 0 ? 1 : 0);
  return counts;
}

OperationCounts CountValue(const Expr& value, const AxisForms& forms) {
  OperationCounts counts;
  AddValue(*value, forms, counts);
  return counts;
}

OperationCounts CountCombination(Combiner combiner, DType type) {
  OperationCounts counts;
  if (combiner == Combiner::kNone) return counts;
  const Op op = combiner == Combiner::kSum       ? Op::kAdd
                : combiner == Combiner::kProduct ? Op::kMultiply
                                                 : Op::kMax;
  const Kind kind = FloatKind(op);
  ++counts[IsFloating(type) ? kind : IntegerKind(kind)];
  return counts;
}

}  // namespace schedulegym
