#include "env/lower/partition.h"

#include <algorithm>

#include "env/lower/conditions.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// A comparison a < b and its like as form >= 0; none for others.
std::optional<Expr> AsNonNegative(const Expr& condition) {
  if (!IsComparison(condition->op) || condition->args[0]->type != DType::kIndex)
    return std::nullopt;
  const Expr& a = condition->args[0];
  const Expr& b = condition->args[1];
  switch (condition->op) {
    case Op::kLess: return b - a - IndexConstant(1);
    case Op::kLessEqual: return b - a;
    case Op::kGreater: return a - b - IndexConstant(1);
    case Op::kGreaterEqual: return a - b;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Range> SurelyTrueIterations(ProgramBuilder& builder, const Nest& nest, int position,
                                          int64_t extent) {
  std::vector<Expr> conditions = nest.conditions;
  if (!nest.op().is_reduction() && nest.body->op == Op::kSelect) {
    CollectConjuncts(nest.body->args[0], conditions);
  }
  if (conditions.empty()) return std::nullopt;
  Nest probe = nest;
  constexpr int kLoop = INT32_MAX;  // a variable that no program has
  probe.value[nest.LoopNode(position)] = Variable(kLoop);
  const std::vector<NodeRange> nodes = NodeRanges(probe);
  const RangeOf outer = builder.ranges();
  Range sure{0, extent - 1};
  bool depends = false;
  for (const Expr& condition : conditions) {
    const auto form = AsNonNegative(condition);
    const auto affine = form ? ToAffine(*form) : std::nullopt;
    if (!affine) continue;
    int64_t slope = 0;
    int64_t least = affine->constant;  // of the form without the loop's own share
    bool linear = true;
    for (const auto& [axis, coefficient] : affine->terms) {
      Expr base = nodes[axis].base;
      if (axis < nest.op().spatial) base = nest.base[axis] + base;
      auto value = ToAffine(base);
      if (!value) {
        linear = false;
        break;
      }
      slope += coefficient * value->Coefficient(kLoop);
      value->Add(kLoop, -value->Coefficient(kLoop));
      const Range bounds = value->Bounds(outer);
      const int64_t low = bounds.low, high = bounds.high + nodes[axis].span - 1;
      least += coefficient * (coefficient > 0 ? low : high);
    }
    if (!linear || slope == 0) continue;
    depends = true;
    if (slope > 0) sure.low = std::max(sure.low, -FloorDivide(least, slope));
    if (slope < 0) sure.high = std::min(sure.high, FloorDivide(least, -slope));
  }
  if (!depends || sure.low > sure.high) return std::nullopt;
  return sure;
}

}  // namespace schedulegym
