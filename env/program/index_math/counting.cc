// Counts the points of a box at which a condition holds. Conjuncts that share no variable are
// counted apart and their counts multiplied. For each part:
// - simplify it by the ranges of the box; a constant answers with the volume or 0;
// - enumerate boxes of at most 1024 points;
// - halve the longest side of a larger box and count both halves, up to 2048 boxes;
// - estimate each box beyond from 4096 points drawn with a fixed seed.
// Exact unless the last step is taken. Cost: at most 2048 boxes a part, and the samples beyond.
#include "env/program/index_math/counting.h"

#include <algorithm>
#include <set>

#include "env/base/check.h"
#include "env/base/rng.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {
namespace {

// Boxes up to this size are enumerated.
constexpr double kEnumerated = 1024;
// Boxes that are counted for one condition, and points that are drawn from each box beyond.
constexpr int kMostBoxes = 2048;
constexpr int kDrawn = 4096;

int64_t Evaluate(const ExprNode& node, const std::vector<int64_t>& values) {
  const auto arg = [&](int i) { return Evaluate(*node.args[i], values); };
  switch (node.op) {
    case Op::kInteger: return node.integer;
    case Op::kVariable: return values[node.id];
    case Op::kNegate: return -arg(0);
    case Op::kNot: return arg(0) == 0;
    case Op::kSelect: return arg(0) != 0 ? arg(1) : arg(2);
    case Op::kAdd: return arg(0) + arg(1);
    case Op::kSubtract: return arg(0) - arg(1);
    case Op::kMultiply: return arg(0) * arg(1);
    case Op::kFloorDivide: return FloorDivide(arg(0), arg(1));
    case Op::kModulo: return FloorModulo(arg(0), arg(1));
    case Op::kMin: return std::min(arg(0), arg(1));
    case Op::kMax: return std::max(arg(0), arg(1));
    case Op::kLess: return arg(0) < arg(1);
    case Op::kLessEqual: return arg(0) <= arg(1);
    case Op::kGreater: return arg(0) > arg(1);
    case Op::kGreaterEqual: return arg(0) >= arg(1);
    case Op::kEqual: return arg(0) == arg(1);
    case Op::kNotEqual: return arg(0) != arg(1);
    case Op::kAnd: return arg(0) != 0 && arg(1) != 0;
    case Op::kOr: return arg(0) != 0 || arg(1) != 0;
    default: break;
  }
  SG_CHECK(false, std::string("no index arithmetic: ") + OpName(node.op));
}

// Counts one condition over the box of the variables it uses.
class BoxCounter {
 public:
  BoxCounter(const std::set<int>& variables, const std::vector<int64_t>& extents)
      : variables_(variables.begin(), variables.end()), ranges_(extents.size()) {
    for (size_t i = 0; i < extents.size(); ++i) ranges_[i] = {0, extents[i] - 1};
  }

  double Count(const Expr& condition) {
    const Expr simple = Simplify(condition, [this](int id) { return ranges_[id]; });
    if (simple->op == Op::kInteger) return simple->integer != 0 ? Volume() : 0;
    if (Volume() <= kEnumerated) return Enumerate(*simple);
    if (boxes_ >= kMostBoxes) return Estimate(*simple);
    boxes_ += 2;
    return CountHalves(simple);
  }

 private:
  int64_t Extent(int variable) const { return ranges_[variable].high - ranges_[variable].low + 1; }

  double Volume() const {
    double volume = 1;
    for (int variable : variables_) volume *= static_cast<double>(Extent(variable));
    return volume;
  }

  double CountHalves(const Expr& condition) {
    const int longest = *std::max_element(variables_.begin(), variables_.end(),
                                          [this](int a, int b) { return Extent(a) < Extent(b); });
    const Range whole = ranges_[longest];
    const int64_t middle = whole.low + (whole.high - whole.low) / 2;
    ranges_[longest] = {whole.low, middle};
    double count = Count(condition);
    ranges_[longest] = {middle + 1, whole.high};
    count += Count(condition);
    ranges_[longest] = whole;
    return count;
  }

  // Of points drawn the same each time.
  double Estimate(const ExprNode& condition) const {
    Rng rng(1);
    std::vector<int64_t> point(ranges_.size());
    int hits = 0;
    for (int i = 0; i < kDrawn; ++i) {
      for (int variable : variables_) {
        point[variable] = ranges_[variable].low + rng.Below(Extent(variable));
      }
      hits += Evaluate(condition, point) != 0 ? 1 : 0;
    }
    return Volume() * hits / kDrawn;
  }

  double Enumerate(const ExprNode& condition) const {
    std::vector<int64_t> point(ranges_.size());
    for (int variable : variables_) point[variable] = ranges_[variable].low;
    double count = 0;
    while (true) {
      count += Evaluate(condition, point) != 0 ? 1 : 0;
      size_t i = 0;
      for (; i < variables_.size(); ++i) {
        const int variable = variables_[i];
        if (++point[variable] <= ranges_[variable].high) break;
        point[variable] = ranges_[variable].low;
      }
      if (i == variables_.size()) return count;
    }
  }

  std::vector<int> variables_;
  std::vector<Range> ranges_;
  int boxes_ = 1;
};

struct Part {
  Expr condition;
  std::set<int> variables;
};

std::set<int> VariablesOf(const Expr& expr) {
  std::set<int> variables;
  Visit(expr, [&](const ExprNode& node) {
    if (node.op == Op::kVariable) variables.insert(node.id);
  });
  return variables;
}

bool ShareVariable(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int id) { return b.contains(id); });
}

// Adds a conjunct, joined with all parts that it shares a variable with.
void AddConjuncts(const Expr& condition, std::vector<Part>* parts) {
  if (condition->op == Op::kAnd) {
    AddConjuncts(condition->args[0], parts);
    AddConjuncts(condition->args[1], parts);
    return;
  }
  Part joined{condition, VariablesOf(condition)};
  std::erase_if(*parts, [&](Part& part) {
    if (!ShareVariable(part.variables, joined.variables)) return false;
    joined.condition = Binary(Op::kAnd, part.condition, joined.condition);
    joined.variables.merge(part.variables);
    return true;
  });
  parts->push_back(std::move(joined));
}

}  // namespace

bool IsCountable(const Expr& condition) {
  bool countable = true;
  Visit(condition, [&](const ExprNode& node) {
    countable = countable && (node.type == DType::kIndex || node.type == DType::kBool) &&
                node.op != Op::kRead && node.op != Op::kCast;
  });
  return countable;
}

double CountPoints(const Expr& condition, const std::vector<int64_t>& extents) {
  std::vector<Part> parts;
  AddConjuncts(condition, &parts);
  double count = 1;
  std::vector<bool> counted(extents.size(), false);
  for (const Part& part : parts) {
    for (int variable : part.variables) counted[variable] = true;
    count *= BoxCounter(part.variables, extents).Count(part.condition);
  }
  for (size_t i = 0; i < extents.size(); ++i) {
    if (!counted[i]) count *= static_cast<double>(extents[i]);
  }
  return count;
}

}  // namespace schedulegym
