#include "tests/env/measure/verification/rounded_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

double Rounded(double value, int bits) {
  if (bits == 53 || value == 0 || !std::isfinite(value)) return value;
  if (bits == 24) return static_cast<float>(value);
  int exponent = 0;
  const double significand = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
}

double Function(Op op, double x) { return op == Op::kNot ? x == 0 : FloatUnary(op, x); }

double Function(Op op, double x, double y) {
  switch (op) {
    case Op::kAdd: return x + y;
    case Op::kSubtract: return x - y;
    case Op::kMultiply: return x * y;
    case Op::kDivide: return x / y;
    case Op::kFloorDivide: return std::floor(x / y);
    case Op::kModulo: return x - std::floor(x / y) * y;
    case Op::kMin: return std::min(x, y);
    case Op::kMax: return std::max(x, y);
    case Op::kPow: return std::pow(x, y);
    case Op::kLess: return x < y;
    case Op::kLessEqual: return x <= y;
    case Op::kGreater: return x > y;
    case Op::kGreaterEqual: return x >= y;
    case Op::kEqual: return x == y;
    case Op::kNotEqual: return x != y;
    case Op::kAnd: return x != 0 && y != 0;
    case Op::kOr: return x != 0 || y != 0;
    default: break;
  }
  SG_CHECK(false, "an operation on two values");
}

class Run {
 public:
  Run(const ComputeDag& dag, const Precision& precision, SumOrder order, Rng& rng)
      : dag_(dag), precision_(precision), order_(order), rng_(rng), cells_(dag.size()) {}

  Cells Of(const Cells& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      std::vector<double>& cells = cells_[dag_.inputs()[i]];
      for (double value : inputs[i]) cells.push_back(Rounded(value, precision_.inputs));
    }
    for (int id : dag_.topological_order()) {
      if (dag_.tensor(id).kind == TensorKind::kDefinition) Define(dag_.tensor(id), cells_[id]);
    }
    return std::move(cells_);
  }

 private:
  void Define(const Tensor& tensor, std::vector<double>& cells) {
    point_.assign(tensor.axes.size() + tensor.reduce_axes.size(), 0);
    do {
      std::vector<double> terms;
      do {
        terms.push_back(Term(tensor));
      } while (Advance(tensor.reduce_axes, tensor.axes.size()));
      cells.push_back(Combined(tensor.combiner, std::move(terms)));
    } while (Advance(tensor.axes, 0));
  }

  // Returns false, with all zeros, after the last point.
  bool Advance(const std::vector<Axis>& axes, size_t first) {
    for (size_t i = axes.size(); i-- > 0; point_[first + i] = 0) {
      if (++point_[first + i] < static_cast<double>(axes[i].extent)) return true;
    }
    return false;
  }

  double Term(const Tensor& tensor) {
    const ExprNode& body = *tensor.body;
    const bool is_fused = precision_.fused && tensor.combiner == Combiner::kSum;
    if (!is_fused || body.op != Op::kMultiply) return Of(body);
    return Of(*body.args[0]) * Of(*body.args[1]);
  }

  double Of(const ExprNode& node) {
    switch (node.op) {
      case Op::kInteger: return static_cast<double>(node.integer);
      case Op::kNumber: return Rounded(node.number, precision_.operations);
      case Op::kVariable: return point_[static_cast<size_t>(node.id)];
      case Op::kRead: return ReadOf(node);
      case Op::kSelect: return Of(Of(*node.args[0]) != 0 ? *node.args[1] : *node.args[2]);
      default: break;
    }
    const double first = Of(*node.args[0]);
    double value = first;
    if (node.op != Op::kCast) {
      value = node.args.size() == 1 ? Function(node.op, first)
                                    : Function(node.op, first, Of(*node.args[1]));
    }
    return IsFloating(node.type) ? Rounded(value, precision_.operations) : value;
  }

  double ReadOf(const ExprNode& node) {
    size_t flat = 0;
    for (size_t i = 0; i < node.args.size(); ++i) {
      const auto extent = static_cast<size_t>(dag_.tensor(node.id).shape[i]);
      flat = flat * extent + static_cast<size_t>(Of(*node.args[i]));
    }
    return cells_[static_cast<size_t>(node.id)].at(flat);
  }

  double Combined(Combiner combiner, std::vector<double> terms) {
    switch (combiner) {
      case Combiner::kNone: return terms[0];
      case Combiner::kMax: return *std::max_element(terms.begin(), terms.end());
      case Combiner::kMin: return *std::min_element(terms.begin(), terms.end());
      case Combiner::kSum: return Sum(std::move(terms));
      case Combiner::kProduct: break;
    }
    SG_CHECK(false, "no products here");
  }

  double Sum(std::vector<double> terms) {
    switch (order_) {
      case SumOrder::kForward: return InLanes(terms, 1);
      case SumOrder::kLanes8: return InLanes(terms, 8);
      case SumOrder::kLanes64: return InLanes(terms, 64);
      case SumOrder::kPairwise: return InPairs(terms);
      case SumOrder::kBackward: std::reverse(terms.begin(), terms.end()); return InLanes(terms, 1);
      case SumOrder::kShuffled: break;
    }
    for (size_t i = terms.size(); i > 1; --i) {
      std::swap(terms[i - 1], terms[static_cast<size_t>(rng_.Below(static_cast<int64_t>(i)))]);
    }
    return InLanes(terms, 1);
  }

  double InLanes(const std::vector<double>& terms, size_t count) const {
    std::vector<double> lanes(count, 0);
    for (size_t i = 0; i < terms.size(); ++i) lanes[i % count] = Plus(lanes[i % count], terms[i]);
    return InPairs(lanes);
  }

  double InPairs(std::vector<double> terms) const {
    for (; terms.size() > 1; terms.resize((terms.size() + 1) / 2)) {
      for (size_t i = 0; 2 * i < terms.size(); ++i) {
        terms[i] = 2 * i + 1 < terms.size() ? Plus(terms[2 * i], terms[2 * i + 1]) : terms[2 * i];
      }
    }
    return terms[0];
  }

  double Plus(double a, double b) const { return Rounded(a + b, precision_.sums); }

  const ComputeDag& dag_;
  const Precision& precision_;
  SumOrder order_;
  Rng& rng_;
  Cells cells_;
  std::vector<double> point_;
};

}  // namespace

Cells RunRounded(const ComputeDag& dag, const Cells& inputs, const Precision& precision,
                 SumOrder order, Rng& rng) {
  return Run(dag, precision, order, rng).Of(inputs);
}

}  // namespace schedulegym
