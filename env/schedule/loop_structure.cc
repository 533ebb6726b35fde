// Extents of all loops of a schedule, last stage first. A stage computed at a loop gets the region
// that its readers need while the loops around stand still: for each dimension the hull of the
// reads, as long as they differ only in a constant, else the whole dimension. An index's values are
// a series: `span` of them, from a multiple of `grain` on. Through a split of strides s and through
// //
//   span(parent) = 1 + sum (span_i - 1) s_i
//   span(x // c) = (c - gcd(grain, c) + span - 1) / c + 1
// A split's children have extents ceil(rest / s_i); a fused loop the product of its parents'.
// What a block of a GPU shares gets the region of all its threads: their loops run, and where the
// reader is itself computed for one thread, its spans grow by what its region does over all
// threads. Cost: O(stages * reads * index size), more where a reader is not at the same loop and
// its region is computed again.
#include "env/schedule/loop_structure.h"

#include <algorithm>
#include <numeric>

#include "env/program/expressions/integer_math.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

// `span` values from a multiple of `grain` on; from 0 on if `grain` is 0.
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

// Values of an index when the axes have the values `series`; a superset where it is not linear.
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
  int64_t low = 0, high = 0;  // range of the constants
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

// The region of one thread of a GPU, or of all threads of a block.
enum class RegionOf : uint8_t { kThread, kBlock };

// Which loops up to a position are fixed. For a block, loops of threads are not fixed.
std::vector<bool> FixedLoops(const Stage& stage, int last, RegionOf of) {
  std::vector<bool> fixed(stage.loops.size());
  for (int i = 0; i <= last; ++i) {
    fixed[i] = of == RegionOf::kThread || !IsThreadLoop(stage.loops[i].annotation);
  }
  return fixed;
}

std::vector<int64_t> SpansWhile(const Stage& stage, std::span<const int64_t> extents,
                                const std::vector<bool>& fixed) {
  std::vector<int64_t> spans(stage.nodes.size(), 1);
  for (size_t i = 0; i < stage.loops.size(); ++i) {
    const int node = stage.loops[i].node;
    spans[node] = fixed[i] ? 1 : extents[node];
  }
  for (size_t r = stage.relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&stage.relations[r])) {
      const auto strides = SplitStrides(*split, extents[split->parent]);
      int64_t span = 1;
      for (size_t i = 0; i < strides.size(); ++i) {
        span += (spans[split->first_child + static_cast<int>(i)] - 1) * strides[i];
      }
      spans[split->parent] = std::min(span, extents[split->parent]);
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(stage.relations[r]);
    int64_t span = spans[fuse.child];
    for (size_t i = fuse.parents.size(); i-- > 0;) {
      const int64_t extent = extents[fuse.parents[i]];
      // A span that divides the parent's extent is taken to be aligned to it, as splits make it.
      const bool inside = span <= extent && extent % span == 0;
      spans[fuse.parents[i]] = i == 0 ? std::min(span, extent) : inside ? span : extent;
      span = inside ? 1 : span % extent == 0 ? span / extent : (span + extent - 2) / extent + 1;
    }
  }
  spans.resize(stage.effective->axes.size());
  return spans;
}

std::vector<int64_t> GrainsWhile(const Stage& stage, std::span<const int64_t> extents,
                                 const std::vector<bool>& fixed) {
  std::vector<int64_t> grains(stage.nodes.size());
  for (size_t i = 0; i < stage.loops.size(); ++i) {
    const int node = stage.loops[i].node;
    if (fixed[i] && extents[node] > 1) grains[node] = 1;
  }
  for (size_t r = stage.relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&stage.relations[r])) {
      const auto strides = SplitStrides(*split, extents[split->parent]);
      for (size_t i = 0; i < strides.size(); ++i) {
        const int64_t grain = grains[split->first_child + static_cast<int>(i)];
        grains[split->parent] = std::gcd(grains[split->parent], grain * strides[i]);
      }
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(stage.relations[r]);
    int64_t rest = grains[fuse.child];
    for (size_t i = fuse.parents.size(); i-- > 0;) {
      const int64_t extent = extents[fuse.parents[i]];
      const bool whole = rest % extent == 0;
      grains[fuse.parents[i]] = i == 0 ? rest : whole ? 0 : std::gcd(rest, extent);
      rest = whole ? rest / extent : 1;
    }
  }
  grains.resize(stage.effective->axes.size());
  return grains;
}

class Inference {
 public:
  explicit Inference(const ScheduleState& state)
      : state_(state),
        entries_(state.size()),
        block_regions_(state.size()),
        extents_(state.size()) {}

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
      const RegionOf of = IsForBlock(state_, id) ? RegionOf::kBlock : RegionOf::kThread;
      const auto region = RegionAt(id, entry.parent, entry.parent_loop, of);
      std::copy(region.begin(), region.end(), axis_extents.begin());
    }
    if (stage.location == Location::kAt && state_.task().target.IsGpu()) {
      block_regions_[id] = RegionAt(id, entry.parent, entry.parent_loop, RegionOf::kBlock);
    }
    entry.region.assign(axis_extents.begin(), axis_extents.begin() + stage.effective->spatial);
    extents_[id] = NodeExtents(stage, axis_extents);
    entry.loops.reserve(stage.loops.size());
    for (const StageLoop& loop : stage.loops) {
      entry.loops.push_back(
          {loop.node, extents_[id][loop.node], loop.annotation, stage.nodes[loop.node].reduction});
    }
  }

  // Extent of each dimension of `id` that its consumers read in one iteration of the loop at `loop`
  // of `target` and of the loops around.
  std::vector<int64_t> RegionAt(int id, int target, int loop, RegionOf of) const {
    const StageOp& op = *state_.stage(id).effective;
    std::vector<Hull> hulls(op.spatial);
    for (int reader : state_.order()) {
      const Stage& stage = state_.stage(reader);
      if (stage.location == Location::kInlined) continue;
      std::vector<Series> series;
      for (const ReadAccess& read : stage.effective->reads) {
        if (read.stage != id) continue;
        if (series.empty()) series = SeriesAt(reader, target, loop, of);
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

  std::vector<Series> SeriesAt(int reader, int target, int loop, RegionOf of) const {
    const Stage& stage = state_.stage(reader);
    const std::vector<Axis>& axes = stage.effective->axes;
    std::vector<Series> series(axes.size());
    if (reader == target) {
      const std::vector<int64_t> spans =
          SpansWhile(stage, extents_[reader], FixedLoops(stage, loop, of));
      for (size_t i = 0; i < axes.size(); ++i) {
        series[i].span = std::min(spans[i] + GrowthOverThreads(reader, i, of), axes[i].extent);
      }
      if (IsLinear(*stage.effective)) return series;  // grains are not needed
      const std::vector<int64_t> grains =
          GrainsWhile(stage, extents_[reader], FixedLoops(stage, loop, of));
      for (size_t i = 0; i < axes.size(); ++i) series[i].grain = grains[i];
      return series;
    }
    // The region is known for readers that are computed at the same loop.
    const StructureStage& entry = entries_[reader];
    if (IsForBlock(state_, reader)) of = RegionOf::kBlock;
    const bool is_known = entry.parent == target && entry.parent_loop == loop;
    const std::vector<int64_t>& known =
        of == RegionOf::kBlock ? block_regions_[reader] : entry.region;
    const std::vector<int64_t> region = is_known ? known : RegionAt(reader, target, loop, of);
    for (size_t i = 0; i < axes.size(); ++i) {
      const bool whole = i >= region.size() || region[i] == axes[i].extent;
      series[i] = whole ? Series{axes[i].extent, 0} : Series{region[i], 1};
    }
    return series;
  }

  // Number of values that a spatial axis of a stage takes over all threads beyond those in one.
  int64_t GrowthOverThreads(int id, size_t axis, RegionOf of) const {
    const std::vector<int64_t>& block = block_regions_[id];
    return of == RegionOf::kBlock && axis < block.size() ? block[axis] - entries_[id].region[axis]
                                                         : 0;
  }

  const ScheduleState& state_;
  std::vector<StructureStage> entries_;
  std::vector<std::vector<int64_t>> block_regions_;  // regions that all threads of a block read
  std::vector<std::vector<int64_t>> extents_;        // extents of the nodes of each stage
};

}  // namespace

LoopStructure InferLoops(const ScheduleState& state) { return Inference(state).Run(); }

std::vector<int64_t> SplitStrides(const SplitRelation& split, int64_t parent_extent) {
  const size_t count = split.lengths.size() + 1;
  std::vector<int64_t> strides(count, 1);
  if (!split.outer_given) {
    for (size_t i = count - 1; i > 0; --i) strides[i - 1] = strides[i] * split.lengths[i - 1];
    return strides;
  }
  // The lengths are those of the outer children; the innermost gets the rest, rounded up.
  int64_t outer = 1;
  for (int64_t length : split.lengths) outer *= length;
  int64_t stride = CeilDivide(parent_extent, outer);
  for (size_t i = count - 1; i > 0; --i) {
    strides[i - 1] = stride;
    stride *= split.lengths[i - 1];
  }
  return strides;
}

std::vector<int64_t> SplitExtents(const SplitRelation& split, int64_t parent_extent) {
  std::vector<int64_t> extents = SplitStrides(split, parent_extent);
  int64_t rest = parent_extent;
  for (int64_t& extent : extents) {
    const int64_t stride = extent;
    extent = CeilDivide(rest, stride);
    rest = std::min(rest, stride);
  }
  return extents;
}

std::vector<int64_t> NodeExtents(const Stage& stage, std::span<const int64_t> axis_extents) {
  std::vector<int64_t> extents(stage.nodes.size());
  std::copy(axis_extents.begin(), axis_extents.end(), extents.begin());
  for (const Relation& relation : stage.relations) {
    if (const auto* split = std::get_if<SplitRelation>(&relation)) {
      const std::vector<int64_t> children = SplitExtents(*split, extents[split->parent]);
      std::copy(children.begin(), children.end(), extents.begin() + split->first_child);
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(relation);
    extents[fuse.child] = 1;
    for (int parent : fuse.parents) extents[fuse.child] *= extents[parent];
  }
  return extents;
}

void ResolveNodeValues(const Stage& stage, std::span<const int64_t> extents,
                       std::vector<Expr>& values) {
  for (size_t r = stage.relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&stage.relations[r])) {
      const auto strides = SplitStrides(*split, extents[split->parent]);
      Expr sum = IndexConstant(0);
      bool known = true;
      for (size_t i = 0; i < strides.size(); ++i) {
        const Expr& child = values[split->first_child + static_cast<int>(i)];
        known = known && child != nullptr;
        if (known) sum = sum + child * IndexConstant(strides[i]);
      }
      if (known) values[split->parent] = sum;
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(stage.relations[r]);
    Expr rest = values[fuse.child];
    if (!rest) continue;
    for (size_t i = fuse.parents.size(); i-- > 0;) {
      const Expr extent = IndexConstant(extents[fuse.parents[i]]);
      values[fuse.parents[i]] = i == 0 ? rest : Binary(Op::kModulo, rest, extent);
      rest = Binary(Op::kFloorDivide, rest, extent);
    }
  }
}

std::vector<int64_t> AxisSpans(const Stage& stage, std::span<const int64_t> extents, int fixed) {
  return SpansWhile(stage, extents, FixedLoops(stage, fixed, RegionOf::kThread));
}

std::vector<int64_t> AxisGrains(const Stage& stage, std::span<const int64_t> extents, int fixed) {
  return GrainsWhile(stage, extents, FixedLoops(stage, fixed, RegionOf::kThread));
}

LoopNames NameLoops(const Stage& stage) {
  std::vector<std::string> origin(stage.nodes.size());
  for (size_t i = 0; i < stage.effective->axes.size(); ++i)
    origin[i] = stage.effective->axes[i].name;
  for (const Relation& relation : stage.relations) {
    if (const auto* split = std::get_if<SplitRelation>(&relation)) {
      for (size_t i = 0; i <= split->lengths.size(); ++i) {
        origin[split->first_child + static_cast<int>(i)] = origin[split->parent];
      }
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(relation);
    for (int parent : fuse.parents) {
      origin[fuse.child] += (origin[fuse.child].empty() ? "" : "@") + origin[parent];
    }
  }
  LoopNames names;
  for (size_t i = 0; i < stage.loops.size(); ++i) {
    const std::string& name = origin[stage.loops[i].node];
    const auto same = [&](const StageLoop& loop) { return origin[loop.node] == name; };
    const auto here = stage.loops.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::count_if(stage.loops.begin(), stage.loops.end(), same) == 1) {
      names.push_back(name);
    } else {
      names.push_back(name + "." + std::to_string(std::count_if(stage.loops.begin(), here, same)));
    }
  }
  return names;
}

}  // namespace schedulegym
