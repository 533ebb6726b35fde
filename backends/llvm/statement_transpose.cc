// Copies that transpose, to[.., i, .., j] = from[.., j, .., i], in square tiles of e x e elements,
// where e is the largest power of two, up to the lanes and at least 4, that divides both extents: e
// loads, log2(e) steps of e shuffles that exchange blocks (Eklundh, A Fast Computer Method for
// Matrix Transposing, IEEE Transactions on Computers C-21(7), 1972), e stores. Only plain copies of
// at least 4 bytes between two buffers with linear indices, whose store does not meet itself.
// Cost: 2 + log2(e) instructions for e elements, instead of 2 e.
#include <algorithm>
#include <cstdlib>

#include "backends/llvm/statement_emitter_internal.h"

namespace schedulegym {
namespace {

// The narrowest vectors hold four floats. Of smaller elements nothing was measured.
constexpr int kLeastEdge = 4;
constexpr int64_t kLeastBytes = 4;

// Whether the index is a sum of variables, each times a constant.
bool IsLinear(const Expr& index) {
  if (IsConstant(index) || index->op == Op::kVariable) return true;
  if (index->op == Op::kMultiply && !IsConstant(index->args[0]) && !IsConstant(index->args[1])) {
    return false;
  }
  const bool sums =
      index->op == Op::kAdd || index->op == Op::kSubtract || index->op == Op::kMultiply;
  return sums && std::all_of(index->args.begin(), index->args.end(), IsLinear);
}

// The store of a loop that does nothing but copy from one buffer to another; null for others.
const Store* FindCopy(const For& loop) {
  const auto* store = std::get_if<Store>(&loop.body->node);
  if (store == nullptr || store->value->op != Op::kRead || store->value->id == store->buffer) {
    return nullptr;
  }
  const auto linear = [](const std::vector<Expr>& indices) {
    return std::all_of(indices.begin(), indices.end(), IsLinear);
  };
  return linear(store->indices) && linear(store->value->args) ? store : nullptr;
}

// The largest power of two up to `most` that divides both.
int EdgeOf(int64_t a, int64_t b, int64_t most) {
  int64_t edge = most;
  while (a % edge != 0 || b % edge != 0) edge /= 2;
  return static_cast<int>(edge);
}

Affine Moved(Affine form, int64_t by) {
  form.constant += by;
  return form;
}

}  // namespace

StatementEmitter::CopyStrides StatementEmitter::StridesAlong(const Store& store, const For& loop,
                                                             const For& other) {
  forms().Bind(loop.variable, Affine{{{kLane, 1}}, loop.begin});
  forms().Bind(other.variable, Affine{{}, other.begin});
  forms().SetWidth(static_cast<int>(loop.extent));
  const auto read = values_.ElementForm(store.value->id, store.value->args);
  const auto stored = values_.ElementForm(store.buffer, store.indices);
  forms().Unbind(loop.variable);
  forms().Unbind(other.variable);
  SG_CHECK(read && stored, "a sum of variables is linear in each");
  return {read->Coefficient(kLane), stored->Coefficient(kLane)};
}

// for i (elements read lie side by side)             for i.0, j.0, in tiles of registers:
//   for j (elements stored lie side by side)   ->      load a vector for each j
//     to[.., i, .., j] = from[.., j, .., i]            exchange
//                                                      store a vector for each i
//
// Scalars would touch a line for each element, vectors gather. Returns whether the loop was one.
bool StatementEmitter::EmitTransposed(const For& loop) {
  const auto* inner = std::get_if<For>(&loop.body->node);
  if (inner == nullptr || inner->kind == LoopKind::kParallel) return false;
  const Store* store = FindCopy(*inner);
  if (store == nullptr) return false;
  const int64_t bytes = SizeInBytes(store->value->type);
  if (bytes < kLeastBytes || store->value->type != program_.buffers[store->buffer].type) {
    return false;
  }
  const int64_t lanes = std::max<int64_t>(1, cpu_.vector_bytes / bytes);
  const int edge = EdgeOf(loop.extent, inner->extent, lanes);
  if (edge < kLeastEdge) return false;
  const CopyStrides outward = StridesAlong(*store, loop, *inner);
  const CopyStrides inward = StridesAlong(*store, *inner, loop);
  Transposition copy{store, &loop, inner, edge};
  const bool outer_reads = outward.read == 1 && inward.store == 1;
  if (!outer_reads) std::swap(copy.reads, copy.stores);
  const CopyStrides& reads = outer_reads ? outward : inward;
  const CopyStrides& stores = outer_reads ? inward : outward;
  // No cell is stored twice.
  const bool distinct = std::abs(reads.store) >= copy.stores->extent;
  if (reads.read != 1 || stores.store != 1 || stores.read == 1 || !distinct) return false;
  EmitTiles(loop, edge, [&](const Affine& outer_first) {
    EmitTiles(*inner, edge, [&](const Affine& inner_first) {
      EmitTile(copy, outer_reads ? outer_first : inner_first,
               outer_reads ? inner_first : outer_first);
    });
  });
  forms().Unbind(inner->variable);
  return true;
}

void StatementEmitter::EmitTiles(const For& loop, int edge,
                                 const std::function<void(const Affine&)>& emit) {
  const int64_t tiles = loop.extent / edge;
  if (tiles == 1) return emit(Affine{{}, loop.begin});
  EmitLoop(builder().getInt64(0), builder().getInt64(tiles), {0, tiles - 1}, *loop.body,
           [&](int symbol) {
             emit(Affine{{{symbol, edge}}, loop.begin});
           });
}

void StatementEmitter::EmitTile(const Transposition& copy, const Affine& first_read,
                                const Affine& first_stored) {
  const Store& store = *copy.store;
  LaneSet lanes;
  lanes.width = lanes.active = copy.edge;
  forms().SetWidth(copy.edge);
  const Affine lane{{{kLane, 1}}, 0};
  std::vector<llvm::Value*> rows;
  forms().Bind(copy.reads->variable, first_read.Plus(lane, 1));
  for (int row = 0; row < copy.edge; ++row) {
    forms().Bind(copy.stores->variable, Moved(first_stored, row));
    rows.push_back(values_.Emit(store.value, lanes));
  }
  for (int step = 1; step < copy.edge; step *= 2) ExchangeBlocks(rows, step);
  forms().Bind(copy.stores->variable, first_stored.Plus(lane, 1));
  for (int row = 0; row < copy.edge; ++row) {
    forms().Bind(copy.reads->variable, Moved(first_read, row));
    const auto form = values_.ElementForm(store.buffer, store.indices);
    NoteStore(store, *form);
    values_.memory().Store(store.buffer, *form, rows[row], lanes);
  }
}

// Swaps, in each square of 2 * step rows and lanes, the block above the diagonal with the one
// below.
void StatementEmitter::ExchangeBlocks(std::vector<llvm::Value*>& rows, int step) {
  const int edge = static_cast<int>(rows.size());
  llvm::SmallVector<int, 16> upper, lower;
  for (int lane = 0; lane < edge; ++lane) {
    const bool is_right = (lane & step) != 0;
    upper.push_back(is_right ? edge + lane - step : lane);
    lower.push_back(is_right ? edge + lane : lane + step);
  }
  for (int row = 0; row < edge; ++row) {
    if ((row & step) != 0) continue;
    llvm::Value* above = rows[row];
    llvm::Value* below = rows[row + step];
    rows[row] = builder().CreateShuffleVector(above, below, upper);
    rows[row + step] = builder().CreateShuffleVector(above, below, lower);
  }
}

}  // namespace schedulegym
