#include "tests/backends/llvm/belief.h"

#include <cmath>
#include <limits>

#include "env/lower/lower.h"
#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/value_range.h"
#include "env/schedule/state.h"
#include "tests/backends/llvm/differential.h"
#include "tests/support/cells.h"

namespace schedulegym {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Number of operations that round, if they are floating.
int RoundingsOf(const Expr& value) {
  int count = 0;
  Visit(value, [&](const ExprNode& node) {
    switch (node.op) {
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kSqrt: count += IsFloating(node.type); break;
      default: break;
    }
  });
  return count;
}

bool IsSmallInteger(double value, int64_t range) {
  return value == std::floor(value) && std::abs(value) <= static_cast<double>(range);
}

// Whether `value` may be among the reals that fill an input of the type.
bool IsDrawn(DType type, double value) {
  const ValueRange range = RangeOfInput(type);
  return value >= range.low && value <= range.high &&
         (value == 0 || std::abs(value) >= range.least);
}

}  // namespace

Belief::Belief(const CellOperation& apply, DType type, DType result)
    : apply_(apply), type_(type), result_(result) {
  const ComputeDag dag = DagOf(1);
  plan_ = PlanExact(dag);
  is_exact_ = !plan_.outputs.empty();
  rounds_once_ = RoundingsOf(dag.tensor(dag.outputs()[0]).body) <= 1;
}

ComputeDag Belief::DagOf(int64_t cells) const {
  std::vector<Tensor> tensors(3);
  for (int i = 0; i < 2; ++i) tensors[i] = {i == 0 ? "X" : "Y", TensorKind::kInput, type_, {cells}};
  const Expr first = Read(type_, 0, {Variable(0)}), second = Read(type_, 1, {Variable(0)});
  tensors[2] = {"Z", TensorKind::kDefinition, result_, {cells}};
  tensors[2].axes = {{"i", cells}};
  tensors[2].body = apply_(first, second);
  return ComputeDag::Create(tensors, {2}).value();
}

bool Belief::DemandsBits(double first, double second) const {
  if (!is_exact_) return false;
  if (rounds_once_) return true;
  return IsSmallInteger(first, plan_.range) && IsSmallInteger(second, plan_.range);
}

std::vector<CellBound> Belief::BoundsOf(std::span<const double> first,
                                        std::span<const double> second) const {
  const auto cells = static_cast<int64_t>(first.size());
  const ErrorDag error = MakeErrorDag(DagOf(cells)).value();
  const auto task = std::make_shared<const Task>(Task{error.dag, TargetOf("interpreter"), "Z"});
  const LoopProgram program = Lower(ScheduleState::Initial(task)).value();
  std::vector<GuardedMemory> arguments = MakeArguments(program, 1);
  for (int64_t i = 0; i < cells; ++i) {
    SetCell(arguments[0], type_, i, first[i]);
    SetCell(arguments[1], type_, i, second[i]);
  }
  arguments = RunOn(*MakeInterpreter(task->target), program, {}, std::move(arguments)).value();
  std::vector<CellBound> bounds;
  const DType type = program.parameters[2].type;
  for (int64_t i = 0; i < cells; ++i) {
    CellBound bound = {GetCell(arguments[2], type, i), 0};
    if (error.bounds[0]) bound.most = arguments[2 + *error.bounds[0]].as<double>()[i];
    bound.most += FinalRounding(result_, bound.value);
    if (!IsDrawn(type_, first[i]) || !IsDrawn(type_, second[i])) bound.most = kInfinity;
    bounds.push_back(bound);
  }
  return bounds;
}

}  // namespace schedulegym
