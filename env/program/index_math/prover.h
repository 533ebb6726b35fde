// Prover: decides whether conditions on bounded index variables follow from others.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "env/program/index_math/affine.h"
#include "env/program/index_math/inequalities.h"

namespace schedulegym {

// Supports index arithmetic with // and % by constants, min, max and select, and conditions on it
// with && || !. Treats conditions on data (reads) as unknown. A value: copy it to enter a scope.
class Prover {
 public:
  // Sets the range of a variable; must be called before the variable's first use. Variables without
  // a range are unbounded.
  void SetRange(int variable, Range range);
  // A let: the variable equals the value wherever this prover is used.
  void Define(int variable, const Expr& value);
  // Assumes that the condition is true or, with `truth` false, that it is false.
  void Assume(const Expr& condition, bool truth = true);

  // True only if the condition holds for all integers that satisfy the assumptions. Exact up to
  // bounded work: false means "not shown".
  bool Proves(const Expr& condition) const;
  // The same for range.low <= value <= range.high.
  bool ProvesWithin(const Expr& value, Range range) const;
  // True only if no integers satisfy the assumptions: the place is never reached.
  bool ProvesUnreachable() const;

 private:
  // One of the cases of a choice holds, with all of its constraints.
  struct Case {
    std::vector<Affine> at_most_zero;
    std::vector<Affine> zero;
    std::vector<std::pair<Expr, bool>> conditions;
  };
  using Choice = std::vector<Case>;

  // The floored quotient of a form by a divisor; equal quotients share one variable.
  struct Quotient {
    Affine value;
    int64_t divisor = 1;
    int variable = 0;
  };

  int VariableOf(int id);
  Affine VariableForm(int id);
  int NewVariable(Range range);
  Range BoundsOfForm(const Affine& form) const;
  Affine Form(const Expr& expr);
  Affine DivisionForm(const ExprNode& node);
  Affine ExtremumForm(const ExprNode& node);
  Affine SelectForm(const ExprNode& node);
  int QuotientVariable(const Affine& value, int64_t divisor);
  void AssumeComparison(Op op, const Affine& difference);
  void AssumeCase(const Case& chosen);
  bool IsRefuted(int* budget) const;

  Inequalities system_;
  std::map<int, int> variables_;       // ids to positions in the system
  std::map<int, Affine> definitions_;  // of lets, over positions
  std::vector<Quotient> quotients_;
  std::vector<Choice> choices_;
};

}  // namespace schedulegym
