// IndexForms: index expressions as linear forms over symbols, under the current bindings of
// variables.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "env/program/expressions/expr.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {

// The symbol that stands for the lane within a piece of a vector loop, 0 .. width - 1.
inline constexpr int kLane = std::numeric_limits<int>::max();

// A symbol is a number known only at run time: a loop's variable, or what an operation that is not
// linear made of such. Symbols are named by consecutive numbers; the caller keeps their values.
class IndexForms {
 public:
  // Where symbols for operations that are not linear come from.
  class Source {
   public:
    virtual ~Source() = default;
    // left // divisor, the floored division, divisor > 1.
    virtual int Quotient(const Affine& left, int64_t divisor, Range range) = 0;
    // min or max of the two.
    virtual int Extreme(Op op, const Affine& left, const Affine& right, Range range) = 0;
    // Any other expression without lanes.
    virtual int Opaque(const Expr& index, Range range) = 0;
  };

  IndexForms(Source& source, int variables) : source_(source), bindings_(variables) {}

  int AddSymbol(Range range);
  Range RangeOf(int symbol) const;
  Range BoundsOf(const Affine& form) const;

  void Bind(int variable, Affine form) { bindings_[variable] = std::move(form); }
  // Bound to an expression that is not linear in the lane.
  void BindLazily(int variable, Expr value) { bindings_[variable] = std::move(value); }
  void Unbind(int variable) { bindings_[variable] = std::monostate(); }
  // The width of pieces bounds kLane.
  void SetWidth(int width) { width_ = width; }
  // While set, kLane is this constant.
  void FixLane(std::optional<int64_t> lane) { fixed_lane_ = lane; }

  // None when the index is not linear in the lane; then it is for each fixed lane.
  std::optional<Affine> Form(const Expr& index);
  // What the ranges decide of a condition on indices; none where they do not.
  std::optional<bool> Truth(const Expr& condition);
  // Whether the value differs from lane to lane.
  bool UsesLane(const Expr& expr) const;

  // Symbols that live bindings mention, in ascending order.
  std::vector<int> LiveSymbols() const;

 private:
  using Binding = std::variant<std::monostate, Affine, Expr>;

  std::optional<Affine> FormOfVariable(int variable);
  std::optional<Affine> FormOfProduct(const ExprNode& node);
  std::optional<Affine> FormOfQuotient(const ExprNode& node);
  std::optional<Affine> FormOfExtreme(const ExprNode& node);
  std::optional<Affine> FormOfOpaque(const Expr& index);

  Source& source_;
  std::vector<Binding> bindings_;
  std::vector<Range> ranges_;
  int width_ = 1;
  std::optional<int64_t> fixed_lane_;
};

// The form of lane 0.
Affine WithoutLane(Affine form);

}  // namespace schedulegym
