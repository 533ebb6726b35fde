// Immutable expressions, shared by pointer. Unary, Binary, Select and Cast fold constants
// (operators.h) as they build, so no node has only constants where the result is exact. Transform
// rebuilds bottom-up through the same constructors and shares every subtree that does not change.
// Equal compares structure, numbers by their bits; HashOf hashes the nodes in preorder, so equal
// expressions have equal hashes.
// Cost: O(1) a node built; Equal, HashOf, Transform and Visit are O(n) over the expression as a
// tree: a shared subtree counts once for each place it stands in. Equal stops at equal pointers.
#include "env/program/expressions/expr.h"

#include <cmath>
#include <cstring>

#include "env/base/check.h"
#include "env/base/hash.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

Expr MakeNode(Op op, DType type, std::vector<Expr> args, int id = 0) {
  return std::make_shared<const ExprNode>(ExprNode{op, type, id, 0, 0, std::move(args)});
}

std::vector<Expr> Args(Expr a) {
  std::vector<Expr> args;
  args.push_back(std::move(a));
  return args;
}

std::vector<Expr> Args(Expr a, Expr b) {
  std::vector<Expr> args;
  args.reserve(2);
  args.push_back(std::move(a));
  args.push_back(std::move(b));
  return args;
}

uint64_t BitsOf(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

Expr MakeInteger(DType type, int64_t value) {
  return std::make_shared<const ExprNode>(ExprNode{Op::kInteger, type, 0, value, 0, {}});
}

void AddTo(Hasher& hasher, const ExprNode& node) {
  hasher.Add(static_cast<uint64_t>(node.op) << 8 | static_cast<uint64_t>(node.type));
  switch (node.op) {
    case Op::kInteger: hasher.Add(static_cast<uint64_t>(node.integer)); return;
    case Op::kNumber: hasher.Add(BitsOf(node.number)); return;
    case Op::kVariable: hasher.Add(static_cast<uint64_t>(node.id)); return;
    case Op::kRead:
      hasher.Add(static_cast<uint64_t>(node.id));
      hasher.Add(static_cast<uint64_t>(node.args.size()));
      break;
    default: break;
  }
  for (const Expr& arg : node.args) AddTo(hasher, *arg);
}

}  // namespace

const char* OpName(Op op) {
  switch (op) {
    case Op::kInteger: return "integer";
    case Op::kNumber: return "number";
    case Op::kVariable: return "variable";
    case Op::kRead: return "read";
    case Op::kCast: return "cast";
    case Op::kSelect: return "select";
    case Op::kNegate: return "-";
    case Op::kNot: return "!";
    case Op::kAbs: return "abs";
    case Op::kExp: return "exp";
    case Op::kLog: return "log";
    case Op::kSqrt: return "sqrt";
    case Op::kRsqrt: return "rsqrt";
    case Op::kTanh: return "tanh";
    case Op::kSigmoid: return "sigmoid";
    case Op::kErf: return "erf";
    case Op::kFloor: return "floor";
    case Op::kAdd: return "+";
    case Op::kSubtract: return "-";
    case Op::kMultiply: return "*";
    case Op::kDivide: return "/";
    case Op::kFloorDivide: return "//";
    case Op::kModulo: return "%";
    case Op::kMin: return "min";
    case Op::kMax: return "max";
    case Op::kPow: return "pow";
    case Op::kLess: return "<";
    case Op::kLessEqual: return "<=";
    case Op::kGreater: return ">";
    case Op::kGreaterEqual: return ">=";
    case Op::kEqual: return "==";
    case Op::kNotEqual: return "!=";
    case Op::kAnd: return "&&";
    case Op::kOr: return "||";
  }
  return "unknown";
}

bool IsComparison(Op op) { return op >= Op::kLess && op <= Op::kNotEqual; }

Expr IndexConstant(int64_t value) { return MakeInteger(DType::kIndex, value); }

Expr BoolConstant(bool value) { return MakeInteger(DType::kBool, value ? 1 : 0); }

Expr Constant(DType type, double value) {
  if (IsFloating(type)) {
    return std::make_shared<const ExprNode>(ExprNode{Op::kNumber, type, 0, 0, value, {}});
  }
  SG_CHECK(type != DType::kBool, "conditions have constants of their own");
  SG_CHECK(std::trunc(value) == value && std::abs(value) <= 0x1p53, "an integer must be exact");
  return MakeInteger(type, static_cast<int64_t>(value));
}

Expr Variable(int id) { return MakeNode(Op::kVariable, DType::kIndex, {}, id); }

Expr Read(DType type, int tensor, std::vector<Expr> indices) {
  return MakeNode(Op::kRead, type, std::move(indices), tensor);
}

Expr Unary(Op op, Expr value) {
  if (Expr folded = FoldUnary(op, value)) return folded;
  const DType type = value->type;
  return MakeNode(op, type, Args(std::move(value)));
}

Expr Binary(Op op, Expr left, Expr right) {
  SG_CHECK(left->type == right->type, std::string("operands of ") + OpName(op) +
                                          " differ in type: " + DTypeName(left->type) + " and " +
                                          DTypeName(right->type));
  if (Expr folded = FoldBinary(op, left, right)) return folded;
  const DType type = IsComparison(op) ? DType::kBool : left->type;
  return MakeNode(op, type, Args(std::move(left), std::move(right)));
}

Expr Select(Expr condition, Expr then_value, Expr else_value) {
  SG_CHECK(condition->type == DType::kBool, "a select chooses by a condition");
  SG_CHECK(then_value->type == else_value->type, "the sides of a select differ in type");
  if (condition->op == Op::kInteger) return condition->integer != 0 ? then_value : else_value;
  const DType type = then_value->type;
  std::vector<Expr> args = Args(std::move(condition), std::move(then_value));
  args.push_back(std::move(else_value));
  return MakeNode(Op::kSelect, type, std::move(args));
}

Expr Cast(DType type, Expr value) {
  if (Expr folded = FoldCast(type, value)) return folded;
  return MakeNode(Op::kCast, type, Args(std::move(value)));
}

Expr Rebuild(const ExprNode& node, std::vector<Expr> args) {
  SG_CHECK(args.size() == node.args.size(), "a rebuilt node keeps its number of arguments");
  switch (node.op) {
    case Op::kInteger:
    case Op::kNumber:
    case Op::kVariable:
    case Op::kRead: {
      ExprNode copy{node.op, node.type, node.id, node.integer, node.number, std::move(args)};
      return std::make_shared<const ExprNode>(std::move(copy));
    }
    case Op::kCast: return Cast(node.type, std::move(args[0]));
    case Op::kSelect: return Select(std::move(args[0]), std::move(args[1]), std::move(args[2]));
    default: break;
  }
  if (args.size() == 1) return Unary(node.op, std::move(args[0]));
  return Binary(node.op, std::move(args[0]), std::move(args[1]));
}

bool Equal(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  if (a->op != b->op || a->type != b->type || a->id != b->id || a->integer != b->integer ||
      BitsOf(a->number) != BitsOf(b->number) || a->args.size() != b->args.size()) {
    return false;
  }
  for (size_t i = 0; i < a->args.size(); ++i) {
    if (!Equal(a->args[i], b->args[i])) return false;
  }
  return true;
}

uint64_t HashOf(const Expr& expr) {
  Hasher hasher;
  AddTo(hasher, *expr);
  return hasher.Value();
}

bool IsInteger(const Expr& expr, int64_t value) {
  return expr->op == Op::kInteger && expr->integer == value;
}

bool IsConstant(const Expr& expr) { return expr->op == Op::kInteger || expr->op == Op::kNumber; }

Expr Transform(const Expr& expr, const std::function<Expr(const Expr&)>& leaf) {
  std::vector<Expr> args;
  bool changed = false;
  for (size_t i = 0; i < expr->args.size(); ++i) {
    Expr arg = Transform(expr->args[i], leaf);
    if (!changed && arg != expr->args[i]) {
      changed = true;
      args.reserve(expr->args.size());
      args.assign(expr->args.begin(), expr->args.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (changed) args.push_back(std::move(arg));
  }
  Expr result = changed ? Rebuild(*expr, std::move(args)) : expr;
  if (expr->op != Op::kVariable && expr->op != Op::kRead) return result;
  Expr replaced = leaf(result);
  return replaced ? replaced : result;
}

void Visit(const Expr& expr, const std::function<void(const ExprNode&)>& visitor) {
  visitor(*expr);
  for (const Expr& arg : expr->args) Visit(arg, visitor);
}

}  // namespace schedulegym
