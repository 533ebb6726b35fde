// Prints an expression so that the parser (env/program/language) reads an equal one. Brackets stand
// where an operator binds weaker than its place asks for; operators associate to the left, so the
// right side is printed one level tighter. A literal takes the type of its neighbour: where no
// neighbour shows a type, it is wrapped in its own, as in f32(1.0).
// Cost: O(n depth), as each level looks for a typed leaf below it.
#include <cmath>

#include "env/base/text.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {
namespace {

constexpr int kUnaryLevel = 7;

// C's precedence; functions and leaves bind tightest.
int LevelOf(Op op) {
  switch (op) {
    case Op::kOr: return 1;
    case Op::kAnd: return 2;
    case Op::kEqual:
    case Op::kNotEqual: return 3;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual: return 4;
    case Op::kAdd:
    case Op::kSubtract: return 5;
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kModulo: return 6;
    case Op::kNegate:
    case Op::kNot: return kUnaryLevel;
    default: return 8;
  }
}

// Whether the text of an expression shows its type: a bare literal takes its neighbour's.
bool ShowsType(const Expr& expr) {
  if (expr->op == Op::kRead || expr->op == Op::kCast) return true;
  if (expr->type == DType::kIndex || expr->type == DType::kBool) return true;
  const size_t first = expr->op == Op::kSelect ? 1 : 0;
  for (size_t i = first; i < expr->args.size(); ++i) {
    if (ShowsType(expr->args[i])) return true;
  }
  return false;
}

class Printer {
 public:
  explicit Printer(const ExprNames& names) : names_(names) {}

  // Appends the text of `expr`, in brackets if it binds weaker than `level`. A whole number of a
  // floating type is written as an integer where `plain`: where a neighbour shows the type.
  void Print(const Expr& expr, int level, bool plain) {
    const int own = LevelOf(expr->op);
    if (own < level) text_ += '(';
    PrintNode(expr, own, plain);
    if (own < level) text_ += ')';
  }

  std::string Take() { return std::move(text_); }

 private:
  void PrintNode(const Expr& expr, int level, bool plain) {
    const ExprNode& node = *expr;
    switch (node.op) {
      case Op::kInteger: PrintInteger(node); return;
      case Op::kNumber: PrintNumber(node.number, plain); return;
      case Op::kVariable: text_ += names_.variable(node.id); return;
      case Op::kRead: PrintRead(node); return;
      case Op::kCast: PrintTyped(node.args[0], DTypeName(node.type)); return;
      case Op::kSelect: PrintSelect(node); return;
      case Op::kNegate:
      case Op::kNot:
        text_ += OpName(node.op);
        Print(node.args[0], kUnaryLevel, plain);
        return;
      default: break;
    }
    if (node.args.size() == 1 || level > kUnaryLevel) {
      PrintCall(node, plain);
    } else {
      PrintInfix(node, level);
    }
  }

  void PrintInteger(const ExprNode& node) {
    if (node.type == DType::kBool) {
      text_ += node.integer != 0 ? "true" : "false";
    } else {
      text_ += std::to_string(node.integer);
    }
  }

  void PrintNumber(double value, bool plain) {
    const bool whole = std::trunc(value) == value && std::abs(value) < 1e15;
    if (plain && whole && !std::signbit(value)) {
      text_ += std::to_string(static_cast<int64_t>(value));
    } else {
      text_ += FormatDouble(value);
    }
  }

  void PrintRead(const ExprNode& node) {
    text_ += names_.tensor(node.id);
    text_ += '[';
    for (size_t i = 0; i < node.args.size(); ++i) {
      if (i > 0) text_ += ", ";
      Print(node.args[i], 0, true);
    }
    text_ += ']';
  }

  // name(value); a value that does not show its own type is converted to it first.
  void PrintTyped(const Expr& value, const char* name) {
    text_ += name;
    text_ += '(';
    PrintAnchored(value, 0);
    text_ += ')';
  }

  void PrintAnchored(const Expr& value, int level) {
    if (ShowsType(value)) {
      Print(value, level, false);
      return;
    }
    text_ += DTypeName(value->type);
    text_ += '(';
    Print(value, 0, false);
    text_ += ')';
  }

  void PrintSelect(const ExprNode& node) {
    text_ += "select(";
    Print(node.args[0], 0, false);
    for (int side : {1, 2}) {
      text_ += ", ";
      Print(node.args[side], 0, ShowsType(node.args[3 - side]));
    }
    text_ += ')';
  }

  void PrintCall(const ExprNode& node, bool plain) {
    text_ += OpName(node.op);
    text_ += '(';
    for (size_t i = 0; i < node.args.size(); ++i) {
      if (i > 0) text_ += ", ";
      Print(node.args[i], 0, node.args.size() == 2 ? ShowsType(node.args[1 - i]) : plain);
    }
    text_ += ')';
  }

  void PrintInfix(const ExprNode& node, int level) {
    const bool left_shows = ShowsType(node.args[0]);
    const bool right_shows = ShowsType(node.args[1]);
    const bool neither = IsComparison(node.op) && !left_shows && !right_shows;
    if (neither) {
      PrintAnchored(node.args[0], level);
    } else {
      Print(node.args[0], level, right_shows);
    }
    text_ += ' ';
    text_ += OpName(node.op);
    text_ += ' ';
    Print(node.args[1], level + 1, left_shows || neither);
  }

  const ExprNames& names_;
  std::string text_;
};

}  // namespace

std::string ToText(const Expr& expr, const ExprNames& names) {
  Printer printer(names);
  printer.Print(expr, 0, false);
  return printer.Take();
}

}  // namespace schedulegym
