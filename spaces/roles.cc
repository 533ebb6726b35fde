// Roles of stages: a map has no reduction; a reduction is heavy if some spatial dimension of at
// least 2 is contiguous, constant or worth packing in all operands (weights, or at least 16 reads
// of each element), so that vectors may run along it, and a row otherwise. CommonRows counts, for
// each stage, the leading axes that it shares with an anchor along every path of readers, last
// stage first.
// Cost: O(operands * dimensions) a stage; CommonRows O(reads * axes).
#include "spaces/roles.h"

#include <algorithm>

#include "spaces/nest_facts.h"

namespace schedulegym {
namespace {

// Reads of an element from which on a copy pays. Chosen.
constexpr double kReuse = 16;

bool IsContiguousAlong(const ScheduleState& state, const NestFacts& facts, int dimension) {
  return std::all_of(facts.operands.begin(), facts.operands.end(), [&](const Operand& operand) {
    const int64_t stride = operand.strides[dimension];
    if (stride == 0 || stride == 1) return true;
    if (!CanPack(state, facts, operand, dimension)) return false;
    double elements = 1;
    for (size_t d = 0; d < facts.dimensions.size(); ++d) {
      if (operand.strides[d] != 0) elements *= static_cast<double>(facts.dimensions[d].extent);
    }
    return IsWeightStage(state, operand.stage) || facts.steps / elements >= kReuse;
  });
}

// Every read of `stage` in `reader` is at the reader's own spatial axes, in order.
bool ReadsElementForElement(const StageOp& reader, int stage, const StageOp& op) {
  if (reader.spatial != op.spatial) return false;
  for (int i = 0; i < op.spatial; ++i) {
    if (op.axes[i].extent != reader.axes[i].extent) return false;
  }
  for (const ReadAccess& read : reader.reads) {
    if (read.stage != stage) continue;
    for (int i = 0; i < op.spatial; ++i) {
      const ExprNode& index = *read.indices[i];
      const bool same = index.op == Op::kVariable && index.id == i;
      if (!same && op.axes[i].extent > 1) return false;
    }
  }
  return true;
}

}  // namespace

Role RoleOf(const ScheduleState& state, int stage) {
  const StageOp& op = *state.stage(stage).effective;
  if (op.kind == StageKind::kInput) return Role::kInput;
  if (!op.is_reduction()) return Role::kMap;
  return VectorDimensions(state, AnalyzeNest(state, stage)).empty() ? Role::kRow : Role::kHeavy;
}

std::vector<int> VectorDimensions(const ScheduleState& state, const NestFacts& facts) {
  std::vector<int> along;
  for (int d : facts.Spatial()) {
    if (facts.dimensions[d].extent >= 2 && IsContiguousAlong(state, facts, d)) along.push_back(d);
  }
  return along;
}

int HeavyPartials(const ScheduleState& state, int stage) {
  if (state.stage(stage).op->kind == StageKind::kRfactor) return -1;
  for (const ReadAccess& read : state.stage(stage).op->reads) {
    const StageOp& op = *state.stage(read.stage).op;
    if (op.kind != StageKind::kRfactor || op.source != stage) continue;
    return ReadsAgain(state, AnalyzeNest(state, read.stage)) ? read.stage : -1;
  }
  return -1;
}

bool IsCopy(const StageOp& op) {
  if (op.is_reduction() || !op.body) return false;
  Expr value = op.body;
  while (value->op == Op::kSelect && IsConstant(value->args[2])) value = value->args[1];
  return value->op == Op::kRead;
}

bool CallsFunctions(const StageOp& op) {
  bool calls = false;
  Visit(op.body, [&](const ExprNode& node) {
    calls = calls || (node.op >= Op::kExp && node.op <= Op::kErf) || node.op == Op::kPow ||
            (node.op == Op::kDivide && IsFloating(node.type));
  });
  return calls;
}

std::optional<int> MatchedReader(const ScheduleState& state, int stage) {
  if (state.is_output(stage)) return std::nullopt;
  const std::vector<int> readers = state.Consumers(stage);
  if (readers.size() != 1) return std::nullopt;
  const StageOp& op = *state.stage(stage).effective;
  const StageOp& reader = *state.stage(readers[0]).effective;
  if (op.is_reduction() && reader.is_reduction()) return std::nullopt;
  // A copy for the threads of a block is made where they need it.
  if (reader.kind == StageKind::kCache && reader.scope == MemoryScope::kShared) return std::nullopt;
  if (!ReadsElementForElement(reader, stage, op)) return std::nullopt;
  return readers[0];
}

int MatchedConsumer(const ScheduleState& state, int stage) {
  const std::optional<int> reader = MatchedReader(state, stage);
  return reader && !state.stage(*reader).effective->is_reduction() ? *reader : -1;
}

std::vector<int> CommonRows(const ScheduleState& state, int anchor) {
  std::vector<int> rows(state.size(), -1);
  rows[anchor] = state.stage(anchor).effective->spatial;
  const std::vector<int>& order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const int id = order[i];
    const Stage& stage = state.stage(id);
    if (id == anchor || stage.op->kind == StageKind::kInput || state.is_output(id) ||
        stage.location != Location::kRoot) {
      continue;
    }
    int common = stage.effective->spatial;
    const std::vector<int> consumers = state.Consumers(id);
    if (consumers.empty()) common = -1;
    for (int consumer : consumers) {
      common = std::min(common, rows[consumer]);
      const StageOp& reader = *state.stage(consumer).effective;
      for (const ReadAccess& read : reader.reads) {
        if (read.stage != id) continue;
        int same = 0;
        while (same < common && read.indices[same]->op == Op::kVariable &&
               read.indices[same]->id == same) {
          ++same;
        }
        common = std::min(common, same);
      }
    }
    rows[id] = common;
  }
  return rows;
}

}  // namespace schedulegym
