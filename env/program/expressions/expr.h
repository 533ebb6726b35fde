// Expr: an immutable scalar expression over variables and reads; computations and loop programs
// share it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/program/expressions/dtype.h"

namespace schedulegym {

enum class Op : uint8_t {
  kInteger,   // `integer`, of any type but kBool
  kNumber,    // `number`, of a floating type
  kVariable,  // `id`, always kIndex
  kRead,      // tensor or buffer `id` at the indices `args`
  kCast,      // args[0] converted to `type`
  kSelect,    // args[0] ? args[1] : args[2]; only the chosen side is evaluated
  // one argument
  kNegate,
  kNot,
  kAbs,
  kExp,
  kLog,
  kSqrt,
  kRsqrt,
  kTanh,
  kSigmoid,
  kErf,
  kFloor,
  // two arguments of one type
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,  // floating division; integers truncate
  kFloorDivide,
  kModulo,  // of the floored division
  kMin,     // of floating types where one argument is NaN: the other one
  kMax,
  kPow,
  // comparisons of two arguments of one type; the result is kBool
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  // of two kBool; the second is evaluated only where it decides
  kAnd,
  kOr,
};

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

struct ExprNode {
  Op op;
  DType type;
  int id = 0;
  int64_t integer = 0;
  double number = 0;
  std::vector<Expr> args;
};

// The spelling of an operator or function in texts: "+", "exp", "select".
const char* OpName(Op op);
bool IsComparison(Op op);

// Leaves.
Expr IndexConstant(int64_t value);
Expr Constant(DType type, double value);  // integers of integer types must be exact
Expr BoolConstant(bool value);            // kInteger of type kBool, 0 or 1
Expr Variable(int id);
Expr Read(DType type, int tensor, std::vector<Expr> indices);

// Inner nodes, with local folding: folds constants (never in a way that changes a floating result),
// removes neutral elements of index arithmetic, decides select and logic on constants.
Expr Unary(Op op, Expr value);
Expr Binary(Op op, Expr left, Expr right);
Expr Select(Expr condition, Expr then_value, Expr else_value);
Expr Cast(DType type, Expr value);
// The same operator and type over new arguments, folded as above.
Expr Rebuild(const ExprNode& node, std::vector<Expr> args);

// Structural equality and a stable hash.
bool Equal(const Expr& a, const Expr& b);
uint64_t HashOf(const Expr& expr);

bool IsInteger(const Expr& expr, int64_t value);
bool IsConstant(const Expr& expr);

// Bottom-up rewriting. `leaf` may return null to keep a kVariable or kRead node (whose arguments
// are already rewritten). Shares unchanged nodes.
Expr Transform(const Expr& expr, const std::function<Expr(const Expr&)>& leaf);

// Every node, parents before children.
void Visit(const Expr& expr, const std::function<void(const ExprNode&)>& visitor);

// Text with C's precedence and fewest brackets; names come from the caller.
struct ExprNames {
  std::function<std::string(int)> variable;
  std::function<std::string(int)> tensor;
};
std::string ToText(const Expr& expr, const ExprNames& names);

// Index arithmetic; both sides kIndex.
inline Expr operator+(const Expr& a, const Expr& b) { return Binary(Op::kAdd, a, b); }
inline Expr operator-(const Expr& a, const Expr& b) { return Binary(Op::kSubtract, a, b); }
inline Expr operator*(const Expr& a, const Expr& b) { return Binary(Op::kMultiply, a, b); }

}  // namespace schedulegym
