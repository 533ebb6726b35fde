// ExpressionText: scalar expressions of loop programs in the C of devices.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "backends/device_text/dialect.h"
#include "env/program/expressions/expr.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {

struct ExpressionNames {
  std::function<std::string(int variable)> variable;
  // The place of an element, such as "A[i * 64 + j]".
  std::function<std::string(int buffer, const std::vector<Expr>& indices)> element;
  RangeOf ranges;
  bool wide_indices = false;  // indices are of 64 bits
  // Whether a buffer holds halves as 16 bits, rather than as floats. Empty: none does.
  std::function<bool(int buffer)> holds_bits = nullptr;
};

class ExpressionText {
 public:
  ExpressionText(const DeviceDialect& dialect, ExpressionNames names)
      : dialect_(dialect), names_(std::move(names)) {}

  // With the fewest brackets that keep the meaning. A half is a float.
  std::string Of(const Expr& expr) { return Write(expr, 0); }
  // The 16 bits of a half.
  std::string BitsOf(const Expr& expr);

  // Of all that was written so far.
  const std::set<HelperFunction>& helpers() const { return helpers_; }

 private:
  std::string Write(const Expr& expr, int around);
  // Of a half, what rounding makes a half of.
  std::string WriteUnrounded(const Expr& expr, int around);
  std::string WriteRead(const ExprNode& node);
  std::string WriteCastToHalf(const ExprNode& node);
  // A call of a function of the text.
  std::string CallHalf(HelperFunction helper, DType type, const std::string& argument);
  std::string WriteConstant(const ExprNode& node) const;
  std::string TypeName(DType type) const;
  std::string NumberText(double number, DType type) const;
  std::string WriteCast(const ExprNode& node);
  std::string WriteUnary(const ExprNode& node);
  std::string WriteBinary(const ExprNode& node, int around);
  std::string WriteWrapping(const ExprNode& node, const char* spelling);
  std::string WriteExtreme(const ExprNode& node);
  std::string WriteByte(const Expr& value);
  std::string WriteTruncated(const ExprNode& node, int around);
  std::string WriteFloored(const ExprNode& node, int around);
  std::string NarrowedCall(const char* function, const ExprNode& node, int around);
  std::string WriteOr(const ExprNode& node, int around);
  std::string Infix(const ExprNode& node, const char* spelling, int precedence, int around);
  std::string Call(const char* function, const ExprNode& node);
  // A function of reals.
  std::string CallReal(const char* function, const ExprNode& node);

  const DeviceDialect& dialect_;
  ExpressionNames names_;
  std::set<HelperFunction> helpers_;
};

}  // namespace schedulegym
