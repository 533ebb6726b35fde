// Extents and values of a stage's loop nodes while its loops are entered one by one. A split of
// parent extent r has strides s_i and child extents ceil(r_i / s_i), where r_1 = r and r_(i+1) is
// s_i, or less in the last part: r_i % s_i. A level that does not divide is open until its loop has
// a value: then the code branches into a main part (all iterations but the last) and a tail, or,
// where a loop below was entered before, runs under the guard  parent value < r.  Values go up the
// relations,
//   parent = sum child_i * s_i (split)       parent = child // inner extents % extent (fuse)
// and NodeRanges gives base and span of each node over the loops not yet entered.
// Cost: O(relations * levels) for each pass; ForceExtent closes one level a pass.
#include "env/lower/nest.h"

#include <algorithm>

namespace schedulegym {
namespace {

// Unrolls, from the innermost loop outward, while the repeated body stays within the stage's limit.
void UnrollAutomatically(Nest& nest) {
  int64_t steps = 1;
  for (int i = nest.loop_count(); i-- > 0;) {
    const Annotation annotation = nest.annotation[i];
    if (annotation == Annotation::kVectorize) continue;
    if (annotation != Annotation::kNone && annotation != Annotation::kUnroll) return;
    const int node = nest.LoopNode(i);
    const int64_t extent =
        nest.extent[node] >= 0 ? nest.extent[node] : nest.stage->nodes[node].extent;
    if (__builtin_mul_overflow(steps, extent, &steps)) return;
    if (steps > nest.stage->auto_unroll_max_step) return;
    nest.annotation[i] = Annotation::kUnroll;
  }
}

// The nodes that have a bound loop below them.
std::vector<bool> TouchedNodes(const Nest& nest) {
  std::vector<bool> touched(nest.value.size());
  for (size_t i = 0; i < touched.size(); ++i) touched[i] = nest.value[i] != nullptr;
  for (size_t r = nest.stage->relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&nest.stage->relations[r])) {
      for (size_t i = 0; i <= split->lengths.size(); ++i) {
        if (touched[split->first_child + i]) touched[split->parent] = true;
      }
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(nest.stage->relations[r]);
    for (int parent : fuse.parents) touched[parent] = touched[parent] || touched[fuse.child];
  }
  return touched;
}

// Calls visit(child node, rest before it, stride) for each level whose rest is known, until the
// first open one. Returns whether all levels were visited.
template <typename Visitor>
bool WalkLevels(const Nest& nest, const SplitRelation& split, const Visitor& visit) {
  int64_t rest = nest.extent[split.parent];
  if (rest < 0) return false;
  const std::vector<int64_t> strides = SplitStrides(split, rest);
  for (size_t i = 0; i < strides.size(); ++i) {
    const int child = split.first_child + static_cast<int>(i);
    const int64_t stride = strides[i];
    visit(child, rest, stride);
    if (rest <= stride || rest % stride == 0) {
      rest = std::min(rest, stride);
      continue;
    }
    switch (nest.part[child]) {
      case Part::kOpen: return false;
      case Part::kTail: rest %= stride; break;
      case Part::kMain:
      case Part::kGuarded: rest = stride; break;
    }
  }
  return true;
}

// Extent of the parent that is left for the children after those bound from outside; a large number
// if it is open.
int64_t RestOfUnbound(const Nest& nest, const SplitRelation& split) {
  int64_t left = INT64_MAX;
  bool bound = true;
  WalkLevels(nest, split, [&](int child, int64_t rest, int64_t) {
    if (!bound) return;
    bound = nest.value[child] != nullptr;
    if (!bound) left = rest;
  });
  return left;
}

// Whether `node` hangs below `ancestor`.
bool IsBelow(const Stage& stage, int node, int ancestor) {
  if (node == ancestor) return true;
  for (const Relation& relation : stage.relations) {
    if (const auto* split = std::get_if<SplitRelation>(&relation)) {
      const int last = split->first_child + static_cast<int>(split->lengths.size());
      if (node < split->first_child || node > last) continue;
      return IsBelow(stage, split->parent, ancestor);
    }
    const auto& fuse = std::get<FuseRelation>(relation);
    if (fuse.child != node) continue;
    return std::any_of(fuse.parents.begin(), fuse.parents.end(),
                       [&](int parent) { return IsBelow(stage, parent, ancestor); });
  }
  return false;
}

// Nodes below an open level have no extent yet.
bool HasOpenLevels(const Nest& nest) {
  return std::ranges::any_of(nest.extent, [](int64_t extent) { return extent < 0; });
}

bool IsBound(const Nest& nest, const SplitRelation& split) {
  const auto first = nest.value.begin() + split.first_child;
  return std::none_of(first, first + static_cast<int64_t>(split.lengths.size()) + 1,
                      [](const Expr& child) { return child == nullptr; });
}

// The first open level of a split, if its rest is known.
struct OpenLevel {
  int child = -1;
  int64_t rest = 0;
  int64_t stride = 1;
};
std::optional<OpenLevel> FirstOpenLevel(const Nest& nest, const SplitRelation& split) {
  OpenLevel level;
  const bool through = WalkLevels(nest, split, [&](int child, int64_t rest, int64_t stride) {
    level = {child, rest, stride};
  });
  if (through || level.child < 0) return std::nullopt;
  return level;
}

}  // namespace

bool Nest::IsInVector(int position) const {
  return annotation[position] == Annotation::kVectorize && !IsConstant(value[LoopNode(position)]);
}

Expr Nest::AxisValue(int axis) const {
  if (!value[axis]) return nullptr;
  return axis < op().spatial ? base[axis] + value[axis] : value[axis];
}

Nest MakeNest(int id, const Stage& stage, std::vector<int64_t> axis_extents,
              std::vector<Expr> base) {
  Nest nest;
  nest.id = id;
  nest.stage = &stage;
  nest.extent.assign(stage.nodes.size(), -1);
  std::copy(axis_extents.begin(), axis_extents.end(), nest.extent.begin());
  nest.value.resize(stage.nodes.size());
  nest.part.assign(stage.nodes.size(), Part::kOpen);
  nest.base = std::move(base);
  nest.conditions = stage.effective->conditions;
  nest.body = stage.effective->value;
  nest.names = std::make_shared<const LoopNames>(NameLoops(stage));
  for (const StageLoop& loop : stage.loops) nest.annotation.push_back(loop.annotation);
  PropagateExtents(nest);
  if (stage.auto_unroll_max_step > 0) UnrollAutomatically(nest);
  return nest;
}

void PropagateExtents(Nest& nest) {
  for (const Relation& relation : nest.stage->relations) {
    if (const auto* split = std::get_if<SplitRelation>(&relation)) {
      std::vector<std::pair<int, int64_t>> known;
      WalkLevels(nest, *split, [&](int child, int64_t rest, int64_t stride) {
        known.emplace_back(child, (rest + stride - 1) / stride);
      });
      for (const auto& [child, extent] : known) nest.extent[child] = extent;
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(relation);
    int64_t product = 1;
    for (int parent : fuse.parents) {
      product = nest.extent[parent] < 0 || product < 0 ? -1 : product * nest.extent[parent];
    }
    nest.extent[fuse.child] = product;
  }
}

void ForceExtent(Nest& nest, int node) {
  while (nest.extent[node] < 0) {
    bool changed = false;
    for (const Relation& relation : nest.stage->relations) {
      const auto* split = std::get_if<SplitRelation>(&relation);
      if (!split || !IsBelow(*nest.stage, node, split->parent)) continue;
      const auto level = FirstOpenLevel(nest, *split);
      if (!level) continue;
      nest.part[level->child] = Part::kGuarded;
      nest.guards.emplace_back(split->parent, nest.extent[split->parent]);
      changed = true;
      break;
    }
    SG_CHECK(changed, "an open extent has an open split above it");
    PropagateExtents(nest);
  }
}

std::optional<int64_t> OpenMainCount(const Nest& nest, int node) {
  if (!HasOpenLevels(nest)) return std::nullopt;
  for (const Relation& relation : nest.stage->relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (!split) continue;
    const auto level = FirstOpenLevel(nest, *split);
    if (level && level->child == node) return level->rest / level->stride;
  }
  return std::nullopt;
}

std::optional<OpenPart> FindOpenPart(Nest& nest) {
  if (!HasOpenLevels(nest)) return std::nullopt;
  const std::vector<bool> touched = TouchedNodes(nest);
  for (const Relation& relation : nest.stage->relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (!split) continue;
    const auto level = FirstOpenLevel(nest, *split);
    if (!level) continue;
    bool inner_touched = false;
    const int last = split->first_child + static_cast<int>(split->lengths.size());
    for (int child = level->child + 1; child <= last; ++child) {
      inner_touched = inner_touched || touched[child];
    }
    if (inner_touched) {
      nest.part[level->child] = Part::kGuarded;
      nest.guards.emplace_back(split->parent, nest.extent[split->parent]);
      PropagateExtents(nest);
      return FindOpenPart(nest);
    }
    if (nest.value[level->child]) return OpenPart{level->child, level->rest / level->stride};
  }
  return std::nullopt;
}

void ResolveValues(Nest& nest, const NameValue& name_value) {
  for (size_t r = nest.stage->relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&nest.stage->relations[r])) {
      if (nest.value[split->parent] || nest.extent[split->parent] < 0) continue;
      if (!IsBound(nest, *split)) continue;
      const auto strides = SplitStrides(*split, nest.extent[split->parent]);
      Expr sum = IndexConstant(0);
      for (size_t i = 0; i < strides.size(); ++i) {
        sum = sum + nest.value[split->first_child + i] * IndexConstant(strides[i]);
      }
      nest.value[split->parent] = sum;
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(nest.stage->relations[r]);
    Expr rest = nest.value[fuse.child];
    if (!rest || nest.value[fuse.parents[0]]) continue;
    for (size_t i = fuse.parents.size(); i-- > 0;) {
      const int parent = fuse.parents[i];
      const Expr extent = IndexConstant(nest.extent[parent]);
      const Expr value = i == 0 ? rest : Binary(Op::kModulo, rest, extent);
      nest.value[parent] = name_value(parent, value);
      if (i > 0) rest = Binary(Op::kFloorDivide, rest, extent);
    }
  }
}

std::vector<NodeRange> NodeRanges(const Nest& nest) {
  const Stage& stage = *nest.stage;
  std::vector<NodeRange> ranges(stage.nodes.size());
  // An open extent is at most the extent of the loops over the whole tensor.
  const auto extent_of = [&](int node) {
    return nest.extent[node] >= 0 ? nest.extent[node] : stage.nodes[node].extent;
  };
  for (const StageLoop& loop : stage.loops) {
    ranges[loop.node] = {IndexConstant(0), extent_of(loop.node)};
  }
  const auto settle = [&](int node) {
    if (nest.value[node]) ranges[node] = {nest.value[node], 1};
  };
  for (const StageLoop& loop : stage.loops) settle(loop.node);
  for (size_t r = stage.relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&stage.relations[r])) {
      const int64_t extent = extent_of(split->parent);
      const auto strides = SplitStrides(*split, extent);
      NodeRange range{IndexConstant(0), 1};
      for (size_t i = 0; i < strides.size(); ++i) {
        const NodeRange& child = ranges[split->first_child + i];
        range.base = range.base + child.base * IndexConstant(strides[i]);
        range.span += (child.span - 1) * strides[i];
      }
      range.span = std::min({range.span, extent, RestOfUnbound(nest, *split)});
      ranges[split->parent] = range;
      settle(split->parent);
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(stage.relations[r]);
    NodeRange child = ranges[fuse.child];
    for (size_t i = fuse.parents.size(); i-- > 0;) {
      const int64_t extent = extent_of(fuse.parents[i]);
      const Expr constant = IndexConstant(extent);
      const auto base = ToAffine(child.base);
      const auto multiple_of = [&](int64_t factor) {
        return base && base->constant % factor == 0 &&
               std::all_of(base->terms.begin(), base->terms.end(),
                           [&](const auto& term) { return term.second % factor == 0; });
      };
      NodeRange& parent = ranges[fuse.parents[i]];
      NodeRange outer{Binary(Op::kFloorDivide, child.base, constant), 1};
      if (extent % child.span == 0 && multiple_of(child.span)) {
        parent = {Binary(Op::kModulo, child.base, constant), child.span};
      } else {
        parent = {IndexConstant(0), extent};
        const bool whole = child.span % extent == 0 && multiple_of(extent);
        outer.span = whole ? child.span / extent : (child.span + extent - 2) / extent + 1;
      }
      if (i == 0) parent = child;
      settle(fuse.parents[i]);
      child = outer;
    }
  }
  return ranges;
}

}  // namespace schedulegym
