#include "spaces/work.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

// A core's clock, and its bandwidth to the outer caches, where nothing better is known.
constexpr double kHertz = 3e9;
constexpr double kBytesPerSecond = 15e9;
// Cycles of one vector of a function such as exp.
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

void ParallelizeOuter(Draft& draft, int stage, int keep) {
  const int cores = draft.task().target.cores;
  if (!draft.ok() || cores < 2 || EstimateSeconds(draft.state(), stage) < kWorthThreads) return;
  const std::vector<StageLoop>& loops = draft.stage(stage).loops;
  std::vector<int> nodes;
  std::vector<int64_t> extents;
  for (size_t i = 0; i + keep < loops.size(); ++i) {
    const StageLoop& loop = loops[i];
    if (loop.annotation != Annotation::kNone || draft.stage(stage).nodes[loop.node].reduction)
      break;
    nodes.push_back(loop.node);
    extents.push_back(draft.Extent(stage, loop.node));
  }
  nodes.resize(BalancedPrefix(extents, cores));
  if (nodes.empty()) return;
  draft.Parallelize(stage, draft.Fuse(stage, nodes));
}

}  // namespace schedulegym
