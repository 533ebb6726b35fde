// Test inputs: small integers for which a computation is exact in its types, the same mostly zero,
// reals of 24 bits in [-1, 1) or [0.25, 1.25). PlanExact bounds every tensor's magnitude (sum: n *
// max, product: max^n) and takes the widest range of 8, 4, 3, 2, 1 with which the same outputs are
// exact as with 1: below 2^24 in f32, 2^53 in f64; outputs of one division or square root of exact
// values, and those converted to f16 or bf16, are rounded once and compared bit by bit too, unless
// the sign of a zero may differ. One input at a time is widened to up to 4096, to see f16
// arithmetic. Cost: one pass over the DAG a trial.
#include "env/measure/verification/inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/measure/verification/value_range.h"
#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

int64_t SmallInteger(const ExactPlan& plan, Rng& rng) {
  return plan.positive ? 1 + rng.Below(plan.range) : rng.Below(2 * plan.range + 1) - plan.range;
}

int64_t AnyInteger(DType type, Rng& rng) {
  if (type == DType::kI8) return rng.Below(256) + std::numeric_limits<int8_t>::min();
  return rng.Below(int64_t{1} << 32) + std::numeric_limits<int32_t>::min();
}

template <typename T>
void FillWith(void* memory, int64_t elements, auto draw) {
  T* values = static_cast<T*>(memory);
  for (int64_t i = 0; i < elements; ++i) values[i] = static_cast<T>(draw());
}

void FillHalves(DType type, void* memory, int64_t elements, auto draw) {
  auto* bits = static_cast<uint16_t*>(memory);
  for (int64_t i = 0; i < elements; ++i) bits[i] = FloatToHalf(type, static_cast<float>(draw()));
}

void FillTyped(const Tensor& tensor, void* memory, auto draw) {
  const int64_t elements = tensor.NumElements();
  switch (tensor.type) {
    case DType::kF32: return FillWith<float>(memory, elements, draw);
    case DType::kF64: return FillWith<double>(memory, elements, draw);
    case DType::kI32: return FillWith<int32_t>(memory, elements, draw);
    case DType::kI8: return FillWith<int8_t>(memory, elements, draw);
    case DType::kF16:
    case DType::kBF16: return FillHalves(tensor.type, memory, elements, draw);
    default: break;
  }
  SG_CHECK(false, "no input holds this type");
}

// Tried in this order: wide enough to tell cells apart, small enough for long sums.
constexpr int64_t kRanges[] = {8, 4, 3, 2, 1};
// One bit more than the 11 of f16 or the 8 of bf16, then smaller ones where that is too wide.
constexpr int64_t kWideRanges[] = {4096, 3072, 2560, 1024, 512, 320, 64, 16, 8, 4, 2};

// By position of the input.
using InputRanges = std::vector<int64_t>;

// The largest magnitude of an integer-valued expression; nullopt if it may hold fractions.
using Magnitude = std::optional<double>;

// Limit up to which the type holds all integers.
double GaplessLimit(DType type) {
  switch (type) {
    case DType::kF32: return 0x1p24;
    case DType::kF64: return 0x1p53;
    case DType::kF16: return 0x1p11;
    case DType::kBF16: return 0x1p8;
    case DType::kI8: return 0x1p7;
    case DType::kI32: return 0x1p31;
    case DType::kIndex:
    case DType::kBool: return 0x1p62;
  }
  return 0;
}

class ExactAnalysis {
 public:
  ExactAnalysis(const ComputeDag& dag, const InputRanges& ranges) : dag_(dag), ranges_(dag.size()) {
    magnitudes_.resize(dag.size());
    rounded_.resize(dag.size(), false);
    zeros_.resize(dag.size());
    for (size_t i = 0; i < ranges.size(); ++i) ranges_[dag.inputs()[i]] = ranges[i];
    for (int id : dag.topological_order()) Analyse(id);
  }

  // Positions of the outputs that are exact or rounded once.
  std::vector<int> Outputs() const {
    std::vector<int> positions;
    for (size_t i = 0; i < dag_.outputs().size(); ++i) {
      const int id = dag_.outputs()[i];
      if (magnitudes_[id] || rounded_[id]) positions.push_back(static_cast<int>(i));
    }
    return positions;
  }

  const std::string& reason() const { return reason_; }

 private:
  void Analyse(int id) {
    const Tensor& tensor = dag_.tensor(id);
    if (tensor.kind != TensorKind::kDefinition) {
      magnitudes_[id] = Fit(tensor.type, static_cast<double>(ranges_[id]), tensor.name);
      return;
    }
    tensor_ = &tensor;
    zeros_[id] = ZerosOf(tensor);
    if (tensor.combiner == Combiner::kNone && IsRoundedOnce(*tensor.body)) {
      rounded_[id] = true;
      return;
    }
    const Magnitude term = Of(*tensor.body);
    if (!term) return;
    double terms = 1;
    for (const Axis& axis : tensor.reduce_axes) terms *= static_cast<double>(axis.extent);
    double bound = *term;
    if (tensor.combiner == Combiner::kSum) bound *= terms;
    if (tensor.combiner == Combiner::kProduct) bound = std::pow(std::max(bound, 1.0), terms);
    magnitudes_[id] = Fit(AccumulatorType(tensor.type), bound, tensor.name);
    if (magnitudes_[id]) magnitudes_[id] = Fit(tensor.type, bound, tensor.name);
  }

  // A conversion to a half that may round its exact argument, but never overflows.
  bool IsNarrowed(const ExprNode& body) {
    if (body.op != Op::kCast || !IsHalf(body.type) || !IsFloating(body.args[0]->type)) return false;
    const Magnitude argument = Of(*body.args[0]);
    return argument && *argument > GaplessLimit(body.type) && *argument <= LargestOf(body.type);
  }

  // All of them are correctly rounded on every machine, so exact arguments give equal bits.
  bool IsRoundedOnce(const ExprNode& body) {
    if (IsNarrowed(body)) return true;
    const bool divides = body.op == Op::kDivide && IsFloating(body.type);
    if (divides && ZerosOf(*body.args[1]).may_differ) {
      Fail("the sign of a zero by which " + Name() + " divides is not exact");
      return false;
    }
    return (divides || body.op == Op::kSqrt) &&
           std::all_of(body.args.begin(), body.args.end(),
                       [&](const Expr& arg) { return Of(*arg).has_value(); });
  }

  // Facts about the zeros of floating values, as 1 / -0 is not 1 / 0.
  struct Zeros {
    bool may_be_negative = false;
    bool may_differ = false;  // in sign, depending on the order of evaluation
  };

  // Which of two zeros is the largest, or the least, depends on the order.
  Zeros ZerosOf(const Tensor& tensor) const {
    Zeros zeros = ZerosOf(*tensor.body);
    const bool chooses = tensor.combiner == Combiner::kMax || tensor.combiner == Combiner::kMin;
    zeros.may_differ |= chooses && zeros.may_be_negative;
    return zeros;
  }

  Zeros ZerosOf(const ExprNode& node) const {
    if (node.op == Op::kRead) return zeros_[node.id];
    if (!IsFloating(node.type) || node.op == Op::kAbs) return {};
    Zeros zeros;
    for (const Expr& arg : node.args) {
      const Zeros of_arg = ZerosOf(*arg);
      zeros.may_be_negative |= of_arg.may_be_negative;
      zeros.may_differ |= of_arg.may_differ;
    }
    zeros.may_be_negative |=
        node.op == Op::kNegate || node.op == Op::kMultiply || node.op == Op::kDivide;
    return zeros;
  }

  // Integers wrap alike in every order; floating types must hold the bound.
  Magnitude Fit(DType type, double bound, const std::string& where) {
    const double limit = GaplessLimit(type);
    if (bound <= limit) return bound;
    if (!IsFloating(type)) return limit;
    return Fail(where + " may reach " + FormatDouble(bound) + ", beyond which " + DTypeName(type) +
                " has gaps");
  }

  Magnitude Fail(const std::string& reason) {
    if (reason_.empty()) reason_ = reason;
    return std::nullopt;
  }

  Magnitude Of(const ExprNode& node) {
    switch (node.op) {
      case Op::kInteger: return std::abs(static_cast<double>(node.integer));
      case Op::kNumber:
        if (node.number == std::floor(node.number)) {
          return Fit(node.type, std::abs(node.number), "a constant");
        }
        return Fail("the constant " + FormatDouble(node.number) + " is no integer");
      case Op::kVariable: return static_cast<double>(ExtentOf(node.id) - 1);
      case Op::kRead: return magnitudes_[node.id];
      default: return OfOperation(node);
    }
  }

  Magnitude OfOperation(const ExprNode& node) {
    std::vector<double> bounds;
    for (const Expr& arg : node.args) {
      const Magnitude bound = Of(*arg);
      if (!bound) return std::nullopt;
      bounds.push_back(*bound);
    }
    const bool integral = !IsFloating(node.type);
    switch (node.op) {
      case Op::kSelect: return std::max(bounds[1], bounds[2]);
      case Op::kNegate:
      case Op::kAbs:
      case Op::kFloor:
      case Op::kCast: return Fit(node.type, bounds[0], Name());
      case Op::kAdd:
      case Op::kSubtract: return Fit(node.type, bounds[0] + bounds[1], Name());
      case Op::kMultiply: return Fit(node.type, bounds[0] * bounds[1], Name());
      case Op::kMin:
      case Op::kMax: return std::max(bounds[0], bounds[1]);
      case Op::kDivide:
      case Op::kFloorDivide:
        if (integral) return bounds[0];
        break;
      case Op::kModulo:
        if (integral) return bounds[1];
        break;
      default:
        if (node.type == DType::kBool) return 1;
        break;
    }
    return Fail(std::string(OpName(node.op)) + " in " + Name() + " is not exact");
  }

  std::string Name() const { return tensor_->name; }

  int64_t ExtentOf(int variable) const {
    const auto spatial = static_cast<int>(tensor_->axes.size());
    return variable < spatial ? tensor_->axes[variable].extent
                              : tensor_->reduce_axes[variable - spatial].extent;
  }

  const ComputeDag& dag_;
  InputRanges ranges_;              // by tensor
  const Tensor* tensor_ = nullptr;  // the tensor that is being analysed
  std::vector<Magnitude> magnitudes_;
  std::vector<bool> rounded_;
  std::vector<Zeros> zeros_;
  std::string reason_;
};

// Whether some tensor divides integers of tensors by an expression that is not constant.
bool DividesIntegers(const ComputeDag& dag) {
  bool found = false;
  for (const Tensor& tensor : dag.tensors()) {
    if (tensor.kind != TensorKind::kDefinition) continue;
    Visit(tensor.body, [&](const ExprNode& node) {
      const bool divides =
          node.op == Op::kDivide || node.op == Op::kFloorDivide || node.op == Op::kModulo;
      found |= divides && !IsFloating(node.type) && !IsConstant(node.args[1]);
    });
  }
  return found;
}

InputRanges Widened(const ComputeDag& dag, const ExactPlan& plan) {
  InputRanges ranges(dag.inputs().size(), plan.range);
  if (plan.positive || plan.outputs.empty()) return ranges;
  const auto is_floating = [&](size_t i) { return IsFloating(dag.tensor(dag.inputs()[i]).type); };
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (is_floating(i)) ranges[i] = 1;
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (!is_floating(i)) continue;
    for (int64_t wide : kWideRanges) {
      InputRanges trial = ranges;
      trial[i] = wide;
      if (ExactAnalysis(dag, trial).Outputs() != plan.outputs) continue;
      ranges = std::move(trial);
      break;
    }
  }
  return ranges;
}

}  // namespace

uint64_t InputSeed(const Key& task) {
  Hasher hasher;
  hasher.Add(kInputsName);
  hasher.Add(task.ToText());
  return hasher.Value();
}

void FillInput(const Tensor& tensor, InputPattern pattern, const ExactPlan& plan, Rng& rng,
               void* memory) {
  switch (pattern) {
    case InputPattern::kIntegers:
      SG_CHECK(plan.range > 0, "an exact plan has a range");
      return FillTyped(tensor, memory, [&] { return SmallInteger(plan, rng); });
    case InputPattern::kSparseIntegers:
      SG_CHECK(plan.range > 0, "an exact plan has a range");
      return FillTyped(tensor, memory, [&] {
        return plan.positive || rng.Below(4) == 0 ? SmallInteger(plan, rng) : 0;
      });
    case InputPattern::kReals:
      if (!IsFloating(tensor.type)) {
        return FillTyped(tensor, memory, [&] { return AnyInteger(tensor.type, rng); });
      }
      // 24 bits: exact in f32, so that f32 and f64 see the same numbers.
      return FillTyped(tensor, memory,
                       [&] { return static_cast<double>(rng.Next() >> 40) * 0x1p-23 - 1.0; });
    case InputPattern::kPositiveReals:
      if (!IsFloating(tensor.type)) {
        return FillTyped(tensor, memory, [&] { return 1 + rng.Below(100); });
      }
      return FillTyped(tensor, memory,
                       [&] { return static_cast<double>(rng.Next() >> 41) * 0x1p-23 + 0.25; });
  }
}

ExactPlan PlanExact(const ComputeDag& dag) {
  const size_t inputs = dag.inputs().size();
  const ExactAnalysis least(dag, InputRanges(inputs, 1));
  ExactPlan plan;
  plan.outputs = least.Outputs();
  plan.positive = DividesIntegers(dag);
  if (plan.outputs.size() < dag.outputs().size()) plan.reason = least.reason();
  for (int64_t range : kRanges) {
    if (ExactAnalysis(dag, InputRanges(inputs, range)).Outputs() != plan.outputs) continue;
    plan.range = range;
    break;
  }
  plan.wide = Widened(dag, plan);
  return plan;
}

}  // namespace schedulegym
