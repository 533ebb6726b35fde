#include "tests/env/program/random_dag.h"

#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

constexpr DType kTypes[] = {DType::kF32, DType::kF64, DType::kI32,
                            DType::kI8,  DType::kF16, DType::kBF16};

class Generator {
 public:
  explicit Generator(Rng& rng) : rng_(rng) {}

  ComputeDag Run() {
    for (int64_t i = 2 + rng_.Below(3); i > 0; --i) AddInput();
    for (int64_t i = 1 + rng_.Below(4); i > 0; --i) AddDefinition();
    return *ComputeDag::Create(std::move(tensors_), {});
  }

 private:
  DType RandomType() { return kTypes[rng_.Below(6)]; }

  void AddInput() {
    Tensor tensor;
    tensor.name = "in" + std::to_string(tensors_.size());
    tensor.kind = rng_.Chance(0.3) ? TensorKind::kWeight : TensorKind::kInput;
    tensor.type = RandomType();
    for (int64_t i = rng_.Below(3); i > 0; --i) tensor.shape.push_back(1 + rng_.Below(5));
    tensors_.push_back(std::move(tensor));
  }

  void AddDefinition() {
    Tensor tensor;
    tensor.name = "T" + std::to_string(tensors_.size());
    tensor.kind = TensorKind::kDefinition;
    tensor.type = RandomType();
    for (const char* name : {"i", "j"}) {
      tensor.axes.push_back({name, 1 + rng_.Below(5)});
      tensor.shape.push_back(tensor.axes.back().extent);
    }
    if (rng_.Chance(0.5)) {
      tensor.combiner = static_cast<Combiner>(1 + rng_.Below(4));
      tensor.reduce_axes.push_back({"k", 1 + rng_.Below(5)});
    }
    variables_ = tensor.reduce_axes.empty() ? 2 : 3;
    tensor.body = Value(tensor.type, 4);
    tensors_.push_back(std::move(tensor));
  }

  Expr Literal(DType type) {
    if (!IsFloating(type)) return Constant(type, static_cast<double>(rng_.Below(200) - 100));
    constexpr double kNumbers[] = {0, 1, 2, -3, 0.5, 1e-5, -0.7071067811865476, 1e20, 3e38, -0.0};
    return Constant(type, kNumbers[rng_.Below(10)]);
  }

  Expr ReadOf(DType type, int depth) {
    const int id = static_cast<int>(rng_.Below(static_cast<int64_t>(tensors_.size())));
    const Tensor& tensor = tensors_[id];
    std::vector<Expr> indices;
    for (int64_t extent : tensor.shape) {
      indices.push_back(Binary(Op::kModulo, RandomIndex(rng_, variables_, std::min(depth, 2)),
                               IndexConstant(extent)));
    }
    return Cast(type, Read(tensor.type, id, std::move(indices)));
  }

  Expr Leaf(DType type, int depth) {
    switch (rng_.Below(4)) {
      case 0: return Literal(type);
      case 1: return Cast(type, RandomIndex(rng_, variables_, std::min(depth, 2)));
      default: return ReadOf(type, depth);
    }
  }

  Expr Condition(int depth) {
    constexpr Op kComparisons[] = {Op::kLess, Op::kGreaterEqual, Op::kEqual, Op::kNotEqual};
    if (depth == 0 || rng_.Chance(0.6)) return RandomCondition(rng_, variables_, 1);
    const DType type = RandomType();
    const Expr left = Value(type, depth - 1);
    return Binary(kComparisons[rng_.Below(4)], left, Value(type, depth - 1));
  }

  Expr Value(DType type, int depth) {
    if (depth == 0 || rng_.Chance(0.2)) return Leaf(type, depth);
    const Expr a = Value(type, depth - 1);
    switch (rng_.Below(6)) {
      case 0: return Select(Condition(depth - 1), a, Value(type, depth - 1));
      case 1: return Cast(type, Value(RandomType(), depth - 1));
      case 2: return OneArgument(type, a);
      default: return TwoArguments(type, a, Value(type, depth - 1));
    }
  }

  Expr OneArgument(DType type, const Expr& a) {
    constexpr Op kAny[] = {Op::kNegate, Op::kAbs};
    constexpr Op kFloating[] = {Op::kExp,  Op::kLog,     Op::kSqrt, Op::kRsqrt,
                                Op::kTanh, Op::kSigmoid, Op::kErf,  Op::kFloor};
    if (!IsFloating(type) || rng_.Chance(0.3)) return Unary(kAny[rng_.Below(2)], a);
    return Unary(kFloating[rng_.Below(8)], a);
  }

  Expr TwoArguments(DType type, const Expr& a, const Expr& b) {
    constexpr Op kAny[] = {Op::kAdd, Op::kSubtract, Op::kMultiply, Op::kMin, Op::kMax};
    if (rng_.Chance(0.6)) return Binary(kAny[rng_.Below(5)], a, b);
    if (IsFloating(type)) return Binary(rng_.Chance(0.5) ? Op::kDivide : Op::kPow, a, b);
    constexpr Op kDivisions[] = {Op::kDivide, Op::kFloorDivide, Op::kModulo};
    return Binary(kDivisions[rng_.Below(3)], a, IsInteger(b, 0) ? Constant(type, 7) : b);
  }

  Rng& rng_;
  std::vector<Tensor> tensors_;
  int variables_ = 2;
};

}  // namespace

ComputeDag RandomDag(Rng& rng) { return Generator(rng).Run(); }

}  // namespace schedulegym
