#include "env/lower/walk.h"

#include <algorithm>

#include "env/lower/partition.h"

namespace schedulegym {
namespace {

LoopKind KindOf(Annotation annotation) {
  switch (annotation) {
    case Annotation::kNone: return LoopKind::kSerial;
    case Annotation::kUnroll: return LoopKind::kUnrolled;
    case Annotation::kVectorize: return LoopKind::kVector;
    case Annotation::kParallel: return LoopKind::kParallel;
    case Annotation::kVthread: return LoopKind::kVthread;
    case Annotation::kBlockX: return LoopKind::kBlockX;
    case Annotation::kBlockY: return LoopKind::kBlockY;
    case Annotation::kBlockZ: return LoopKind::kBlockZ;
    case Annotation::kThreadX: return LoopKind::kThreadX;
    case Annotation::kThreadY: return LoopKind::kThreadY;
    case Annotation::kThreadZ: return LoopKind::kThreadZ;
  }
  return LoopKind::kSerial;
}

bool IsUnrolledOrVector(Annotation annotation) {
  return annotation == Annotation::kUnroll || annotation == Annotation::kVectorize;
}

// Only loops that one thread runs in order can be cut in two.
bool CanPeel(Annotation annotation) {
  return annotation == Annotation::kNone || IsUnrolledOrVector(annotation);
}

bool IsTrue(const Expr& condition) { return condition->op == Op::kInteger && condition->integer != 0; }
bool IsFalse(const Expr& condition) { return condition->op == Op::kInteger && condition->integer == 0; }

Expr Conjunction(const std::vector<Expr>& conditions) {
  Expr all = BoolConstant(true);
  for (const Expr& condition : conditions) all = Binary(Op::kAnd, all, condition);
  return all;
}

// The loop at this position is a vector whose lane is not known.
bool IsInVector(const Nest& nest, int position) {
  return nest.annotation[position] == Annotation::kVectorize &&
         !IsConstant(nest.value[nest.LoopNode(position)]);
}

// Null sides do nothing; null if both are.
StatementPtr MakeIf(Expr condition, StatementPtr then_body, StatementPtr else_body) {
  if (!then_body && !else_body) return nullptr;
  if (!then_body) {
    condition = Unary(Op::kNot, condition);
    std::swap(then_body, else_body);
  }
  return MakeStatement(If{std::move(condition), std::move(then_body), std::move(else_body)});
}

}  // namespace

Walker::Walker(ProgramBuilder& builder, const std::vector<bool>& live)
    : builder_(builder), live_(live), attached_(builder.state().size()) {
  for (int id : builder.state().order()) {
    const Stage& stage = builder.state().stage(id);
    if (live[id] && stage.location == Location::kAt) attached_[stage.target].push_back(id);
  }
}

StatementPtr Walker::LowerStage(int id, const Region& region) {
  const Stage& stage = builder_.state().stage(id);
  std::vector<int64_t> extents = region.extent;
  for (size_t i = stage.effective->spatial; i < stage.effective->axes.size(); ++i) {
    extents.push_back(stage.effective->axes[i].extent);
  }
  return Enter({MakeNest(id, stage, std::move(extents), region.base)}, 0);
}

StatementPtr Walker::Enter(Job job, int position) {
  if (builder_.too_large()) return nullptr;
  const Nest& nest = job.nest;
  if (position == nest.loop_count()) {
    return job.mode == Mode::kUpdate && nest.op().is_reduction() && !job.initialized
               ? BeginReduction(std::move(job), position)
               : Leaf(job);
  }
  if (!nest.IsReduction(position)) return EnterLoop(std::move(job), position);
  if (job.mode != Mode::kUpdate) return Enter(std::move(job), position + 1);
  if (!job.initialized) return BeginReduction(std::move(job), position);
  if (job.tile.buffer < 0 && TilePosition(nest) == position) {
    return BeginTile(std::move(job), position);
  }
  return EnterLoop(std::move(job), position);
}

// Cells get the neutral element before the outermost reduction loop, unless a tile does it.
StatementPtr Walker::BeginReduction(Job job, int position) {
  job.initialized = true;
  if (TilePosition(job.nest) == position) return BeginTile(std::move(job), position);
  Job initialize = job;
  initialize.mode = Mode::kInitialize;
  return Sequence({Enter(std::move(initialize), position), Enter(std::move(job), position)});
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
    // A tile that outgrows any register file is better left in memory.
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
  job.tile = {builder_.AddBuffer(std::move(buffer)), position};
  bool first = true;
  for (int i = 0; i < position; ++i) first = first && !nest.IsReduction(i);
  Job begin = job, end = job;
  begin.mode = first ? Mode::kInitializeTile : Mode::kLoadTile;
  end.mode = Mode::kStoreTile;
  const int tile = job.tile.buffer;
  StatementPtr body = Sequence({Enter(std::move(begin), position), Enter(std::move(job), position),
                                Enter(std::move(end), position)});
  if (!body) return nullptr;
  return MakeStatement(Allocate{tile, std::move(body)});
}

StatementPtr Walker::EnterLoop(Job job, int position) {
  Nest& nest = job.nest;
  const int node = nest.LoopNode(position);
  ForceExtent(nest, node);
  const int64_t extent = nest.extent[node];
  if (extent == 1) {
    nest.value[node] = IndexConstant(0);
    return Bound(std::move(job), position);
  }
  if (MustExpand(job, position)) {
    std::vector<StatementPtr> copies;
    for (int64_t i = 0; i < extent; ++i) {
      Job copy = job;
      copy.nest.value[node] = IndexConstant(i);
      copies.push_back(Bound(std::move(copy), position));
    }
    return Sequence(std::move(copies));
  }
  const auto main_count = OpenMainCount(nest, node);
  if (main_count && CanPeel(nest.annotation[position])) {
    Job tail = job;
    tail.nest.value[node] = IndexConstant(*main_count);
    StatementPtr main = MakeLoop(std::move(job), position, 0, *main_count);
    return Sequence({std::move(main), Bound(std::move(tail), position)});
  }
  return MakePartitionedLoop(std::move(job), position, extent);
}

// Cuts off the iterations at both ends in which some condition of the stage may fail, so that the
// rest runs without it.
StatementPtr Walker::MakePartitionedLoop(Job job, int position, int64_t extent) {
  const bool serial = job.nest.annotation[position] == Annotation::kNone;
  std::optional<Range> sure;
  if (serial && job.mode == Mode::kUpdate) {
    sure = SurelyTrueIterations(builder_, job.nest, position, extent);
  }
  if (!sure) return MakeLoop(std::move(job), position, 0, extent);
  std::vector<StatementPtr> parts;
  if (sure->low > 0) parts.push_back(MakeLoop(job, position, 0, sure->low));
  parts.push_back(MakeLoop(job, position, sure->low, sure->high + 1));
  if (sure->high + 1 < extent) parts.push_back(MakeLoop(std::move(job), position, sure->high + 1, extent));
  return Sequence(std::move(parts));
}

StatementPtr Walker::MakeLoop(Job job, int position, int64_t begin, int64_t end) {
  Nest& nest = job.nest;
  const int node = nest.LoopNode(position);
  if (end - begin == 1) {
    nest.value[node] = IndexConstant(begin);
    return Bound(std::move(job), position);
  }
  const std::string name = UniqueName(NameLoops(*nest.stage)[position]);
  const int variable = builder_.AddVariable(name, {begin, end - 1});
  nest.value[node] = Variable(variable);
  const LoopKind kind = KindOf(nest.annotation[position]);
  open_names_.push_back(name);
  StatementPtr body = Bound(std::move(job), position);
  open_names_.pop_back();
  if (!body) return nullptr;
  return builder_.Count(MakeStatement(For{variable, begin, end - begin, kind, std::move(body)}));
}

// Conditions and selects over an unrolled loop can only become constants copy by copy.
bool Walker::MustExpand(const Job& job, int position) const {
  const Nest& nest = job.nest;
  if (job.mode != Mode::kUpdate || nest.annotation[position] != Annotation::kUnroll) return false;
  return !nest.conditions.empty() || nest.body->op == Op::kSelect;
}

// Everything that follows from one more loop having a value.
StatementPtr Walker::Bound(Job job, int position) {
  Nest& nest = job.nest;
  std::vector<Binding> bindings;
  const bool in_vector = IsInVector(nest, position);
  ResolveValues(nest, [&](int node, Expr value) {
    // Within a vector loop there is no scalar that could be named.
    if (in_vector) return builder_.Simplified(value);
    const size_t axes = nest.op().axes.size();
    const std::string name = node < static_cast<int>(axes) ? nest.op().axes[node].name : "t";
    return builder_.Named(UniqueName(name), value, bindings);
  });
  if (const auto open = FindOpenPart(nest)) {
    return Wrap(bindings, BranchOnPart(std::move(job), position, *open));
  }
  return Wrap(bindings, CheckGuards(std::move(job), position));
}

StatementPtr Walker::BranchOnPart(Job job, int position, const OpenPart& open) {
  const Expr value = builder_.Simplified(job.nest.value[open.child]);
  const Range bounds = BoundsOf(value, builder_.ranges());
  Job tail = job;
  job.nest.part[open.child] = Part::kMain;
  PropagateExtents(job.nest);
  if (bounds.high < open.main_count) return Bound(std::move(job), position);
  tail.nest.part[open.child] = Part::kTail;
  tail.nest.value[open.child] = IndexConstant(open.main_count);
  PropagateExtents(tail.nest);
  if (bounds.low >= open.main_count) return Bound(std::move(tail), position);
  const Expr is_main = Binary(Op::kLess, value, IndexConstant(open.main_count));
  // In the main part the value is known to be less; a name of its own carries that.
  std::vector<Binding> bindings;
  if (open.main_count == 1) {
    job.nest.value[open.child] = IndexConstant(0);
  } else if (!IsInVector(job.nest, position)) {
    const int narrowed = builder_.AddVariable(UniqueName("main"), {0, open.main_count - 1});
    bindings.push_back({narrowed, value});
    job.nest.value[open.child] = Variable(narrowed);
  }
  StatementPtr then_body = Wrap(bindings, Bound(std::move(job), position));
  StatementPtr else_body = Bound(std::move(tail), position);
  return builder_.Count(MakeIf(is_main, std::move(then_body), std::move(else_body)));
}

StatementPtr Walker::CheckGuards(Job job, int position) {
  Nest& nest = job.nest;
  std::vector<Expr> conditions;
  std::erase_if(nest.guards, [&](const auto& guard) {
    if (!nest.value[guard.first]) return false;
    conditions.push_back(builder_.Simplified(
        Binary(Op::kLess, nest.value[guard.first], IndexConstant(guard.second))));
    return true;
  });
  const Expr condition = Conjunction(conditions);
  if (IsFalse(condition)) return nullptr;
  StatementPtr body = CheckConditions(std::move(job), position);
  if (IsTrue(condition)) return body;
  return builder_.Count(MakeIf(condition, std::move(body), nullptr));
}

StatementPtr Walker::CheckConditions(Job job, int position) {
  if (job.mode != Mode::kUpdate) return Enter(std::move(job), position + 1);
  Nest& nest = job.nest;
  std::vector<Expr> conditions;
  std::erase_if(nest.conditions, [&](const Expr& condition) {
    if (!IsDetermined(nest, condition)) return false;
    conditions.push_back(builder_.Simplified(OverAxes(nest, condition)));
    return true;
  });
  const Expr condition = Conjunction(conditions);
  if (IsTrue(condition)) return BranchOnSelect(std::move(job), position);
  // Where a sum has no terms, its cells still get the neutral element.
  StatementPtr empty;
  if (nest.op().is_reduction() && !job.initialized) {
    Job initialize = job;
    initialize.initialized = true;
    initialize.mode = Mode::kInitialize;
    empty = Enter(std::move(initialize), position + 1);
  }
  if (IsFalse(condition)) return empty;
  StatementPtr body = BranchOnSelect(std::move(job), position);
  return builder_.Count(MakeIf(condition, std::move(body), std::move(empty)));
}

// A select at the top of an elementwise body branches as far out as its condition is known.
StatementPtr Walker::BranchOnSelect(Job job, int position) {
  Nest& nest = job.nest;
  if (nest.op().is_reduction() || nest.body->op != Op::kSelect || IsInVector(nest, position)) {
    return ComputeAttached(std::move(job), position);
  }
  std::vector<Expr> conjuncts, known, rest;
  CollectConjuncts(nest.body->args[0], conjuncts);
  for (const Expr& conjunct : conjuncts) {
    (IsDetermined(nest, conjunct) ? known : rest).push_back(conjunct);
  }
  if (known.empty()) return ComputeAttached(std::move(job), position);
  const Expr condition = builder_.Simplified(OverAxes(nest, Conjunction(known)));
  Job otherwise = job;
  otherwise.nest.body = nest.body->args[2];
  nest.body = Select(Conjunction(rest), nest.body->args[1], nest.body->args[2]);
  if (IsTrue(condition)) return BranchOnSelect(std::move(job), position);
  if (IsFalse(condition)) return BranchOnSelect(std::move(otherwise), position);
  StatementPtr then_body = BranchOnSelect(std::move(job), position);
  StatementPtr else_body = BranchOnSelect(std::move(otherwise), position);
  return builder_.Count(MakeIf(condition, std::move(then_body), std::move(else_body)));
}

// Computes what hangs at this loop, producers first, then goes on inward.
StatementPtr Walker::ComputeAttached(Job job, int position) {
  const int node = job.nest.LoopNode(position);
  std::vector<int> here;
  for (int id : attached_[job.nest.id]) {
    if (builder_.state().stage(id).target_node == node) here.push_back(id);
  }
  if (here.empty()) return Enter(std::move(job), position + 1);
  std::vector<Binding> bindings;
  // Consumers first, since regions follow from them.
  for (size_t i = here.size(); i-- > 0;) {
    const Stage& stage = builder_.state().stage(here[i]);
    Region region = RequiredRegion(builder_, job.nest, here[i], live_, bindings);
    const int buffer = builder_.AddBuffer(stage, region.extent, ScopeOf(stage, region));
    builder_.residence(here[i]) = {buffer, std::move(region)};
  }
  std::vector<StatementPtr> statements;
  for (int id : here) statements.push_back(LowerStage(id, builder_.residence(id).region));
  statements.push_back(Enter(std::move(job), position + 1));
  StatementPtr body = Sequence(std::move(statements));
  for (size_t i = here.size(); i-- > 0;) {
    if (body) body = MakeStatement(Allocate{builder_.residence(here[i]).buffer, std::move(body)});
    builder_.residence(here[i]) = {};
  }
  return Wrap(bindings, std::move(body));
}

// Small regions of a CPU's single thread live in registers or on the stack; memory that a parallel
// loop within would share does not.
MemoryScope Walker::ScopeOf(const Stage& stage, const Region& region) const {
  const ScheduleState& state = builder_.state();
  if (state.task().target.backend == BackendKind::kCuda) return stage.op->scope;
  constexpr int64_t kMostBytes = 16 << 10;
  int64_t bytes = SizeInBytes(stage.op->type);
  for (int64_t extent : region.extent) bytes *= extent;
  if (bytes > kMostBytes || !stage.op->layout.empty()) return MemoryScope::kGlobal;
  for (const StagePtr& other : state.stages()) {
    for (const StageLoop& loop : other->loops) {
      if (loop.annotation != Annotation::kParallel) continue;
      // Outside of the attachment it does no harm, but telling is not worth the walk unless the
      // loop belongs to this stage, its consumer or something within.
      if (other.get() == &stage || other->location == Location::kAt) return MemoryScope::kGlobal;
      const Stage& target = *state.stages()[stage.target];
      if (other.get() != &target) continue;
      if (target.FindLoop(loop.node) > target.FindLoop(stage.target_node)) return MemoryScope::kGlobal;
    }
  }
  return MemoryScope::kLocal;
}

Expr Walker::OverAxes(const Nest& nest, const Expr& expr) const {
  return Transform(expr, [&](const Expr& leaf) -> Expr {
    if (leaf->op == Op::kVariable) return nest.AxisValue(leaf->id);
    const int buffer = builder_.residence(leaf->id).buffer;
    return Read(leaf->type, buffer, builder_.LocateElement(leaf->id, leaf->args));
  });
}

bool Walker::IsDetermined(const Nest& nest, const Expr& expr) const {
  bool determined = true;
  Visit(expr, [&](const ExprNode& node) {
    if (node.op == Op::kVariable && !nest.value[node.id]) determined = false;
    if (node.op == Op::kRead) determined = false;
  });
  return determined;
}

std::vector<Expr> Walker::TileIndices(const Job& job) const {
  std::vector<Expr> indices;
  for (int i = job.tile.position; i < job.nest.loop_count(); ++i) {
    if (!job.nest.IsReduction(i)) indices.push_back(job.nest.value[job.nest.LoopNode(i)]);
  }
  return indices;
}

StatementPtr Walker::Leaf(const Job& job) {
  const Nest& nest = job.nest;
  const StageOp& op = nest.op();
  const int memory = builder_.residence(nest.id).buffer;
  std::vector<Expr> offsets(nest.value.begin(), nest.value.begin() + op.spatial);
  std::vector<Expr> cell = builder_.LocateOffset(*nest.stage, std::move(offsets));
  std::vector<Expr> tile_cell = job.tile.buffer >= 0 ? TileIndices(job) : std::vector<Expr>();
  switch (job.mode) {
    case Mode::kInitialize:
      return builder_.Count(
          MakeStatement(Store{memory, std::move(cell), Identity(op.combiner, op.type)}));
    case Mode::kInitializeTile:
      return builder_.Count(MakeStatement(
          Store{job.tile.buffer, std::move(tile_cell), Identity(op.combiner, op.type)}));
    case Mode::kLoadTile:
      return builder_.Count(MakeStatement(
          Store{job.tile.buffer, std::move(tile_cell), Read(op.type, memory, std::move(cell))}));
    case Mode::kStoreTile:
      return builder_.Count(MakeStatement(Store{
          memory, std::move(cell), Read(op.type, job.tile.buffer, std::move(tile_cell))}));
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
  for (const Expr& left : nest.conditions) condition = Binary(Op::kAnd, condition, OverAxes(nest, left));
  StatementPtr store = builder_.Count(MakeStatement(Store{buffer, std::move(cell), std::move(value)}));
  condition = builder_.Simplified(condition);
  if (IsTrue(condition)) return store;
  return MakeIf(condition, std::move(store), nullptr);
}

std::string Walker::UniqueName(const std::string& name) const {
  std::string unique = name;
  for (int number = 1; std::find(open_names_.begin(), open_names_.end(), unique) != open_names_.end();
       ++number) {
    unique = name + "_" + std::to_string(number);
  }
  return unique;
}

}  // namespace schedulegym
