// ConstraintProblem: variables of finite domains, and what their values have to satisfy together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedulegym {

// The values of a listed variable, a bit each.
__extension__ using ValueMask = unsigned __int128;
inline constexpr int kMostListed = 128;

struct ConstraintVariable {
  std::string name;
  // In rising order, at most kMostListed. Empty: a number between the bounds that others determine.
  std::vector<int64_t> values;
  int64_t low = 0, high = 0;

  bool is_listed() const { return !values.empty(); }
};

// Over the operands v, and the result r.
enum class ConstraintKind : uint8_t {
  kProduct,  // v0 * v1 * ... = r, of values of at least 1
  kSum,      // v0 + v1 + ... = r, of values of at least 0
  kAtMost,   // v0 <= r
  kEqual,    // v0 = r
  kSelect,   // v[1 + v0] = r, v0 listed
};

struct Constraint {
  ConstraintKind kind = ConstraintKind::kEqual;
  std::vector<int> operands;  // variables by number
  int result = 0;
};

class ConstraintProblem {
 public:
  // The number of the new variable.
  int AddListed(std::string name, std::vector<int64_t> values);
  int AddRange(std::string name, int64_t low, int64_t high);
  int AddConstant(int64_t value) { return AddListed("", {value}); }

  void AddProduct(std::vector<int> operands, int result);
  void AddSum(std::vector<int> operands, int result);
  void AddAtMost(int operand, int bound);
  void AddEqual(int a, int b);
  void AddSelect(int position, const std::vector<int>& choices, int result);
  // Leaves of a listed variable's values those that are among these.
  void AddOneOf(int variable, const std::vector<int64_t>& values);

  int size() const { return static_cast<int>(variables_.size()); }
  const ConstraintVariable& variable(int number) const { return variables_[number]; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  // By variable the constraints that have it.
  const std::vector<int>& constraints_of(int variable) const { return uses_[variable]; }
  // Whether a listed variable has no value left.
  bool is_empty() const { return is_empty_; }

 private:
  void Add(Constraint constraint);

  std::vector<ConstraintVariable> variables_;
  std::vector<Constraint> constraints_;
  std::vector<std::vector<int>> uses_;
  bool is_empty_ = false;
};

}  // namespace schedulegym
