// Belief: the error that verification allows an operation on two cells, from PlanExact and the
// error rules.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "env/measure/verification/inputs.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

using CellOperation = std::function<Expr(Expr, Expr)>;

// Greatest distance of a result from `value`; infinite if the rules give no bound.
struct CellBound {
  double value = 0;
  double most = 0;
};

class Belief {
 public:
  // For `apply` on cells of the type.
  Belief(const CellOperation& apply, DType type, DType result);

  // Whether these operands must give the interpreter's bits. PlanExact covers small integers only;
  // a single operation that is exact there rounds correctly everywhere.
  bool DemandsBits(double first, double second) const;
  bool demands_bits() const { return is_exact_; }

  // Bounds by the error rules, pair by pair. The rules cover only the reals that verification
  // draws; other operands have no bound.
  std::vector<CellBound> BoundsOf(std::span<const double> first,
                                  std::span<const double> second) const;

 private:
  ComputeDag DagOf(int64_t cells) const;

  CellOperation apply_;
  DType type_;
  DType result_;
  ExactPlan plan_;
  bool is_exact_ = false;
  bool rounds_once_ = false;
};

}  // namespace schedulegym
