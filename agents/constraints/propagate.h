// Domains: the values that are left of each variable of a constraint problem, and their
// propagation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/constraints/problem.h"

namespace schedulegym {

// Of one variable. Of a listed one the bounds are the least and the greatest value of the mask.
struct Domain {
  int64_t low = 0, high = 0;
  ValueMask mask = 0;

  bool is_fixed() const { return low == high; }
  bool operator==(const Domain&) const = default;
};

class Domains {
 public:
  // Of all values; the problem outlives this. Propagated; none where nothing is left of one.
  static std::optional<Domains> Of(const ConstraintProblem& problem);

  const ConstraintProblem& problem() const { return *problem_; }
  const Domain& at(int variable) const { return domains_[variable]; }
  int count(int variable) const;  // of a listed one
  // The listed variable's values that are left, by position.
  std::vector<int> PositionsOf(int variable) const;

  // Narrow one variable and what follows from that; false where nothing is left of one. Then the
  // domains mean nothing any more.
  bool Fix(int variable, int position);
  bool Keep(int variable, ValueMask mask);

 private:
  explicit Domains(const ConstraintProblem& problem) : problem_(&problem) {}

  bool Propagate();
  bool Apply(const Constraint& constraint);
  bool ApplyProduct(const Constraint& constraint);
  bool ApplySum(const Constraint& constraint);
  bool ApplySelect(const Constraint& constraint);
  bool KeepDivisors(int variable, int64_t number);
  bool KeepMultiples(int variable, int64_t number);
  bool KeepEqual(int a, int b);
  bool Clamp(int variable, int64_t low, int64_t high);
  bool Narrow(int variable, ValueMask mask);
  void Enqueue(int variable);

  const ConstraintProblem* problem_;
  std::vector<Domain> domains_;
  std::vector<int> queue_;     // constraints to look at
  std::vector<char> waiting_;  // by constraint: whether it is in the queue
};

}  // namespace schedulegym
