#include "tests/env/program/index_expressions.h"

#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Floored division by its definition: the largest q with q * b <= a, for b > 0.
int64_t Floored(int64_t a, int64_t b) {
  int64_t q = a / b;
  while (q * b > a) --q;
  return q;
}

int64_t Applied(Op op, int64_t a, int64_t b) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kFloorDivide: return Floored(a, b);
    case Op::kModulo: return a - b * Floored(a, b);
    case Op::kMin: return std::min(a, b);
    case Op::kMax: return std::max(a, b);
    case Op::kLess: return a < b;
    case Op::kLessEqual: return a <= b;
    case Op::kGreater: return a > b;
    case Op::kGreaterEqual: return a >= b;
    case Op::kEqual: return a == b;
    case Op::kNotEqual: return a != b;
    case Op::kAnd: return a != 0 && b != 0;
    case Op::kOr: return a != 0 || b != 0;
    default: break;
  }
  SG_CHECK(false, OpName(op));
}

}  // namespace

int64_t Evaluate(const Expr& expr, const std::vector<int64_t>& values) {
  const auto arg = [&](int i) { return Evaluate(expr->args[i], values); };
  switch (expr->op) {
    case Op::kInteger: return expr->integer;
    case Op::kVariable: return values[expr->id];
    case Op::kNegate: return -arg(0);
    case Op::kNot: return arg(0) == 0;
    case Op::kSelect: return arg(0) != 0 ? arg(1) : arg(2);
    default: return Applied(expr->op, arg(0), arg(1));
  }
}

Expr RandomIndex(Rng& rng, int variables, int depth) {
  if (depth == 0 || rng.Chance(0.2)) {
    return rng.Chance(0.7) ? Variable(static_cast<int>(rng.Below(variables)))
                           : IndexConstant(rng.Below(13) - 6);
  }
  const auto inner = [&] { return RandomIndex(rng, variables, depth - 1); };
  constexpr int64_t kDivisors[] = {1, 2, 3, 4, 6, 8, 12, 16};
  const Expr divisor = IndexConstant(kDivisors[rng.Below(8)]);
  switch (rng.Below(9)) {
    case 0:
    case 1: return inner() + inner();
    case 2: return inner() - inner();
    case 3: return inner() * IndexConstant(rng.Below(17) - 4);
    case 4: return Binary(Op::kFloorDivide, inner(), divisor);
    case 5: return Binary(Op::kModulo, inner(), divisor);
    case 6: return Binary(Op::kMin, inner(), inner());
    case 7: return Binary(Op::kMax, inner(), inner());
    default: return Unary(Op::kNegate, inner());
  }
}

Expr RandomCondition(Rng& rng, int variables, int depth) {
  constexpr Op kComparisons[] = {Op::kLess,         Op::kLessEqual, Op::kGreater,
                                 Op::kGreaterEqual, Op::kEqual,     Op::kNotEqual};
  if (depth == 0 || rng.Chance(0.4)) {
    return Binary(kComparisons[rng.Below(6)], RandomIndex(rng, variables, 2),
                  RandomIndex(rng, variables, 1));
  }
  const auto inner = [&] { return RandomCondition(rng, variables, depth - 1); };
  if (rng.Chance(0.2)) return Unary(Op::kNot, inner());
  return Binary(rng.Chance(0.5) ? Op::kAnd : Op::kOr, inner(), inner());
}

}  // namespace schedulegym
