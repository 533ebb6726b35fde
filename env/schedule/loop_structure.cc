#include "env/schedule/loop_structure.h"

#include <algorithm>
#include <numeric>

#include "env/schedule/loop_tree.h"

namespace schedulegym {
namespace {

// `span` values from a multiple of `grain` on; from 0 on where that is 0.
struct Series {
  int64_t span = 1;
  int64_t grain = 0;
};

Series Divided(const Series& values, int64_t divisor) {
  const int64_t common = std::gcd(values.grain, divisor);
  return {(divisor - common + values.span - 1) / divisor + 1,
          values.grain % divisor == 0 ? values.grain / divisor : 1};
}

Series Remaining(const Series& values, int64_t divisor) {
  const int64_t common = std::gcd(values.grain, divisor);
  if (values.span > common) return {divisor, 0};
  return {values.span, common == divisor ? 0 : common};
}

// What an index takes when the axes take `series`; more where it is not linear.
Series SeriesOf(const Expr& index, const std::vector<Series>& series,
                const std::vector<Axis>& axes) {
  const auto series_of = [&](size_t arg) { return SeriesOf(index->args[arg], series, axes); };
  switch (index->op) {
    case Op::kInteger: return {1, std::abs(index->integer)};
    case Op::kVariable: return series[index->id];
    case Op::kAdd: {
      const Series a = series_of(0), b = series_of(1);
      return {a.span + b.span - 1, std::gcd(a.grain, b.grain)};
    }
    case Op::kSubtract: {
      const Series a = series_of(0), b = series_of(1);
      return {a.span + b.span - 1, std::gcd(a.grain, std::gcd(b.grain, b.span - 1))};
    }
    case Op::kMultiply: {
      const bool left = IsConstant(index->args[0]);
      const int64_t factor = index->args[left ? 0 : 1]->integer;
      const Series values = series_of(left ? 1 : 0);
      const int64_t grain = factor < 0 ? std::gcd(values.grain, values.span - 1) : values.grain;
      return {(values.span - 1) * std::abs(factor) + 1, grain * std::abs(factor)};
    }
    case Op::kFloorDivide: return Divided(series_of(0), index->args[1]->integer);
    case Op::kModulo: {
      const int64_t divisor = index->args[1]->integer;
      const Range whole = BoundsOf(index->args[0], [&](int axis) {
        return Range{0, axes[axis].extent - 1};
      });
      const bool changes = whole.low < 0 || whole.high >= divisor;
      return changes ? Remaining(series_of(0), divisor) : series_of(0);
    }
    default: return {INT64_MAX / 4, 1};
  }
}

int64_t SpanOf(const Affine& index, const std::vector<Series>& series) {
  int64_t span = 1;
  for (const auto& [axis, factor] : index.terms) span += (series[axis].span - 1) * std::abs(factor);
  return span;
}

bool IsLinear(const StageOp& op) {
  return std::all_of(op.reads.begin(), op.reads.end(), [](const ReadAccess& read) {
    return std::all_of(read.affine.begin(), read.affine.end(),
                       [](const auto& affine) { return affine.has_value(); });
  });
}

// An index as a constant and the rest: linear terms, or an expression that is not linear.
struct Offset {
  const Affine* linear = nullptr;
  const Expr* other = nullptr;  // where it is not linear
  int64_t constant = 0;

  Offset(const std::optional<Affine>& affine, const Expr& index) {
    if (affine) {
      linear = &*affine;
      constant = affine->constant;
      return;
    }
    other = &index;
    if ((index->op != Op::kAdd && index->op != Op::kSubtract) || !IsConstant(index->args[1]))
      return;
    constant = index->args[1]->integer * (index->op == Op::kAdd ? 1 : -1);
    other = &index->args[0];
  }

  bool HasRestOf(const Offset& to) const {
    if (linear && to.linear) return linear->terms == to.linear->terms;
    return other && to.other && Equal(*other, *to.other);
  }
};

// The hull, along one dimension, of several reads of one stage.
struct Hull {
  std::optional<Offset> first;
  int64_t low = 0, high = 0;  // of the constants
  int64_t span = 0;
  bool irregular = false;  // reads differ in more than a constant

  void Add(const Offset& offset, int64_t index_span) {
    span = std::max(span, index_span);
    if (!first) {
      first = offset;
      low = high = offset.constant;
    }
    irregular = irregular || !first->HasRestOf(offset);
    low = std::min(low, offset.constant);
    high = std::max(high, offset.constant);
  }
};

class Inference {
 public:
  explicit Inference(const ScheduleState& state)
      : state_(state), entries_(state.size()), extents_(state.size()) {}

  LoopStructure Run() {
    const std::vector<int>& order = state_.order();
    for (size_t i = order.size(); i-- > 0;) Visit(order[i]);
    LoopStructure structure;
    for (int id : order) {
      if (!extents_[id].empty()) structure.stages.push_back(std::move(entries_[id]));
    }
    return structure;
  }

 private:
  void Visit(int id) {
    const Stage& stage = state_.stage(id);
    if (stage.loops.empty() || stage.location == Location::kInlined) return;
    StructureStage& entry = entries_[id];
    entry.stage = id;
    const std::vector<Axis>& axes = stage.effective->axes;
    std::vector<int64_t> axis_extents;
    for (const Axis& axis : axes) axis_extents.push_back(axis.extent);
    if (stage.location == Location::kAt) {
      entry.parent = stage.target;
      entry.parent_loop = state_.stage(stage.target).FindLoop(stage.target_node);
      const auto region = RegionAt(id, entry.parent, entry.parent_loop);
      std::copy(region.begin(), region.end(), axis_extents.begin());
    }
    entry.region.assign(axis_extents.begin(), axis_extents.begin() + stage.effective->spatial);
    extents_[id] = NodeExtents(stage, axis_extents);
    entry.loops.reserve(stage.loops.size());
    for (const StageLoop& loop : stage.loops) {
      entry.loops.push_back(
          {loop.node, extents_[id][loop.node], loop.annotation, stage.nodes[loop.node].reduction});
    }
  }

  // How much of each dimension of `id` its consumers read while the loops of `target` up to
  // position `loop`, and those around, stand still.
  std::vector<int64_t> RegionAt(int id, int target, int loop) const {
    const StageOp& op = *state_.stage(id).effective;
    std::vector<Hull> hulls(op.spatial);
    for (int reader : state_.order()) {
      const Stage& stage = state_.stage(reader);
      if (stage.location == Location::kInlined) continue;
      std::vector<Series> series;
      for (const ReadAccess& read : stage.effective->reads) {
        if (read.stage != id) continue;
        if (series.empty()) series = SeriesAt(reader, target, loop);
        for (int d = 0; d < op.spatial; ++d) {
          const auto& [affine, index] = std::tie(read.affine[d], read.indices[d]);
          hulls[d].Add({affine, index}, affine
                                            ? SpanOf(*affine, series)
                                            : SeriesOf(index, series, stage.effective->axes).span);
        }
      }
    }
    std::vector<int64_t> region(op.spatial);
    for (int d = 0; d < op.spatial; ++d) {
      const int64_t span = hulls[d].span + (hulls[d].high - hulls[d].low);
      const int64_t extent = op.axes[d].extent;
      region[d] = hulls[d].irregular ? extent : std::clamp<int64_t>(span, 1, extent);
    }
    return region;
  }

  std::vector<Series> SeriesAt(int reader, int target, int loop) const {
    const Stage& stage = state_.stage(reader);
    const std::vector<Axis>& axes = stage.effective->axes;
    std::vector<Series> series(axes.size());
    if (reader == target) {
      const std::vector<int64_t> spans = AxisSpans(stage, extents_[reader], loop);
      for (size_t i = 0; i < axes.size(); ++i) series[i].span = spans[i];
      if (IsLinear(*stage.effective)) return series;  // nothing asks for grains
      const std::vector<int64_t> grains = AxisGrains(stage, extents_[reader], loop);
      for (size_t i = 0; i < axes.size(); ++i) series[i].grain = grains[i];
      return series;
    }
    // Of what stands there, too, it is known.
    const StructureStage& entry = entries_[reader];
    const bool is_known = entry.parent == target && entry.parent_loop == loop;
    const std::vector<int64_t> region = is_known ? entry.region : RegionAt(reader, target, loop);
    for (size_t i = 0; i < axes.size(); ++i) {
      const bool whole = i >= region.size() || region[i] == axes[i].extent;
      series[i] = whole ? Series{axes[i].extent, 0} : Series{region[i], 1};
    }
    return series;
  }

  const ScheduleState& state_;
  std::vector<StructureStage> entries_;
  std::vector<std::vector<int64_t>> extents_;  // of the nodes of each stage
};

}  // namespace

LoopStructure InferLoops(const ScheduleState& state) { return Inference(state).Run(); }

}  // namespace schedulegym
