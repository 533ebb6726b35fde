#include "spaces/schedulegym/packing.h"

#include <algorithm>

#include "spaces/nest_facts.h"

namespace schedulegym {
namespace {

// Stages that read the source directly, among the stage and those inlined into it.
std::vector<StageRef> DirectReaders(const ScheduleState& state, int source, int reader) {
  std::vector<int> within{reader};
  std::vector<StageRef> readers;
  for (size_t i = 0; i < within.size(); ++i) {
    bool reads = false;
    for (const ReadAccess& read : state.stage(within[i]).op->reads) {
      reads = reads || read.stage == source;
      const bool inlined = state.stage(read.stage).location == Location::kInlined;
      if (inlined && std::find(within.begin(), within.end(), read.stage) == within.end()) {
        within.push_back(read.stage);
      }
    }
    if (reads) readers.push_back({within[i]});
  }
  return readers;
}

// Rank of a dimension of the source in the packed layout, outermost first.
enum Rank { kPanel = 0, kMixed = 1, kReduction = 2, kRegister = 3 };

struct PackLayout {
  Pack primitive;
  int along = 0;                // the source's dimension that is cut into panels
  std::vector<int> loop_order;  // the copy's axes, the panel's inner part last and left out
};

PackLayout LayOut(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
                  const PackPlan& pack, const Operand& operand) {
  const StageOp& source = *state.stage(pack.stage).op;
  const int axis = facts.dimensions[pack.dimension].axis;
  PackLayout layout;
  layout.primitive.stage = {pack.stage};
  layout.primitive.readers = DirectReaders(state, pack.stage, facts.stage);
  std::vector<std::pair<int, int>> ranked;  // rank, dimension
  for (int d = 0; d < source.spatial; ++d) {
    const int of = operand.axis_of[d];
    if (of == axis) layout.along = d;
    int rank = kMixed;
    for (int i = 0; i < static_cast<int>(facts.dimensions.size()) && of >= 0; ++i) {
      const NestDimension& dimension = facts.dimensions[i];
      if (dimension.axis != of) continue;
      rank = dimension.reduction ? kReduction : kPanel;
      if (!dimension.reduction && of != axis && plan.tile.size[i] > 1) rank = kRegister;
    }
    ranked.emplace_back(rank, d);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const int64_t panel = std::min(pack.panel, source.axes[layout.along].extent);
  layout.primitive.tile.assign(source.spatial, 1);
  layout.primitive.tile[layout.along] = panel;
  for (const auto& [rank, d] : ranked) {
    layout.loop_order.push_back(d);
    layout.primitive.order.push_back(d > layout.along && panel > 1 ? d + 1 : d);
  }
  if (panel > 1) layout.primitive.order.push_back(layout.along + 1);
  return layout;
}

}  // namespace

void ApplyPacks(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                const TiledNest& nest) {
  for (const PackPlan& pack : plan.packs) {
    const auto operand = std::find_if(facts.operands.begin(), facts.operands.end(),
                                      [&](const Operand& o) { return o.stage == pack.stage; });
    if (!builder.ok() || operand == facts.operands.end()) continue;
    const PackLayout layout = LayOut(builder.state(), facts, plan, pack, *operand);
    const int copy = builder.state().size();
    if (!builder.Try(layout.primitive)) continue;
    const int64_t panel = layout.primitive.tile[layout.along];
    const auto parts = builder.Split(copy, ScheduleBuilder::NodeOfAxis(layout.along), {panel});
    std::vector<int> order;
    for (int d : layout.loop_order) {
      order.push_back(d == layout.along ? parts[0] : ScheduleBuilder::NodeOfAxis(d));
    }
    order.push_back(parts[1]);
    builder.Reorder(copy, order);
    const bool contiguous = layout.along + 1 == builder.stage(copy).op->spatial;
    if (contiguous) builder.Vectorize(copy, parts[1]);
    if (pack.at >= 0 && pack.at < static_cast<int>(nest.outer.size())) {
      builder.ComputeAt(copy, nest.stage, nest.outer[pack.at]);
    } else if (!IsWeightStage(builder.state(), pack.stage)) {
      ParallelizeOuter(builder, copy, 1);
    }
  }
}

}  // namespace schedulegym
