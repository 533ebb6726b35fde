// Lowers one stage: enters its loops from the outermost on, each of them with a copy of the nest.
// - a loop of one iteration is its value; an unrolled loop over a condition becomes its copies;
// - a split that does not divide is peeled: a main loop, then the last iteration with what is left;
// - a serial loop is cut where conditions may fail at its ends, so that its middle has none of them
//   (slope * i + least >= 0 with slope > 0 holds from i = -floor(least / slope) on);
// - after each loop, stages computed there are lowered into the region that they need (region.h).
// Reductions are initialized before their first loop, or go through a local tile (walk_cells.cc);
// those whose loops are bound to threads go through shared memory (walk_threads.cc).
// Cost: the program made; peels and copies multiply, so the builder limits it.
#include "env/lower/walk.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"
#include "env/schedule/thread_scope.h"

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

// Only loops that one thread runs in order can be cut in two.
bool CanPeel(Annotation annotation) {
  return annotation == Annotation::kNone || IsUnrolledOrVector(annotation);
}

bool HasGpuLoop(const Nest& nest) {
  return std::ranges::any_of(nest.annotation,
                             [](Annotation annotation) { return IsGpuLoop(KindOf(annotation)); });
}

// A comparison such as a < b as form >= 0; nullopt for other conditions.
std::optional<Expr> AsNonNegative(const Expr& condition) {
  if (!IsComparison(condition->op) || condition->args[0]->type != DType::kIndex)
    return std::nullopt;
  const Expr& a = condition->args[0];
  const Expr& b = condition->args[1];
  switch (condition->op) {
    case Op::kLess: return b - a - IndexConstant(1);
    case Op::kLessEqual: return b - a;
    case Op::kGreater: return a - b - IndexConstant(1);
    case Op::kGreaterEqual: return a - b;
    default: return std::nullopt;
  }
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
  const Stage& scheduled = builder_.state().stage(id);
  const Stage& stage = WithThreadsOutside(scheduled);
  std::vector<int64_t> extents = region.extent;
  for (size_t i = stage.effective->spatial; i < stage.effective->axes.size(); ++i) {
    extents.push_back(stage.effective->axes[i].extent);
  }
  Nest nest = MakeNest(id, stage, std::move(extents), region.base);
  if (&stage != &scheduled) nest.names = NamesAsScheduled(scheduled, stage);
  if (HasGpuLoop(nest)) {
    // A launch has one grid: threads beyond the last part do nothing, rather than others.
    for (int i = 0; i < nest.loop_count(); ++i) ForceExtent(nest, nest.LoopNode(i));
  }
  ++depth_;
  StatementPtr body = Enter({std::move(nest)}, 0);
  if (--depth_ > 0) return body;
  // Partial sums belong to the whole kernel: enclosing threads index them.
  for (const int buffer : partials_) {
    if (body) body = MakeStatement(Allocate{buffer, std::move(body)});
  }
  partials_.clear();
  return body;
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
  const bool is_begun = std::ranges::count(job.partials.loops, position) > 0;
  // If a condition on one of the threads' loops fails, the other loops begin within.
  const bool begins_within = job.partials.fills && job.mode == Mode::kInitialize;
  const bool is_walked =
      job.mode == Mode::kUpdate || job.mode == Mode::kCombineThreads || begins_within;
  if (is_begun && is_walked) return EnterLoop(std::move(job), position);
  if (job.mode != Mode::kUpdate) return Enter(std::move(job), position + 1);
  if (!job.initialized) return BeginReduction(std::move(job), position);
  if (job.tile.buffer < 0 && job.tile.position == position) {
    return BeginTile(std::move(job), position);
  }
  return EnterLoop(std::move(job), position);
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
  if (sure->high + 1 < extent)
    parts.push_back(MakeLoop(std::move(job), position, sure->high + 1, extent));
  return Sequence(std::move(parts));
}

StatementPtr Walker::MakeLoop(Job job, int position, int64_t begin, int64_t end) {
  Nest& nest = job.nest;
  const int node = nest.LoopNode(position);
  if (end - begin == 1) {
    nest.value[node] = IndexConstant(begin);
    return Bound(std::move(job), position);
  }
  const std::string name = UniqueName((*nest.names)[position]);
  const int variable = builder_.AddVariable(name, {begin, end - 1});
  nest.value[node] = Variable(variable);
  const LoopKind kind = KindOf(nest.annotation[position]);
  const bool is_thread = IsThreadLoop(nest.annotation[position]);
  if (is_thread) {
    builder_.MarkThreads(variable);
    open_threads_.push_back(variable);
  }
  open_names_.push_back(name);
  StatementPtr body;
  {
    const ProgramBuilder::CodeScope scope(builder_, kind, end - begin);
    body = Bound(std::move(job), position);
  }
  open_names_.pop_back();
  if (is_thread) open_threads_.pop_back();
  if (!body) return nullptr;
  return builder_.Count(MakeStatement(For{variable, begin, end - begin, kind, std::move(body)}));
}

// A condition or select over an unrolled loop becomes constant only in each copy.
bool Walker::MustExpand(const Job& job, int position) const {
  const Nest& nest = job.nest;
  if (job.mode != Mode::kUpdate || nest.annotation[position] != Annotation::kUnroll) return false;
  return !nest.conditions.empty() || nest.body->op == Op::kSelect;
}

// Continues after one more loop has a value.
StatementPtr Walker::Bound(Job job, int position) {
  Nest& nest = job.nest;
  std::vector<Binding> bindings;
  const bool in_vector = nest.IsInVector(position);
  ResolveValues(nest, [&](int node, const Expr& value) {
    // A vector loop has no scalar variables, so the value is not named.
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

std::string Walker::UniqueName(const std::string& name) const {
  std::string unique = name;
  for (int number = 1;
       std::find(open_names_.begin(), open_names_.end(), unique) != open_names_.end(); ++number) {
    unique = name + "_" + std::to_string(number);
  }
  return unique;
}

std::optional<Range> SurelyTrueIterations(ProgramBuilder& builder, const Nest& nest, int position,
                                          int64_t extent) {
  std::vector<Expr> conditions = nest.conditions;
  if (!nest.op().is_reduction() && nest.body->op == Op::kSelect) {
    CollectConjuncts(nest.body->args[0], conditions);
  }
  if (conditions.empty()) return std::nullopt;
  Nest probe = nest;
  constexpr int kLoop = INT32_MAX;  // a variable that no program has
  probe.value[nest.LoopNode(position)] = Variable(kLoop);
  const std::vector<NodeRange> nodes = NodeRanges(probe);
  const RangeOf outer = builder.ranges();
  Range sure{0, extent - 1};
  bool depends = false;
  for (const Expr& condition : conditions) {
    const auto form = AsNonNegative(condition);
    const auto affine = form ? ToAffine(*form) : std::nullopt;
    if (!affine) continue;
    int64_t slope = 0;
    int64_t least = affine->constant;  // of the form without the loop's own share
    bool linear = true;
    for (const auto& [axis, coefficient] : affine->terms) {
      Expr base = nodes[axis].base;
      if (axis < nest.op().spatial) base = nest.base[axis] + base;
      auto value = ToAffine(base);
      if (!value) {
        linear = false;
        break;
      }
      slope += coefficient * value->Coefficient(kLoop);
      value->Add(kLoop, -value->Coefficient(kLoop));
      const Range bounds = value->Bounds(outer);
      const int64_t low = bounds.low, high = bounds.high + nodes[axis].span - 1;
      least += coefficient * (coefficient > 0 ? low : high);
    }
    if (!linear || slope == 0) continue;
    depends = true;
    if (slope > 0) sure.low = std::max(sure.low, -FloorDivide(least, slope));
    if (slope < 0) sure.high = std::min(sure.high, FloorDivide(least, -slope));
  }
  if (!depends || sure.low > sure.high) return std::nullopt;
  return sure;
}

}  // namespace schedulegym
