#include <algorithm>

#include "env/base/text.h"
#include "env/schedule/editor.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// Prints stages and the stages computed within their loops, two spaces a level.
class Printer {
 public:
  Printer(const ScheduleState& state, const LoopStructure& structure)
      : state_(state), structure_(structure), names_(state.Names()) {}

  std::string Run() {
    for (const StagePtr& stage : state_.stages()) {
      const StageOp& op = *stage->op;
      if (op.kind == StageKind::kInput) continue;
      if (stage->location == Location::kInlined) text_ += "inlined " + op.name + "\n";
    }
    for (const StructureStage& entry : structure_.stages) {
      if (entry.parent < 0) PrintStage(entry, 0);
    }
    return std::move(text_);
  }

 private:
  void Line(size_t depth, const std::string& line) {
    text_ += std::string(2 * depth, ' ') + line + "\n";
  }

  void PrintStage(const StructureStage& entry, int depth) {
    const Stage& stage = state_.stage(entry.stage);
    Line(depth, Header(entry, stage));
    const LoopNames names = NameLoops(stage);
    for (size_t i = 0; i < entry.loops.size(); ++i) {
      const StructureLoop& loop = entry.loops[i];
      Line(depth, std::string(AnnotationName(loop.annotation)) + " " + names[i] + " in 0.." +
                      std::to_string(loop.extent) + (loop.reduction ? "  # reduction" : ""));
      ++depth;
      for (const StructureStage& inner : structure_.stages) {
        if (inner.parent != entry.stage || inner.parent_loop != static_cast<int>(i)) continue;
        PrintStage(inner, depth);
      }
    }
    PrintBody(entry, stage, names, depth);
  }

  std::string Header(const StructureStage& entry, const Stage& stage) const {
    const StageOp& op = *stage.op;
    std::string line = op.name + "[" + Join(entry.region, ", ") + "] " + MemoryScopeName(op.scope);
    if (!op.layout.empty()) {
      std::vector<int64_t> order(op.layout.order.begin(), op.layout.order.end());
      line +=
          " packed by [" + Join(op.layout.tile, ", ") + "] in order [" + Join(order, ", ") + "]";
    }
    for (const StorageAlignment& alignment : stage.alignments) {
      line += " align(" + std::to_string(alignment.axis) + ", " + std::to_string(alignment.factor) +
              ", " + std::to_string(alignment.offset) + ")";
    }
    if (stage.auto_unroll_max_step > 0) {
      line += " auto_unroll_max_step=" + std::to_string(stage.auto_unroll_max_step);
    }
    return line + ":";
  }

  // The axes as the loops make them, then the statement.
  void PrintBody(const StructureStage& entry, const Stage& stage, const LoopNames& names,
                 int depth) {
    const StageOp& op = *stage.effective;
    std::vector<Expr> values(stage.nodes.size());
    for (size_t i = 0; i < stage.loops.size(); ++i) {
      values[stage.loops[i].node] = Variable(static_cast<int>(i));
    }
    std::vector<int64_t> axis_extents = entry.region;
    for (size_t i = op.spatial; i < op.axes.size(); ++i) axis_extents.push_back(op.axes[i].extent);
    ResolveNodeValues(stage, NodeExtents(stage, axis_extents), values);
    const RangeOf ranges = [&](int loop) { return Range{0, entry.loops[loop].extent - 1}; };
    const ExprNames loop_names{[&](int loop) { return names[loop]; }, nullptr};
    for (size_t i = 0; i < op.axes.size(); ++i) {
      const std::string value = schedulegym::ToText(Simplify(values[i], ranges), loop_names);
      if (value != op.axes[i].name) Line(depth, op.axes[i].name + " = " + value);
    }
    const ExprNames axis_names{[&](int axis) { return op.axes[axis].name; },
                               [&](int id) { return names_[id]; }};
    std::vector<std::string> indices;
    for (int i = 0; i < op.spatial; ++i) indices.push_back(op.axes[i].name);
    const std::string combiner =
        op.is_reduction() ? std::string(" = ") + CombinerName(op.combiner) + " " : " = ";
    Line(depth, op.name + "[" + Join(indices, ", ") + "]" + combiner +
                    schedulegym::ToText(op.body, axis_names));
  }

  const ScheduleState& state_;
  const LoopStructure& structure_;
  StageNames names_;
  std::string text_;
};

}  // namespace

std::string LoopStructure::ToText(const ScheduleState& state) const {
  return Printer(state, *this).Run();
}

Key StateKey(const ScheduleState& state) {
  return StateEditor::DataOf(state).key.Get([&] {
    Hasher hasher;
    hasher.Add(InferLoops(state).ToText(state));
    return hasher.KeyValue();
  });
}

}  // namespace schedulegym
