// ExpressionText: scalar expressions of loop programs in the C of devices.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "env/program/expressions/expr.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {

// Functions that a text must define before it uses them.
enum class HelperFunction : uint8_t {
  kFloorDivide,
  kFloorModulo,
  kFloorDivideLong,
  kFloorModuloLong
};

struct ExpressionNames {
  std::function<std::string(int variable)> variable;
  // The place of an element, such as "A[i * 64 + j]".
  std::function<std::string(int buffer, const std::vector<Expr>& indices)> element;
  RangeOf ranges;
  bool wide_indices = false;  // indices are of 64 bits
};

class ExpressionText {
 public:
  explicit ExpressionText(ExpressionNames names) : names_(std::move(names)) {}

  // With the fewest brackets that keep the meaning.
  std::string Of(const Expr& expr) { return Write(expr, 0); }

  // Of all that was written so far.
  const std::set<HelperFunction>& helpers() const { return helpers_; }

 private:
  std::string Write(const Expr& expr, int around);
  std::string WriteConstant(const ExprNode& node) const;
  std::string WriteCast(const ExprNode& node);
  std::string WriteUnary(const ExprNode& node);
  std::string WriteBinary(const ExprNode& node, int around);
  std::string WriteWrapping(const ExprNode& node, const char* spelling);
  std::string WriteExtreme(const ExprNode& node);
  std::string WriteFloored(const ExprNode& node, int around);
  std::string Infix(const ExprNode& node, const char* spelling, int precedence, int around);
  std::string Call(const char* function, const ExprNode& node);

  ExpressionNames names_;
  std::set<HelperFunction> helpers_;
};

// "float", "int"; of an index, "int" or "long".
const char* DeviceTypeName(DType type, bool wide_indices);

// The definition of a helper.
const char* HelperText(HelperFunction helper);

}  // namespace schedulegym
