#include "env/schedule/loop_tree.h"

#include <algorithm>
#include <numeric>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {

std::vector<int64_t> SplitStrides(const SplitRelation& split, int64_t parent_extent) {
  const size_t count = split.lengths.size() + 1;
  std::vector<int64_t> strides(count, 1);
  if (!split.outer_given) {
    for (size_t i = count - 1; i > 0; --i) strides[i - 1] = strides[i] * split.lengths[i - 1];
    return strides;
  }
  // The lengths belong to the outer children; the innermost takes what is left, rounded up.
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
  std::vector<int64_t> spans(stage.nodes.size(), 1);
  for (size_t i = 0; i < stage.loops.size(); ++i) {
    const int node = stage.loops[i].node;
    spans[node] = static_cast<int>(i) <= fixed ? 1 : extents[node];
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

std::vector<int64_t> AxisGrains(const Stage& stage, std::span<const int64_t> extents, int fixed) {
  std::vector<int64_t> grains(stage.nodes.size());
  for (int i = 0; i <= fixed; ++i) {
    const int node = stage.loops[i].node;
    if (extents[node] > 1) grains[node] = 1;
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
