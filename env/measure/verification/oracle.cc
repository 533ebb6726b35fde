// Evaluates single cells of a computation directly from its definition, floats in f64, integers
// wrapped to their type, divisions by zero as 0: slow and independent of lowering. Reductions run
// over their axes in order; cells of reductions are remembered. A limit on terms ends an evaluation
// with nullopt and forgets what it may have cut short.
// Cost: the product of all reduction extents below a cell, less what is remembered.
#include "env/measure/verification/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "env/base/check.h"
#include "env/program/expressions/half.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

int64_t Flat(const Tensor& tensor, std::span<const int64_t> index) {
  int64_t flat = 0;
  for (size_t i = 0; i < index.size(); ++i) flat = flat * tensor.shape[i] + index[i];
  return flat;
}

CellValue LoadElement(const Tensor& tensor, const void* memory, int64_t flat) {
  switch (tensor.type) {
    case DType::kF32: return {static_cast<const float*>(memory)[flat], 0};
    case DType::kF64: return {static_cast<const double*>(memory)[flat], 0};
    case DType::kI32: return {0, static_cast<const int32_t*>(memory)[flat]};
    case DType::kI8: return {0, static_cast<const int8_t*>(memory)[flat]};
    case DType::kF16:
    case DType::kBF16:
      return {HalfToFloat(tensor.type, static_cast<const uint16_t*>(memory)[flat]), 0};
    default: break;
  }
  SG_CHECK(false, "no memory holds this type");
}

CellValue IdentityOf(Combiner combiner, DType type) {
  if (combiner == Combiner::kNone) return {};
  const Expr identity = Identity(combiner, type);
  return {identity->number, identity->integer};
}

double CombineNumbers(Combiner combiner, double a, double b) {
  switch (combiner) {
    case Combiner::kSum: return a + b;
    case Combiner::kProduct: return a * b;
    case Combiner::kMax: return FloatExtreme(Op::kMax, a, b);
    case Combiner::kMin: return FloatExtreme(Op::kMin, a, b);
    case Combiner::kNone: return b;
  }
  return b;
}

int64_t CombineIntegers(Combiner combiner, int64_t a, int64_t b) {
  switch (combiner) {
    case Combiner::kSum: return a + b;
    case Combiner::kProduct: return a * b;
    case Combiner::kMax: return std::max(a, b);
    case Combiner::kMin: return std::min(a, b);
    case Combiner::kNone: return b;
  }
  return b;
}

double Operation(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kDivide: return a / b;
    case Op::kFloorDivide: return std::floor(a / b);
    case Op::kModulo: return a - std::floor(a / b) * b;
    case Op::kMin:
    case Op::kMax: return FloatExtreme(op, a, b);
    case Op::kPow: return std::pow(a, b);
    default: break;
  }
  SG_CHECK(false, std::string("no operation on two numbers: ") + OpName(op));
}

int64_t IntegerOperation(Op op, int64_t a, int64_t b) {
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kDivide: return b == 0 ? 0 : a / b;
    case Op::kFloorDivide: return b == 0 ? 0 : FloorDivide(a, b);
    case Op::kModulo: return b == 0 ? 0 : FloorModulo(a, b);
    case Op::kMin: return std::min(a, b);
    case Op::kMax: return std::max(a, b);
    default: break;
  }
  SG_CHECK(false, std::string("no operation on two integers: ") + OpName(op));
}

}  // namespace

Oracle::Oracle(ComputeDag dag, std::vector<const void*> inputs)
    : dag_(std::move(dag)), memory_(dag_.size()), known_(dag_.size()) {
  SG_CHECK(inputs.size() == dag_.inputs().size(), "memory for each input");
  for (size_t i = 0; i < inputs.size(); ++i) memory_[dag_.inputs()[i]] = inputs[i];
}

std::optional<CellValue> Oracle::Cell(int tensor, std::span<const int64_t> index,
                                      int64_t most_terms) {
  limit_ = terms_ + most_terms;
  const CellValue value = Load(tensor, index);
  if (terms_ <= limit_) return value;
  for (auto& cells : known_) cells.clear();  // some may have been cut short
  return std::nullopt;
}

CellValue Oracle::Load(int id, std::span<const int64_t> index) {
  const Tensor& tensor = dag_.tensor(id);
  const int64_t flat = Flat(tensor, index);
  if (memory_[id] != nullptr) return LoadElement(tensor, memory_[id], flat);
  const bool remembered = tensor.combiner != Combiner::kNone;
  if (remembered) {
    if (const auto found = known_[id].find(flat); found != known_[id].end()) return found->second;
  }
  Point point(index.begin(), index.end());
  point.resize(index.size() + tensor.reduce_axes.size(), 0);
  const CellValue value = Reduce(tensor, point);
  if (remembered) known_[id].emplace(flat, value);
  return value;
}

// Over all points of the reduction axes, in order; `point` begins at the first.
CellValue Oracle::Reduce(const Tensor& tensor, Point& point) {
  CellValue total = IdentityOf(tensor.combiner, tensor.type);
  const size_t spatial = tensor.axes.size();
  while (terms_++ <= limit_) {
    const CellValue term = Evaluate(*tensor.body, point);
    if (IsFloating(tensor.type)) {
      total.number = CombineNumbers(tensor.combiner, total.number, term.number);
    } else {
      const int64_t whole = CombineIntegers(tensor.combiner, total.integer, term.integer);
      total.integer = WrapToType(tensor.type, whole);
    }
    size_t axis = point.size();
    while (axis > spatial && ++point[axis - 1] == tensor.reduce_axes[axis - 1 - spatial].extent) {
      point[--axis] = 0;
    }
    if (axis == spatial) break;
  }
  return total;
}

CellValue Oracle::ReadOf(const ExprNode& node, const Point& point) {
  int64_t index[16];
  SG_CHECK(node.args.size() <= std::size(index), "tensors have at most 16 dimensions");
  for (size_t i = 0; i < node.args.size(); ++i) index[i] = EvaluateInteger(*node.args[i], point);
  return Load(node.id, {index, node.args.size()});
}

CellValue Oracle::Evaluate(const ExprNode& node, const Point& point) {
  if (IsFloating(node.type)) return {EvaluateNumber(node, point), 0};
  return {0, EvaluateInteger(node, point)};
}

CellValue Oracle::EvaluateCast(const ExprNode& node, const Point& point) {
  const ExprNode& arg = *node.args[0];
  if (IsFloating(node.type)) {
    if (IsFloating(arg.type)) return {EvaluateNumber(arg, point), 0};
    return {static_cast<double>(EvaluateInteger(arg, point)), 0};
  }
  if (!IsFloating(arg.type)) return {0, WrapToType(node.type, EvaluateInteger(arg, point))};
  const double number = EvaluateNumber(arg, point);
  return {0, SaturateToType(node.type, number)};
}

double Oracle::EvaluateNumber(const ExprNode& node, const Point& point) {
  switch (node.op) {
    case Op::kNumber: return node.number;
    case Op::kRead: return ReadOf(node, point).number;
    case Op::kCast: return EvaluateCast(node, point).number;
    case Op::kSelect:
      return EvaluateNumber(EvaluateInteger(*node.args[0], point) ? *node.args[1] : *node.args[2],
                            point);
    default: break;
  }
  const double first = EvaluateNumber(*node.args[0], point);
  if (node.args.size() == 1) return FloatUnary(node.op, first);
  return Operation(node.op, first, EvaluateNumber(*node.args[1], point));
}

bool Oracle::Compare(const ExprNode& node, const Point& point) {
  if (IsFloating(node.args[0]->type)) {
    return Compares(node.op, EvaluateNumber(*node.args[0], point),
                    EvaluateNumber(*node.args[1], point));
  }
  return Compares(node.op, EvaluateInteger(*node.args[0], point),
                  EvaluateInteger(*node.args[1], point));
}

int64_t Oracle::EvaluateInteger(const ExprNode& node, const Point& point) {
  switch (node.op) {
    case Op::kInteger: return node.integer;
    case Op::kVariable: return point[node.id];
    case Op::kRead: return ReadOf(node, point).integer;
    case Op::kCast: return EvaluateCast(node, point).integer;
    case Op::kSelect:
      return EvaluateInteger(EvaluateInteger(*node.args[0], point) ? *node.args[1] : *node.args[2],
                             point);
    case Op::kNot: return !EvaluateInteger(*node.args[0], point);
    case Op::kAnd:
      return EvaluateInteger(*node.args[0], point) && EvaluateInteger(*node.args[1], point);
    case Op::kOr:
      return EvaluateInteger(*node.args[0], point) || EvaluateInteger(*node.args[1], point);
    default: break;
  }
  if (IsComparison(node.op)) return Compare(node, point);
  const int64_t first = EvaluateInteger(*node.args[0], point);
  if (node.op == Op::kNegate) return WrapToType(node.type, -first);
  if (node.op == Op::kAbs) return WrapToType(node.type, std::abs(first));
  return WrapToType(node.type,
                    IntegerOperation(node.op, first, EvaluateInteger(*node.args[1], point)));
}

}  // namespace schedulegym
