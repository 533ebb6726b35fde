#include "agents/constraints/problem.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {

int ConstraintProblem::AddListed(std::string name, std::vector<int64_t> values) {
  SG_CHECK(!values.empty() && std::ssize(values) <= kMostListed, "1 to 128 values");
  SG_CHECK(std::ranges::is_sorted(values), "values in rising order");
  const int64_t low = values.front();
  const int64_t high = values.back();
  variables_.push_back({std::move(name), std::move(values), low, high});
  uses_.emplace_back();
  return size() - 1;
}

int ConstraintProblem::AddRange(std::string name, int64_t low, int64_t high) {
  SG_CHECK(low <= high, "a range of at least one number");
  variables_.push_back({std::move(name), {}, low, high});
  uses_.emplace_back();
  return size() - 1;
}

void ConstraintProblem::AddProduct(std::vector<int> operands, int result) {
  Add({ConstraintKind::kProduct, std::move(operands), result});
}

void ConstraintProblem::AddSum(std::vector<int> operands, int result) {
  Add({ConstraintKind::kSum, std::move(operands), result});
}

void ConstraintProblem::AddAtMost(int operand, int bound) {
  Add({ConstraintKind::kAtMost, {operand}, bound});
}

void ConstraintProblem::AddEqual(int a, int b) { Add({ConstraintKind::kEqual, {a}, b}); }

void ConstraintProblem::AddSelect(int position, const std::vector<int>& choices, int result) {
  SG_CHECK(variables_[position].is_listed(), "a listed position");
  std::vector<int> operands = {position};
  operands.insert(operands.end(), choices.begin(), choices.end());
  Add({ConstraintKind::kSelect, std::move(operands), result});
}

void ConstraintProblem::AddOneOf(int variable, const std::vector<int64_t>& values) {
  ConstraintVariable& one = variables_[variable];
  SG_CHECK(one.is_listed(), "a listed variable");
  std::vector<int64_t> kept;
  for (const int64_t value : one.values) {
    if (std::ranges::find(values, value) != values.end()) kept.push_back(value);
  }
  if (kept.empty()) {
    is_empty_ = true;
    return;
  }
  one.values = std::move(kept);
  one.low = one.values.front();
  one.high = one.values.back();
}

void ConstraintProblem::Add(Constraint constraint) {
  const int number = static_cast<int>(constraints_.size());
  std::vector<int> variables = constraint.operands;
  variables.push_back(constraint.result);
  for (const int variable : variables) {
    std::vector<int>& uses = uses_[variable];
    if (uses.empty() || uses.back() != number) uses.push_back(number);
  }
  constraints_.push_back(std::move(constraint));
}

}  // namespace schedulegym
