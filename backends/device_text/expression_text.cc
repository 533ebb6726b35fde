// Expressions as text: by precedence as C has it, a bracket only where a looser operator stands in
// a tighter one. Integers of data wrap around: they are added as unsigned numbers, which C defines.
// A floored quotient is C's where both sides cannot be negative, else a helper's. f16 and bf16 are
// computed in floats and rounded after each operation: for + - * / and sqrt as if at once, as 24 >=
// 2 * 11 + 2 (Figueroa, When is Double Rounding Innocuous?, SIGNUM Newsletter 30(3), 1995), but for
// results of bf16 below 2^-126.
#include "backends/device_text/expression_text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "env/base/check.h"
#include "env/program/expressions/half.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

// C's, the tightest highest.
enum Precedence {
  kNone,
  kConditional,
  kOrLevel,
  kAndLevel,
  kEquality,
  kRelation,
  kSum,
  kProduct,
  kPrefix,
  kPostfix,
};

std::string InBrackets(std::string text, int own, int around) {
  return own < around ? "(" + std::move(text) + ")" : std::move(text);
}

bool IsWrapping(DType type) { return type == DType::kI32 || type == DType::kI8; }

// Whether the result of floats, of a node of a half type, may be no half.
bool Rounds(const ExprNode& node) {
  switch (node.op) {
    case Op::kInteger:
    case Op::kNumber:
    case Op::kRead:
    case Op::kSelect:
    case Op::kNegate:
    case Op::kAbs:
    case Op::kFloor:
    case Op::kMin:
    case Op::kMax: return false;
    case Op::kCast: return node.args[0]->type != DType::kI8 && node.args[0]->type != DType::kBool;
    default: return true;
  }
}

}  // namespace

std::string ExpressionText::TypeName(DType type) const {
  return DeviceTypeName(dialect_, type, names_.wide_indices);
}

std::string ExpressionText::BitsOf(const Expr& expr) {
  const ExprNode& node = *expr;
  if (IsConstant(expr)) {
    const double number = node.op == Op::kInteger ? static_cast<double>(node.integer) : node.number;
    std::array<char, 8> text = {};
    std::snprintf(text.data(), text.size(), "0x%04x", DoubleToHalf(node.type, number));
    return text.data();
  }
  if (node.op == Op::kRead && names_.holds_bits(node.id)) return names_.element(node.id, node.args);
  return CallHalf(HelperFunction::kFloatToF16, node.type, WriteUnrounded(expr, kNone));
}

std::string ExpressionText::Write(const Expr& expr, int around) {
  if (!IsHalf(expr->type) || !Rounds(*expr)) return WriteUnrounded(expr, around);
  return CallHalf(HelperFunction::kRoundF16, expr->type, WriteUnrounded(expr, kNone));
}

// Helpers of bf16 stand so far behind those of f16.
std::string ExpressionText::CallHalf(HelperFunction helper, DType type,
                                     const std::string& argument) {
  const bool is_brain = type == DType::kBF16;
  const auto insert = [&](HelperFunction used) {
    const int offset = static_cast<int>(HelperFunction::kBf16ToFloat) -
                       static_cast<int>(HelperFunction::kF16ToFloat);
    helpers_.insert(static_cast<HelperFunction>(static_cast<int>(used) + (is_brain ? offset : 0)));
  };
  insert(helper);
  const std::string half = is_brain ? "bf16" : "f16";
  if (helper == HelperFunction::kF16ToFloat) return half + "_to_float(" + argument + ")";
  if (helper == HelperFunction::kFloatToF16) return "float_to_" + half + "(" + argument + ")";
  insert(HelperFunction::kF16ToFloat);
  insert(HelperFunction::kFloatToF16);
  return "round_" + half + "(" + argument + ")";
}

std::string ExpressionText::WriteRead(const ExprNode& node) {
  std::string element = names_.element(node.id, node.args);
  if (!IsHalf(node.type) || !names_.holds_bits || !names_.holds_bits(node.id)) return element;
  return CallHalf(HelperFunction::kF16ToFloat, node.type, element);
}

std::string ExpressionText::WriteUnrounded(const Expr& expr, int around) {
  const ExprNode& node = *expr;
  switch (node.op) {
    case Op::kInteger:
    case Op::kNumber: {
      const bool is_negative = node.op == Op::kInteger ? node.integer < 0 : node.number < 0;
      return InBrackets(WriteConstant(node), is_negative ? kPrefix : kPostfix, around);
    }
    case Op::kVariable: return names_.variable(node.id);
    case Op::kRead: return WriteRead(node);
    case Op::kCast: return InBrackets(WriteCast(node), kPrefix, around);
    case Op::kSelect:
      return InBrackets(Write(node.args[0], kConditional + 1) + " ? " +
                            Write(node.args[1], kConditional + 1) + " : " +
                            Write(node.args[2], kConditional + 1),
                        kConditional, around);
    default: break;
  }
  if (node.args.size() == 1) return InBrackets(WriteUnary(node), kPrefix, around);
  return WriteBinary(node, around);
}

std::string ExpressionText::NumberText(double number, DType type) const {
  const bool is_double = type == DType::kF64;
  if (IsHalf(type)) number = RoundToType(type, number);
  if (std::isnan(number)) return dialect_.nan.at(is_double ? 1 : 0);
  if (std::isinf(number)) {
    return std::string(number < 0 ? "-" : "") + dialect_.infinity.at(is_double ? 1 : 0);
  }
  std::array<char, 40> text = {};
  std::snprintf(text.data(), text.size(), is_double ? "%.17g" : "%.9g", number);
  std::string word = text.data();
  if (word.find_first_of(".e") == std::string::npos) word += ".0";
  return is_double ? word : word + "f";
}

std::string ExpressionText::WriteConstant(const ExprNode& node) const {
  if (IsFloating(node.type)) {
    const bool is_integer = node.op == Op::kInteger;
    return NumberText(is_integer ? static_cast<double>(node.integer) : node.number, node.type);
  }
  if (node.type == DType::kI32 && node.integer == INT32_MIN) return "(-2147483647 - 1)";
  const bool is_long = node.type == DType::kIndex && names_.wide_indices;
  return std::to_string(node.integer) + (is_long ? dialect_.long_suffix : "");
}

// As a float, which is to be rounded. An integer of more than 24 bits is no f16 anyway.
std::string ExpressionText::WriteCastToHalf(const ExprNode& node) {
  const Expr& value = node.args[0];
  const bool is_wide_integer = value->type == DType::kI32 || value->type == DType::kIndex;
  if (value->type == DType::kF64 || (is_wide_integer && node.type == DType::kBF16)) {
    const bool is_long = TypeName(value->type) == dialect_.long_type;
    helpers_.insert(value->type == DType::kF64 ? HelperFunction::kDoubleToOdd
                    : is_long                  ? HelperFunction::kLongToOdd
                                               : HelperFunction::kIntToOdd);
    const char* name = value->type == DType::kF64 ? "double_to_odd("
                       : is_long                  ? "long_to_odd("
                                                  : "int_to_odd(";
    return name + Write(value, kNone) + ")";
  }
  if (!IsFloating(value->type)) return "(float)" + Write(value, kPrefix);
  return Write(value, kPrefix);
}

// Numbers that do not fit go to the nearest that does, and no number to 0, as everywhere here.
std::string ExpressionText::WriteCast(const ExprNode& node) {
  const Expr& value = node.args[0];
  if (IsHalf(node.type)) return WriteCastToHalf(node);
  if (IsHalf(value->type) && node.type == DType::kF32) return Write(value, kPrefix);
  const std::string type = TypeName(node.type);
  if (node.type == DType::kBool) return "(" + Write(value, kEquality + 1) + " != 0)";
  if (IsFloating(value->type) && !IsFloating(node.type)) {
    const size_t form = node.type == DType::kI8 ? 1 : type == dialect_.long_type ? 2 : 0;
    helpers_.insert(
        static_cast<HelperFunction>(static_cast<size_t>(HelperFunction::kToInt) + form));
    return dialect_.to_integer.at(form) + ("(" + Write(value, kNone) + ")");
  }
  return "(" + type + ")" + Write(value, kPrefix);
}

std::string ExpressionText::Call(const char* function, const ExprNode& node) {
  std::string text = std::string(function) + "(";
  for (size_t i = 0; i < node.args.size(); ++i) {
    text += (i > 0 ? ", " : "") + Write(node.args[i], kNone);
  }
  return text + ")";
}

std::string ExpressionText::CallReal(const char* function, const ExprNode& node) {
  const std::string suffix = node.type == DType::kF64 ? "" : dialect_.real_suffix;
  return Call((function + suffix).c_str(), node);
}

std::string ExpressionText::WriteUnary(const ExprNode& node) {
  const bool is_double = node.type == DType::kF64;
  switch (node.op) {
    case Op::kNot: return "!" + Write(node.args[0], kPrefix);
    case Op::kNegate:
      if (!IsWrapping(node.type)) return "-" + Write(node.args[0], kPrefix + 1);
      return "(" + TypeName(node.type) + ")(0u - (" + dialect_.unsigned_type + ")" +
             Write(node.args[0], kPrefix) + ")";
    case Op::kAbs:
      if (IsFloating(node.type)) return CallReal("fabs", node);
      return "(" + TypeName(node.type) + ")" + Call("abs", node);
    case Op::kExp: return CallReal("exp", node);
    case Op::kLog: return CallReal("log", node);
    case Op::kSqrt: return CallReal("sqrt", node);
    case Op::kRsqrt: return CallReal("rsqrt", node);
    case Op::kTanh: return CallReal("tanh", node);
    case Op::kErf: return CallReal("erf", node);
    case Op::kFloor: return CallReal("floor", node);
    case Op::kSigmoid: {
      const std::string one = is_double ? "1.0" : "1.0f";
      return "(" + one + " / (" + one + " + exp" + (is_double ? "" : dialect_.real_suffix) + "(-" +
             Write(node.args[0], kPrefix + 1) + ")))";
    }
    default: break;
  }
  SG_CHECK(false, "an operator of one argument");
}

std::string ExpressionText::Infix(const ExprNode& node, const char* spelling, int precedence,
                                  int around) {
  // Left to right: the right side needs brackets from the same level on, for a - (b - c) and for
  // sums of floats, whose order is part of their meaning.
  return InBrackets(
      Write(node.args[0], precedence) + " " + spelling + " " + Write(node.args[1], precedence + 1),
      precedence, around);
}

// `a && b` within it gets brackets, which C does not need, but compilers warn without.
std::string ExpressionText::WriteOr(const ExprNode& node, int around) {
  const auto side = [&](const Expr& expr, int precedence) {
    return Write(expr, expr->op == Op::kAnd ? kAndLevel + 1 : precedence);
  };
  return InBrackets(side(node.args[0], kOrLevel) + " || " + side(node.args[1], kOrLevel + 1),
                    kOrLevel, around);
}

std::string ExpressionText::WriteWrapping(const ExprNode& node, const char* spelling) {
  const std::string cast = std::string("(") + dialect_.unsigned_type + ")";
  return "(" + TypeName(node.type) + ")(" + cast + Write(node.args[0], kPrefix) + " " + spelling +
         " " + cast + Write(node.args[1], kPrefix) + ")";
}

std::string ExpressionText::WriteExtreme(const ExprNode& node) {
  const bool is_min = node.op == Op::kMin;
  // fmax is maximumNumber, which leaves NaN out, as max of floats does everywhere here.
  if (IsFloating(node.type)) return CallReal(is_min ? "fmin" : "fmax", node);
  const std::string function = is_min ? "min" : "max";
  if (node.type != DType::kI8) return Call(function.c_str(), node);
  return function + "(" + WriteByte(node.args[0]) + ", " + WriteByte(node.args[1]) + ")";
}

// OpenCL has a function for each pair of equal types, and in C these forms are an int.
std::string ExpressionText::WriteByte(const Expr& value) {
  const bool is_int =
      value->op == Op::kSelect || value->op == Op::kInteger || value->op == Op::kDivide;
  if (!is_int) return Write(value, kNone);
  return std::string("(") + dialect_.char_type + ")" + Write(value, kPrefix);
}

std::string ExpressionText::WriteTruncated(const ExprNode& node, int around) {
  const ExprNode& divisor = *node.args[1];
  const bool is_plain = divisor.op == Op::kInteger && divisor.integer != 0 && divisor.integer != -1;
  if (is_plain || !IsWrapping(node.type)) return Infix(node, "/", kProduct, around);
  helpers_.insert(HelperFunction::kTruncatedDivide);
  return NarrowedCall("truncated_divide", node, around);
}

// A function of ints.
std::string ExpressionText::NarrowedCall(const char* function, const ExprNode& node, int around) {
  if (node.type != DType::kI8) return Call(function, node);
  return InBrackets(std::string("(") + dialect_.char_type + ")" + Call(function, node), kPrefix,
                    around);
}

std::string ExpressionText::WriteFloored(const ExprNode& node, int around) {
  const bool is_divide = node.op == Op::kFloorDivide;
  const bool is_index = node.type == DType::kIndex;
  if (is_index && BoundsOf(node.args[0], names_.ranges).low >= 0 &&
      BoundsOf(node.args[1], names_.ranges).low > 0) {
    return Infix(node, is_divide ? "/" : "%", kProduct, around);
  }
  if (is_index && names_.wide_indices) {
    helpers_.insert(is_divide ? HelperFunction::kFloorDivideLong
                              : HelperFunction::kFloorModuloLong);
    return Call(is_divide ? "floor_divide_long" : "floor_modulo_long", node);
  }
  helpers_.insert(is_divide ? HelperFunction::kFloorDivide : HelperFunction::kFloorModulo);
  return NarrowedCall(is_divide ? "floor_divide" : "floor_modulo", node, around);
}

std::string ExpressionText::WriteBinary(const ExprNode& node, int around) {
  const bool wraps = IsWrapping(node.type);
  switch (node.op) {
    case Op::kAdd:
      return wraps ? InBrackets(WriteWrapping(node, "+"), kPrefix, around)
                   : Infix(node, "+", kSum, around);
    case Op::kSubtract:
      return wraps ? InBrackets(WriteWrapping(node, "-"), kPrefix, around)
                   : Infix(node, "-", kSum, around);
    case Op::kMultiply:
      return wraps ? InBrackets(WriteWrapping(node, "*"), kPrefix, around)
                   : Infix(node, "*", kProduct, around);
    case Op::kDivide: return WriteTruncated(node, around);
    case Op::kFloorDivide:
    case Op::kModulo: return WriteFloored(node, around);
    case Op::kMin:
    case Op::kMax: return WriteExtreme(node);
    case Op::kPow: return CallReal("pow", node);
    case Op::kLess: return Infix(node, "<", kRelation, around);
    case Op::kLessEqual: return Infix(node, "<=", kRelation, around);
    case Op::kGreater: return Infix(node, ">", kRelation, around);
    case Op::kGreaterEqual: return Infix(node, ">=", kRelation, around);
    case Op::kEqual: return Infix(node, "==", kEquality, around);
    case Op::kNotEqual: return Infix(node, "!=", kEquality, around);
    case Op::kAnd: return Infix(node, "&&", kAndLevel, around);
    case Op::kOr: return WriteOr(node, around);
    default: break;
  }
  SG_CHECK(false, "an operator of two arguments");
}

}  // namespace schedulegym
