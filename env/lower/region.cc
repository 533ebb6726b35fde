// The region of a producer that must be computed while the outer loops stand: for each dimension
// the hull of the values of all readers' indices, as a base (an index expression) and a constant
// span. Ranges add under +, scale under * and widen under // by how far the base may lie behind a
// multiple; a remainder is the range itself if it cannot wrap, else all of 0..c-1. Bases that
// differ in more than a constant give the whole dimension. The result is shifted inward where it
// may leave the tensor, or the region of a loop further out, so that it always covers what is read
// there. What a block of a GPU shares is computed for all threads: bases then get ranges over the
// variables of their loops, by the same rules.
// Cost: O(readers * index size); readers that have no buffer yet are followed recursively.
#include <algorithm>

#include "env/lower/builder.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

// Values of an index: `span` of them from `base` on.
using IndexRange = NodeRange;

class RegionFinder {
 public:
  RegionFinder(ProgramBuilder& builder, const Nest& nest, const std::vector<bool>& live,
               std::vector<Binding>& bindings)
      : builder_(builder), nest_(nest), live_(live), bindings_(bindings) {}

  Region Find(int producer) {
    const bool was_for_block = for_block_;
    for_block_ = for_block_ || IsForBlock(builder_.state(), producer);
    Region region = FindWhole(producer);
    for_block_ = was_for_block;
    return region;
  }

 private:
  Region FindWhole(int producer) {
    const StageOp& op = *builder_.state().stage(producer).effective;
    std::vector<std::vector<IndexRange>> reads(op.spatial);
    for (int reader : builder_.state().order()) {
      const Stage& stage = builder_.state().stage(reader);
      if (!live_[reader] || stage.location == Location::kInlined) continue;
      std::vector<IndexRange> axes;
      for (const ReadAccess& read : stage.effective->reads) {
        if (read.stage != producer) continue;
        if (axes.empty()) axes = AxesOf(reader);
        for (int d = 0; d < op.spatial; ++d) {
          IndexRange range = RangeOfIndex(read.indices[d], axes);
          reads[d].push_back(for_block_ ? OverThreads(range) : std::move(range));
        }
      }
    }
    std::optional<Region>& limit = builder_.limits()[producer];
    Region region;
    for (int d = 0; d < op.spatial; ++d) {
      const int64_t extent = op.axes[d].extent;
      const IndexRange most = limit ? IndexRange{limit->base[d], limit->extent[d]}
                                    : IndexRange{IndexConstant(0), extent};
      const IndexRange hull = Clamp(op.axes[d], Hull(reads[d], extent), most);
      region.base.push_back(hull.base);
      region.extent.push_back(hull.span);
    }
    limit = region;
    return region;
  }

  // The hull of the range over all threads of a block.
  IndexRange OverThreads(const IndexRange& range) {
    const IndexRange base = OverThreads(builder_.Simplified(range.base));
    return {base.base, base.span + range.span - 1};
  }

  // min and max follow their sides, and never move further than these.
  IndexRange OverThreads(const Expr& expr) {
    if (!DependsOnThreads(expr)) return {expr, 1};
    if (expr->op == Op::kVariable) {
      if (!builder_.is_threads(expr->id)) return OverThreads(builder_.definition(expr->id));
      const Range range = builder_.ranges()(expr->id);
      return {IndexConstant(range.low), range.high - range.low + 1};
    }
    if (expr->op == Op::kMin || expr->op == Op::kMax) {
      const IndexRange a = OverThreads(expr->args[0]), b = OverThreads(expr->args[1]);
      return {Binary(expr->op, a.base, b.base), std::max(a.span, b.span)};
    }
    return RangeOfIndex(expr, [this](const Expr& part) { return OverThreads(part); });
  }

  bool DependsOnThreads(const Expr& expr) const {
    bool depends = false;
    schedulegym::Visit(expr, [&](const ExprNode& node) {
      if (node.op != Op::kVariable || depends) return;
      const Expr definition = builder_.definition(node.id);
      depends = builder_.is_threads(node.id) || (definition && DependsOnThreads(definition));
    });
    return depends;
  }

  // The values that a reader's axes take.
  std::vector<IndexRange> AxesOf(int reader) {
    if (reader == nest_.id) {
      std::vector<NodeRange> ranges = NodeRanges(nest_);
      ranges.resize(nest_.op().axes.size());
      for (int i = 0; i < nest_.op().spatial; ++i) ranges[i].base = nest_.base[i] + ranges[i].base;
      return ranges;
    }
    const Residence& residence = builder_.residence(reader);
    const Region region = residence.buffer >= 0 ? residence.region : Find(reader);
    const StageOp& op = *builder_.state().stage(reader).effective;
    std::vector<IndexRange> axes;
    for (int i = 0; i < op.spatial; ++i) axes.push_back({region.base[i], region.extent[i]});
    for (size_t i = op.spatial; i < op.axes.size(); ++i) {
      axes.push_back({IndexConstant(0), op.axes[i].extent});
    }
    return axes;
  }

  IndexRange RangeOfIndex(const Expr& index, const std::vector<IndexRange>& axes) {
    if (index->op == Op::kVariable) return axes[index->id];
    return RangeOfIndex(index, [&](const Expr& part) { return RangeOfIndex(part, axes); });
  }

  // Computes the range from the ranges of the parts.
  template <typename RangeOfPart>
  IndexRange RangeOfIndex(const Expr& index, const RangeOfPart& range_of) {
    switch (index->op) {
      case Op::kInteger: return {index, 1};
      case Op::kAdd: {
        const IndexRange a = range_of(index->args[0]);
        const IndexRange b = range_of(index->args[1]);
        return {a.base + b.base, a.span + b.span - 1};
      }
      case Op::kSubtract: {
        const IndexRange a = range_of(index->args[0]);
        const IndexRange b = range_of(index->args[1]);
        return {a.base - b.base - IndexConstant(b.span - 1), a.span + b.span - 1};
      }
      case Op::kMultiply: {
        const bool left = IsConstant(index->args[0]);
        const IndexRange a = range_of(index->args[left ? 1 : 0]);
        const int64_t factor = index->args[left ? 0 : 1]->integer;
        const Expr first = factor >= 0 ? a.base : a.base + IndexConstant(a.span - 1);
        return {first * IndexConstant(factor), (a.span - 1) * std::abs(factor) + 1};
      }
      case Op::kFloorDivide: return Divide(range_of(index->args[0]), index->args[1]->integer);
      case Op::kModulo: return Modulo(range_of(index->args[0]), index->args[1]->integer);
      default: return {IndexConstant(0), kWhole};
    }
  }

  // The number of quotients depends on the remainder of the first value.
  IndexRange Divide(const IndexRange& range, int64_t divisor) {
    const Expr base = builder_.Simplified(range.base);
    const Expr behind = builder_.Simplified(Binary(Op::kModulo, base, IndexConstant(divisor)));
    const int64_t most_behind = BoundsOf(behind, builder_.ranges()).high;
    return {builder_.Named("q", Binary(Op::kFloorDivide, base, IndexConstant(divisor)), bindings_),
            (most_behind + range.span - 1) / divisor + 1};
  }

  IndexRange Modulo(const IndexRange& range, int64_t divisor) {
    const Expr base =
        builder_.Named("m", Binary(Op::kModulo, range.base, IndexConstant(divisor)), bindings_);
    const Range bounds = BoundsOf(base, builder_.ranges());
    if (bounds.high + range.span <= divisor) return {base, range.span};
    return {IndexConstant(0), divisor};
  }

  // The hull of all ranges; the whole dimension if their distance is not constant.
  IndexRange Hull(const std::vector<IndexRange>& ranges, int64_t extent) const {
    const IndexRange whole{IndexConstant(0), extent};
    std::optional<Affine> first;
    int64_t low = 0, high = 0;
    for (const IndexRange& range : ranges) {
      if (range.span >= extent) return whole;
      const auto base = ToAffine(builder_.Simplified(range.base));
      if (!base || (first && base->terms != first->terms)) return whole;
      if (!first) {
        first = base;
        low = base->constant;
        high = low + range.span;
      }
      low = std::min(low, base->constant);
      high = std::max(high, base->constant + range.span);
    }
    if (!first || high - low >= extent) return whole;
    first->constant = low;
    return {first->ToExpr(), high - low};
  }

  // Shifts a range inward where it may leave `most`. The part of the range within `most` stays
  // covered, and nested ranges stay nested.
  IndexRange Clamp(const Axis& axis, const IndexRange& range, const IndexRange& most) {
    if (range.span >= most.span) return most;
    const int64_t last = most.span - range.span;
    Expr offset = builder_.Simplified(range.base - most.base);
    const Range bounds = BoundsOf(offset, builder_.ranges());
    const bool inside = bounds.low >= 0 && bounds.high <= last;
    if (bounds.low < 0) offset = Binary(Op::kMax, offset, IndexConstant(0));
    if (bounds.high > last) offset = Binary(Op::kMin, offset, IndexConstant(last));
    const Expr base = inside ? range.base : most.base + offset;
    return {builder_.Named(axis.name + ".base", base, bindings_), range.span};
  }

  static constexpr int64_t kWhole = INT64_MAX / 8;

  ProgramBuilder& builder_;
  const Nest& nest_;
  const std::vector<bool>& live_;
  std::vector<Binding>& bindings_;
  bool for_block_ = false;  // the region is that of all threads together
};

}  // namespace

Region RequiredRegion(ProgramBuilder& builder, const Nest& nest, int producer,
                      const std::vector<bool>& live, std::vector<Binding>& bindings) {
  return RegionFinder(builder, nest, live, bindings).Find(producer);
}

}  // namespace schedulegym
