// Belief: what verification takes an operation on two cells for, read from PlanExact and the error
// rules.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "env/measure/verification/inputs.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

using CellOperation = std::function<Expr(Expr, Expr)>;

// How far a result may lie from `value`; infinite where nothing is said.
struct CellBound {
  double value = 0;
  double most = 0;
};

class Belief {
 public:
  // Of `apply` on cells of the type.
  Belief(const CellOperation& apply, DType type, DType result);

  // Whether these operands must lead to the interpreter's bits. PlanExact speaks of small integers
  // alone; a single operation that is right there to the last bit rounds correctly everywhere.
  bool DemandsBits(double first, double second) const;
  bool demands_bits() const { return is_exact_; }

  // By the error rules, pair by pair; these speak of the reals that verification draws, and so
  // nothing of other operands.
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
