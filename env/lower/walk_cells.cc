// Where a reduction's cells live. The innermost spatial loops that are unrolled or vectors, of at
// most 4096 cells, form a tile in local memory (registers, as far as they suffice) that is opened
// at the outermost reduction loop inside of all other loops:
//   tile = neutral;  for the reduction: tile = tile + value;  cells = tile, or cells + tile
// The tile is stored plainly where all reduction loops around are at 0, and combined elsewhere.
// Cells get the neutral element before the outermost reduction loop where there is no tile, or
// where conditions may skip the first one.
#include "env/lower/walk.h"

#include <algorithm>

#include "env/lower/builder.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

// Whether the threads of a block share the reduction from this loop on.
bool SharesReduction(const Nest& nest, int position) {
  return position < nest.loop_count() && IsThreadLoop(nest.annotation[position]);
}

}  // namespace

// Cells get the neutral element before the outermost reduction loop, unless the first of their
// tiles is stored plainly: that needs every iteration of the loops around it to run, so no
// conditions.
StatementPtr Walker::BeginReduction(Job job, int position) {
  if (SharesReduction(job.nest, position) && job.partials.buffer < 0) {
    return ShareReduction(std::move(job), position);
  }
  job.initialized = true;
  const bool in_place = !job.partials.fills && AccumulatesInPlace(job.nest);
  job.tile.position = in_place ? std::nullopt : TilePosition(job.nest);
  // The tile must be inside of the loops of threads, which come first.
  if (job.tile.position && *job.tile.position < position) job.tile.position = position;
  if (position == job.nest.loop_count()) job.tile.position.reset();
  if (job.tile.position == position) return BeginTile(std::move(job), position);
  if (job.tile.position && job.nest.op().conditions.empty()) return Enter(std::move(job), position);
  Job initialize = job;
  initialize.mode = Mode::kInitialize;
  return Sequence({Enter(std::move(initialize), position), Enter(std::move(job), position)});
}

// On a GPU a local stage is in registers already. A tile would be a second copy, and the first step
// of the innermost loop would need a branch.
bool Walker::AccumulatesInPlace(const Nest& nest) const {
  const Buffer& buffer = builder_.program().buffers[builder_.residence(nest.id).buffer];
  return builder_.state().task().target.IsGpu() && buffer.scope == MemoryScope::kLocal;
}

std::optional<int> Walker::TilePosition(const Nest& nest) const {
  int position = 0;
  int64_t cells = 1;
  for (int i = nest.loop_count(); i-- > 0;) {
    if (nest.IsReduction(i)) continue;
    const int64_t extent = nest.extent[nest.LoopNode(i)];
    if (!IsUnrolledOrVector(nest.annotation[i]) && extent != 1) {
      position = i + 1;
      break;
    }
    // A tile that is larger than any register file stays in memory.
    constexpr int64_t kMostCells = 4096;
    const int64_t bound = extent >= 0 ? extent : nest.stage->nodes[nest.LoopNode(i)].extent;
    if (cells * bound > kMostCells) {
      position = i + 1;
      break;
    }
    cells *= bound;
  }
  while (position < nest.loop_count() && !nest.IsReduction(position)) ++position;
  if (position == nest.loop_count()) return std::nullopt;
  return position;
}

StatementPtr Walker::BeginTile(Job job, int position) {
  const Nest& nest = job.nest;
  Buffer buffer{nest.op().name + ".tile", nest.op().type, {}, {}, MemoryScope::kLocal};
  for (int i = position; i < nest.loop_count(); ++i) {
    if (nest.IsReduction(i)) continue;
    const int node = nest.LoopNode(i);
    buffer.shape.push_back(nest.extent[node] >= 0 ? nest.extent[node]
                                                  : nest.stage->nodes[node].extent);
  }
  buffer.strides.assign(buffer.shape.size(), 1);
  for (size_t i = buffer.shape.size(); i-- > 1;) {
    buffer.strides[i - 1] = buffer.strides[i] * buffer.shape[i];
  }
  job.tile.buffer = builder_.AddBuffer(std::move(buffer));
  Job begin = job;
  begin.mode = Mode::kInitializeTile;
  StatementPtr end = EndTile(job, position);
  const int tile = job.tile.buffer;
  StatementPtr body = Sequence(
      {Enter(std::move(begin), position), Enter(std::move(job), position), std::move(end)});
  if (!body) return nullptr;
  return MakeStatement(Allocate{tile, std::move(body)});
}

// Stores the tile if it holds the first partial result of its cells; otherwise combines it with
// them. The cells are read only here, so that the updates do not wait for them.
StatementPtr Walker::EndTile(const Job& job, int position) {
  Expr is_first = BoolConstant(true);
  for (int i = 0; i < position; ++i) {
    if (!job.nest.IsReduction(i) || IsThreadLoop(job.nest.annotation[i])) continue;
    const Expr& value = job.nest.value[job.nest.LoopNode(i)];
    is_first = Binary(Op::kAnd, is_first, Binary(Op::kEqual, value, IndexConstant(0)));
  }
  is_first = builder_.Simplified(is_first);
  const bool has_outer = std::any_of(
      job.nest.stage->loops.begin(), job.nest.stage->loops.begin() + position,
      [&](const StageLoop& loop) {
        return job.nest.stage->nodes[loop.node].reduction && !IsThreadLoop(loop.annotation);
      });
  Job store = job, combine = job;
  store.mode = Mode::kStoreTile;
  combine.mode = Mode::kCombineTile;
  if (has_outer && !job.nest.op().conditions.empty()) return Enter(std::move(combine), position);
  if (IsTrue(is_first)) return Enter(std::move(store), position);
  if (IsFalse(is_first)) return Enter(std::move(combine), position);
  StatementPtr then_body = Enter(std::move(store), position);
  return builder_.Count(
      MakeIf(is_first, std::move(then_body), Enter(std::move(combine), position)));
}

std::vector<Expr> Walker::TileIndices(const Job& job) const {
  std::vector<Expr> indices;
  for (int i = *job.tile.position; i < job.nest.loop_count(); ++i) {
    if (!job.nest.IsReduction(i)) indices.push_back(job.nest.value[job.nest.LoopNode(i)]);
  }
  return indices;
}

StatementPtr Walker::Leaf(const Job& job) {
  const Nest& nest = job.nest;
  const StageOp& op = nest.op();
  int memory = builder_.residence(nest.id).buffer;
  std::vector<Expr> offsets(nest.value.begin(), nest.value.begin() + op.spatial);
  std::vector<Expr> cell = builder_.LocateOffset(*nest.stage, std::move(offsets));
  if (job.partials.fills) {
    memory = job.partials.buffer;
    cell = PartialIndices(job);
  }
  std::vector<Expr> tile_cell = job.tile.buffer >= 0 ? TileIndices(job) : std::vector<Expr>();
  switch (job.mode) {
    case Mode::kInitialize:
      return builder_.Count(
          MakeStatement(Store{memory, std::move(cell), Identity(op.combiner, op.type)}));
    case Mode::kInitializeTile:
      return builder_.Count(MakeStatement(
          Store{job.tile.buffer, std::move(tile_cell), Identity(op.combiner, op.type)}));
    case Mode::kStoreTile:
      return builder_.Count(MakeStatement(
          Store{memory, std::move(cell), Read(op.type, job.tile.buffer, std::move(tile_cell))}));
    case Mode::kCombineTile: {
      Expr sum = Combine(op.combiner, Read(op.type, memory, cell),
                         Read(op.type, job.tile.buffer, std::move(tile_cell)));
      return builder_.Count(MakeStatement(Store{memory, std::move(cell), std::move(sum)}));
    }
    case Mode::kCombineThreads: {
      const bool in_tile = job.tile.buffer >= 0;
      if (in_tile) cell = std::move(tile_cell);
      const int sum = in_tile ? job.tile.buffer : memory;
      Expr value = Combine(op.combiner, Read(op.type, sum, cell),
                           Read(op.type, job.partials.buffer, PartialIndices(job)));
      return builder_.Count(MakeStatement(Store{sum, std::move(cell), std::move(value)}));
    }
    case Mode::kUpdate: break;
  }
  Expr value = OverAxes(nest, nest.body);
  bool has_select = false;
  Visit(value, [&](const ExprNode& node) { has_select = has_select || node.op == Op::kSelect; });
  if (has_select) value = builder_.Simplified(value);
  const int buffer = job.tile.buffer >= 0 ? job.tile.buffer : memory;
  if (job.tile.buffer >= 0) cell = std::move(tile_cell);
  if (op.is_reduction()) value = Combine(op.combiner, Read(op.type, buffer, cell), value);
  Expr condition = BoolConstant(true);
  for (const Expr& left : nest.conditions)
    condition = Binary(Op::kAnd, condition, OverAxes(nest, left));
  StatementPtr store =
      builder_.Count(MakeStatement(Store{buffer, std::move(cell), std::move(value)}));
  condition = builder_.Simplified(condition);
  if (IsTrue(condition)) return store;
  return MakeIf(condition, std::move(store), nullptr);
}

}  // namespace schedulegym
