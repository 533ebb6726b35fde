// What a reduction's tiling depends on: its dimensions, each operand's strides and what may be
// packed. An axis that is divided (axis // c, axis % c) becomes two dimensions; those whose
// quotients with a reduction decide which terms count ("deciding", as in transposed convolutions)
// are marked. Strides are differences of flat addresses at a step from the origin. EstimateSeconds
// is a roofline:
//   max(points * (1 + 0.5 operators + 20 functions) / lanes / 3e9, bytes / 15e9)
// Its constants are round estimates. BalancedPrefix fuses outer loops until 90 % of the cores' time
// is used. Cost: O(reads * dimensions * index size).
#include "spaces/nest_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "env/program/expressions/integer_math.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {
namespace {

// FloorDivide, but 0 for a division by 0, which no legal index contains.
int64_t Quotient(int64_t a, int64_t b) { return b == 0 ? 0 : FloorDivide(a, b); }

// The value of index arithmetic at one point.
int64_t Evaluate(const Expr& index, const std::vector<int64_t>& axes) {
  const auto argument = [&](int i) { return Evaluate(index->args[i], axes); };
  switch (index->op) {
    case Op::kInteger: return index->integer;
    case Op::kVariable: return axes[index->id];
    case Op::kAdd: return argument(0) + argument(1);
    case Op::kSubtract: return argument(0) - argument(1);
    case Op::kMultiply: return argument(0) * argument(1);
    case Op::kFloorDivide: return Quotient(argument(0), argument(1));
    case Op::kModulo: return argument(0) - Quotient(argument(0), argument(1)) * argument(1);
    case Op::kMin: return std::min(argument(0), argument(1));
    case Op::kMax: return std::max(argument(0), argument(1));
    default: return 0;
  }
}

// How an axis is divided by // and % of the stage's expression.
struct Division {
  int64_t divisor = 1;
  bool decides = false;
};

void CollectDivisions(const StageOp& op, const Expr& expr, std::map<int, Division>& divisions) {
  Visit(expr, [&](const ExprNode& node) {
    if (node.op != Op::kFloorDivide && node.op != Op::kModulo) return;
    if (node.type != DType::kIndex || !IsConstant(node.args[1])) return;
    const auto affine = ToAffine(node.args[0]);
    const int64_t divisor = node.args[1]->integer;
    if (!affine || divisor <= 1) return;
    const bool with_reduction =
        std::any_of(affine->terms.begin(), affine->terms.end(),
                    [&](const auto& term) { return term.first >= op.spatial; });
    for (const auto& [axis, coefficient] : affine->terms) {
      if (axis >= op.spatial || std::abs(coefficient) != 1) continue;
      if (divisor >= op.axes[axis].extent) continue;
      Division& division = divisions[axis];
      division.divisor = std::max(division.divisor, divisor);
      division.decides = division.decides || with_reduction;
    }
  });
}

std::vector<NestDimension> DimensionsOf(const StageOp& op, bool parity) {
  std::map<int, Division> divisions;
  for (const ReadAccess& read : op.reads) {
    for (const Expr& index : read.indices) {
      if (index->op != Op::kVariable) CollectDivisions(op, index, divisions);
    }
  }
  for (const Expr& condition : op.conditions) CollectDivisions(op, condition, divisions);
  std::vector<NestDimension> dimensions;
  for (int axis = 0; axis < static_cast<int>(op.axes.size()); ++axis) {
    const int64_t extent = op.axes[axis].extent;
    const bool reduction = axis >= op.spatial;
    const auto found = divisions.find(axis);
    if (found == divisions.end() || (found->second.decides && !parity)) {
      dimensions.push_back({axis, NestDimension::Part::kWhole, extent, 1, reduction});
      continue;
    }
    const int64_t divisor = found->second.divisor;
    dimensions.push_back(
        {axis, NestDimension::Part::kOuter, (extent + divisor - 1) / divisor, divisor, reduction});
    dimensions.push_back(
        {axis, NestDimension::Part::kInner, divisor, 1, reduction, found->second.decides});
  }
  return dimensions;
}

// The axis i of an index `o * extent of i + i`, the form of an axis of partial sums in lanes; -1
// for other indices.
int InnerAxis(const Expr& index, const StageOp& op) {
  const auto affine = ToAffine(index);
  if (!affine || affine->constant != 0) return -1;
  for (const auto& [axis, coefficient] : affine->terms) {
    if (coefficient != 1 || axis >= op.spatial) continue;
    const int64_t extent = op.axes[axis].extent;
    const bool inner =
        std::all_of(affine->terms.begin(), affine->terms.end(), [&, axis = axis](const auto& term) {
          return term.first == axis || term.second % extent == 0;
        });
    if (inner) return axis;
  }
  return -1;
}

// `indices` into a tensor of the shape that `extents` give.
Operand MakeOperand(int stage, const std::vector<Expr>& indices, const std::vector<Axis>& shape,
                    const StageOp& op, const std::vector<NestDimension>& dimensions) {
  Operand operand{stage, std::vector<int64_t>(dimensions.size()), {}};
  const auto address = [&](const std::vector<int64_t>& axes) {
    int64_t flat = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      flat = flat * shape[i].extent + Evaluate(indices[i], axes);
    }
    return flat;
  };
  std::vector<int64_t> axes(op.axes.size());
  const int64_t origin = address(axes);
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].extent == 1) continue;
    axes[dimensions[i].axis] = dimensions[i].stride;
    operand.strides[i] = address(axes) - origin;
    // Some indices move only at some steps, such as every second one.
    const int64_t last = dimensions[i].extent - 1;
    axes[dimensions[i].axis] = last * dimensions[i].stride;
    if (operand.strides[i] == 0) operand.strides[i] = (address(axes) - origin) / last;
    axes[dimensions[i].axis] = 0;
  }
  for (const Expr& index : indices) {
    operand.axis_of.push_back(index->op == Op::kVariable ? index->id : -1);
  }
  return operand;
}

std::vector<int> Select(const std::vector<NestDimension>& dimensions, bool reduction,
                        bool decides) {
  std::vector<int> selected;
  for (int i = 0; i < static_cast<int>(dimensions.size()); ++i) {
    if (dimensions[i].reduction == reduction && dimensions[i].decides == decides) {
      selected.push_back(i);
    }
  }
  return selected;
}

// Clock and bandwidth to the outer caches of a core, if nothing better is known.
constexpr double kHertz = 3e9;
constexpr double kBytesPerSecond = 15e9;
// Cycles of a function such as exp, for one vector. Chosen.
constexpr double kFunctionCycles = 20;
// Shares of the cores' time that may idle.
constexpr double kEnoughBalance = 0.9;

double CyclesOfBody(const StageOp& op) {
  double cycles = 1;
  Visit(op.body, [&](const ExprNode& node) {
    if (!IsFloating(node.type) || node.args.empty() || node.op == Op::kRead) return;
    const bool function = node.op >= Op::kExp && node.op <= Op::kErf;
    cycles += function || node.op == Op::kPow ? kFunctionCycles : 0.5;
  });
  return cycles;
}

}  // namespace

int64_t NestFacts::Points(bool reduction) const {
  int64_t points = 1;
  for (const NestDimension& dimension : dimensions) {
    if (dimension.reduction == reduction) points *= dimension.extent;
  }
  return points;
}

NestFacts AnalyzeNest(const ScheduleState& state, int stage, bool parity) {
  const StageOp& op = *state.stage(stage).effective;
  NestFacts facts;
  facts.stage = stage;
  facts.type = op.type;
  facts.dimensions = DimensionsOf(op, parity);
  facts.spatial = Select(facts.dimensions, false, false);
  facts.deciding = Select(facts.dimensions, false, true);
  facts.reductions = Select(facts.dimensions, true, false);
  facts.has_conditions = !op.conditions.empty();
  for (const Axis& axis : op.axes) facts.steps *= static_cast<double>(axis.extent);
  const RangeOf ranges = [&](int variable) { return Range{0, op.axes[variable].extent - 1}; };
  for (const ReadAccess& read : op.reads) {
    std::vector<Expr> indices;
    indices.reserve(read.indices.size());
    for (const Expr& index : read.indices) {
      const bool is_plain = index->op == Op::kVariable && op.axes[index->id].extent > 1;
      indices.push_back(is_plain ? index : Simplify(index, ranges));
    }
    const StageOp& producer = *state.stage(read.stage).op;
    Operand operand = MakeOperand(read.stage, indices, producer.axes, op, facts.dimensions);
    const bool is_weight = IsWeightStage(state, read.stage);
    for (size_t i = 0; is_weight && i < indices.size(); ++i) {
      if (operand.axis_of[i] < 0) operand.axis_of[i] = InnerAxis(indices[i], op);
    }
    const bool known =
        std::any_of(facts.operands.begin(), facts.operands.end(), [&](const Operand& other) {
          return other.stage == operand.stage && other.strides == operand.strides &&
                 other.axis_of == operand.axis_of;
        });
    if (!known) facts.operands.push_back(std::move(operand));
  }
  std::vector<Expr> own;
  for (int i = 0; i < op.spatial; ++i) own.push_back(Variable(i));
  facts.output = MakeOperand(-1, own, op.axes, op, facts.dimensions);
  return facts;
}

bool ReadsAgain(const ScheduleState& state, const NestFacts& facts) {
  constexpr double kFew = 4;
  double largest = 1;
  for (const Operand& operand : facts.operands) {
    const StageOp& op = *state.stage(operand.stage).op;
    largest = std::max(largest, static_cast<double>(TensorBytes(op) / SizeInBytes(op.type)));
  }
  return facts.steps / largest > kFew;
}

int64_t TensorBytes(const StageOp& op) {
  int64_t bytes = SizeInBytes(op.type);
  for (int i = 0; i < op.spatial; ++i) bytes *= op.axes[i].extent;
  return bytes;
}

bool IsWeightStage(const ScheduleState& state, int stage) {
  const int tensor = state.stage(stage).op->tensor;
  return tensor >= 0 && state.task().dag.tensor(tensor).kind == TensorKind::kWeight;
}

int64_t RegisterTile::Vectors() const {
  int64_t product = 1;
  for (int64_t steps : size) product *= steps;
  return product;
}

std::vector<int> UnrolledReductions(const NestFacts& facts, int64_t most_steps) {
  const std::vector<int> reductions = facts.Reductions();
  std::vector<int> unrolled;
  int64_t steps = 1;
  for (size_t i = reductions.size(); i-- > 0;) {
    steps *= facts.dimensions[reductions[i]].extent;
    if (steps > most_steps) break;
    unrolled.push_back(reductions[i]);
  }
  return unrolled;
}

bool CanPack(const ScheduleState& state, const NestFacts& facts, const Operand& operand,
             int dimension) {
  const NestDimension& along = facts.dimensions[dimension];
  if (along.part == NestDimension::Part::kOuter) return false;
  const Stage& producer = state.stage(operand.stage);
  if (producer.location != Location::kRoot || producer.op->kind == StageKind::kPack) return false;
  return std::count(operand.axis_of.begin(), operand.axis_of.end(), along.axis) == 1;
}

double EstimateSeconds(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).effective;
  double steps = 1;
  for (const Axis& axis : op.axes) steps *= static_cast<double>(axis.extent);
  const int lanes = std::max(1, state.task().target.VectorLanes(SizeInBytes(op.type)));
  const double compute = steps * CyclesOfBody(op) / lanes / kHertz;
  double bytes = static_cast<double>(TensorBytes(op));
  for (const ReadAccess& read : op.reads) {
    bytes += static_cast<double>(TensorBytes(*state.stage(read.stage).op));
  }
  return std::max(compute, bytes / kBytesPerSecond);
}

int BalancedPrefix(const std::vector<int64_t>& extents, int cores) {
  double trips = 1;
  double best = 1.01 / cores;
  int prefix = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    trips *= static_cast<double>(extents[i]);
    const double rounds = std::ceil(trips / cores);
    const double balance = trips / (rounds * cores);
    if (balance > best) {
      best = balance;
      prefix = static_cast<int>(i) + 1;
    }
    if (best >= kEnoughBalance) break;
  }
  return prefix;
}

void ParallelizeOuter(ScheduleBuilder& builder, int stage, int keep) {
  const int cores = builder.task().target.cores;
  if (!builder.ok() || cores < 2 || EstimateSeconds(builder.state(), stage) < kWorthThreads) return;
  const std::vector<StageLoop>& loops = builder.stage(stage).loops;
  std::vector<int> nodes;
  std::vector<int64_t> extents;
  for (size_t i = 0; i + keep < loops.size(); ++i) {
    const StageLoop& loop = loops[i];
    if (loop.annotation != Annotation::kNone || builder.stage(stage).nodes[loop.node].reduction)
      break;
    nodes.push_back(loop.node);
    extents.push_back(builder.Extent(stage, loop.node));
  }
  nodes.resize(BalancedPrefix(extents, cores));
  if (nodes.empty()) return;
  builder.Parallelize(stage, builder.Fuse(stage, nodes));
}

}  // namespace schedulegym
