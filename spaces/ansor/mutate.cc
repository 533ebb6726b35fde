// Ansor's mutations (Zheng et al., OSDI 2020, 5.1), with TVM's chances for CPUs: tile 0.90, unroll
// 0.04, location 0.05, parallel 0.01. A tile mutation moves a random divisor above one from one
// length of a random split to another, the outermost included; innermost lengths stay at most 64.
// On GPUs: tile 0.90, unroll 0.10; the split of an untiled stage by the threads of a block is one
// of the tiles, as TVM's is, but keeps to whole warps. The others draw a pragma's value, a
// ComputeAt's place, or the number of fused parallel loops anew. The changed trace is replayed,
// from the last rfactor on where that is enough; an illegal one is an error, not repaired. Cost:
// one replay of the trace.
#include "spaces/ansor/mutate.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "env/base/check.h"
#include "env/search/factorization.h"
#include "spaces/ansor/annotate.h"
#include "spaces/ansor/rewrite_weights.h"
#include "spaces/ansor/sketch_rule.h"
#include "spaces/ansor/stage_loops.h"
#include "spaces/bind_threads.h"

namespace schedulegym {
namespace {

constexpr double kUnrollChance = 0.04, kLocationChance = 0.05, kParallelChance = 0.01;
constexpr double kGpuUnrollChance = 0.10;

Error Nothing(const std::string& what) { return Illegal("nothing to mutate: no " + what); }

template <typename T>
const T& Pick(const std::vector<T>& choices, Rng& rng) {
  return choices[rng.Below(static_cast<int64_t>(choices.size()))];
}

// The trace without the steps that follow from the other steps.
Trace BareTrace(const ScheduleState& state) {
  return state.task().target.IsGpu() ? WithoutBindings(state) : WithoutRewrites(state);
}

template <typename Kind>
std::vector<int> StepsOf(const Trace& trace) {
  std::vector<int> steps;
  for (int i = 0; i < static_cast<int>(trace.size()); ++i) {
    if (std::holds_alternative<Kind>(trace[i])) steps.push_back(i);
  }
  return steps;
}

// Applies the steps of a trace from `begin` on to `state`.
Result<ScheduleState> Continue(ScheduleState state, const Trace& trace, int begin) {
  for (int i = begin; i < static_cast<int>(trace.size()); ++i) {
    Result<ScheduleState> next = Apply(std::move(state), trace[i]);
    if (!next) return next;
    state = *std::move(next);
  }
  return state;
}

// The state with the threads that each block of an untiled stage had, or is to have.
Result<ScheduleState> WithBlocks(Result<ScheduleState> state,
                                 const std::vector<RootBlocks>& blocks) {
  for (const RootBlocks& root : blocks) {
    if (!state) return state;
    if (root.threads == state->task().target.gpu.warp) continue;
    const Trace steps = InBlocks(*state, root.stage, root.threads);
    state = ApplyAll(*std::move(state), steps);
  }
  return state;
}

std::vector<RootBlocks> KeptBlocks(const ScheduleState& state) {
  return state.task().target.IsGpu() ? BlocksOf(state) : std::vector<RootBlocks>();
}

// Positions in BlocksOf of the blocks that may have another number of threads.
std::vector<size_t> OpenBlocks(const Target& target, const std::vector<RootBlocks>& blocks,
                               int64_t most_warps) {
  std::vector<size_t> open;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (BlockSizes(target, blocks[i].extent, most_warps).size() > 1) open.push_back(i);
  }
  return open;
}

// The states before the given steps of a trace, in order.
std::vector<ScheduleState> StatesBefore(const std::shared_ptr<const Task>& task, const Trace& trace,
                                        const std::vector<int>& steps) {
  std::vector<ScheduleState> states;
  ScheduleState now = ScheduleState::Initial(task);
  int at = 0;
  for (int step : steps) {
    for (; at < step; ++at) now = Apply(std::move(now), trace[at]).value();
    states.push_back(now);
  }
  return states;
}

// A split with the loop that it cuts.
struct KnownSplit {
  int step = 0;
  int64_t extent = 1;
};

// Whether the loop is longer than one, the parts are exact, and mutation could have made the
// innermost part.
bool MayMutate(const Split& split, int64_t extent) {
  const int64_t product =
      std::accumulate(split.lengths.begin(), split.lengths.end(), int64_t{1}, std::multiplies<>());
  const bool exact = split.inner_to_outer && extent % product == 0;
  return extent > 1 && exact && split.lengths.back() <= kMostInnermost;
}

// The stage whose tree of loops a step extends; nullopt for other steps.
std::optional<int> GrownStage(const Primitive& step) {
  if (const auto* split = std::get_if<Split>(&step)) return split->stage.id;
  if (const auto* split = std::get_if<FollowSplit>(&step)) return split->stage.id;
  if (const auto* split = std::get_if<FollowFusedSplit>(&step)) return split->stage.id;
  if (const auto* fuse = std::get_if<Fuse>(&step)) return fuse->stage.id;
  return std::nullopt;
}

// The splits of a trace. Only rfactor starts a new tree of loops. Later splits are in the trees of
// the final state, so they need no replay.
class SplitFinder {
 public:
  SplitFinder(const ScheduleState& state, const Trace& trace)
      : state_(state), trace_(trace), base_(ScheduleState::Initial(state.shared_task())) {
    const std::vector<int> rfactors = StepsOf<Rfactor>(trace);
    begin_ = rfactors.empty() ? 0 : rfactors.back() + 1;
    for (int i = 0; i < begin_; ++i) {
      if (const auto* split = std::get_if<Split>(&trace[i])) {
        const Stage& stage = base_.stage(split->stage.id);
        Add(*split, i, stage.nodes[stage.loops[split->loop].node].extent);
      }
      base_ = Apply(std::move(base_), trace[i]).value();
    }
    FindLater();
  }

  const std::vector<KnownSplit>& splits() const { return splits_; }

  // The state if the trace differs from a step on.
  Result<ScheduleState> Replayed(int step) const {
    if (step >= begin_) return Continue(base_, trace_, begin_);
    return Replay(state_.shared_task(), trace_);
  }

 private:
  void Add(const Split& split, int step, int64_t extent) {
    if (MayMutate(split, extent)) splits_.push_back({step, extent});
  }

  void FindLater() {
    std::vector<size_t> relations(state_.size());  // by stage, of the steps so far
    for (int id = 0; id < base_.size(); ++id) relations[id] = base_.stage(id).relations.size();
    for (int i = begin_; i < static_cast<int>(trace_.size()); ++i) {
      const std::optional<int> id = GrownStage(trace_[i]);
      if (!id) continue;
      const Stage& stage = state_.stage(*id);
      const Relation& relation = stage.relations.at(relations[*id]++);
      const auto* split = std::get_if<Split>(&trace_[i]);
      if (split) Add(*split, i, stage.nodes[std::get<SplitRelation>(relation).parent].extent);
    }
  }

  const ScheduleState& state_;
  const Trace& trace_;
  ScheduleState base_;  // the state after the last rfactor
  int begin_ = 0;       // position of that rfactor
  std::vector<KnownSplit> splits_;
};

// Moves a divisor above one from the first length that has one to the next, in the given order of
// lengths; false if none fits.
bool MoveFactor(const std::vector<size_t>& order, std::vector<int64_t>& lengths, Rng& rng) {
  for (size_t i = 0; i < order.size(); ++i) {
    int64_t& source = lengths[order[i]];
    const size_t to = order[(i + 1) % order.size()];
    std::vector<int64_t> factors = Divisors(source);
    factors.erase(factors.begin());
    if (to + 1 == lengths.size()) {
      std::erase_if(factors, [&](int64_t factor) { return factor * lengths[to] > kMostInnermost; });
    }
    if (factors.empty() || &source == &lengths[to]) continue;
    const int64_t factor = Pick(factors, rng);
    source /= factor;
    lengths[to] *= factor;
    return true;
  }
  return false;
}

std::vector<size_t> RandomOrder(size_t count, Rng& rng) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[rng.Below(static_cast<int64_t>(i))]);
  }
  return order;
}

// Fusions of the first loops of a stage that the next step makes parallel.
std::vector<int> ParallelFusions(const Trace& trace) {
  std::vector<int> steps;
  for (int i = 0; i + 1 < static_cast<int>(trace.size()); ++i) {
    const auto* fuse = std::get_if<Fuse>(&trace[i]);
    const auto* parallel = std::get_if<Parallel>(&trace[i + 1]);
    if (!fuse || !parallel || fuse->stage != parallel->stage) continue;
    if (fuse->loops.front() == 0 && parallel->loop == 0) steps.push_back(i);
  }
  return steps;
}

// Number of first loops that may become one: up to a reduction, an annotation, or, included, a loop
// at which a stage is computed.
int CountFusible(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  for (int i = 0; i < static_cast<int>(stage.loops.size()); ++i) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation != Annotation::kNone) return i;
    if (!AttachedAt(state, id, i).empty()) return i + 1;
  }
  return static_cast<int>(stage.loops.size());
}

// Shifts the loop positions in a later step of a stage whose number of first loops changed.
void ShiftLoops(Primitive& primitive, int stage, int by) {
  if (auto* fuse = std::get_if<Fuse>(&primitive)) {
    if (fuse->stage.id != stage) return;
    for (int& loop : fuse->loops) loop += by;
  } else if (auto* vectorize = std::get_if<Vectorize>(&primitive)) {
    if (vectorize->stage.id == stage) vectorize->loop += by;
  } else if (auto* unroll = std::get_if<Unroll>(&primitive)) {
    if (unroll->stage.id == stage) unroll->loop += by;
  }
}

// Draws whether a tile mutation changes threads of a block; each block is as likely as a split.
bool IsOfBlocks(const ScheduleState& state, int64_t most_warps, Rng& rng) {
  const size_t open = OpenBlocks(state.task().target, BlocksOf(state), most_warps).size();
  if (open == 0) return false;
  const size_t splits = StepsOf<Split>(BareTrace(state)).size();
  return rng.Below(static_cast<int64_t>(open + splits)) < static_cast<int64_t>(open);
}

bool MayMove(const SketchFacts& facts, const ScheduleState& state, int stage) {
  return HasLoops(state.stage(stage)) && !IsTiled(state.stage(stage)) &&
         !NeedsMultiLevelTiling(facts, state, stage);
}

}  // namespace

Result<ScheduleState> MutateTile(const ScheduleState& state, Rng& rng) {
  Trace trace = BareTrace(state);
  const SplitFinder finder(state, trace);
  if (finder.splits().empty()) return Nothing("split of more than one iteration");
  const KnownSplit& known = Pick(finder.splits(), rng);
  auto& split = std::get<Split>(trace[known.step]);
  std::vector<int64_t> lengths = split.lengths;
  const int64_t inner =
      std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>());
  lengths.insert(lengths.begin(), known.extent / inner);
  if (!MoveFactor(RandomOrder(lengths.size(), rng), lengths, rng)) {
    return Nothing("factor that may move");
  }
  split.lengths.assign(lengths.begin() + 1, lengths.end());
  return WithBlocks(finder.Replayed(known.step), KeptBlocks(state));
}

Result<ScheduleState> MutateUnroll(const ScheduleState& state, Rng& rng) {
  Trace trace = BareTrace(state);
  const std::vector<int> steps = StepsOf<Pragma>(trace);
  if (steps.empty()) return Nothing("pragma");
  const std::span<const int64_t> values = UnrollStepsOf(state.task().target);
  const auto count = static_cast<int64_t>(values.size());
  std::get<Pragma>(trace[Pick(steps, rng)]).value = values[rng.Below(count)];
  return WithBlocks(Replay(state.shared_task(), trace), KeptBlocks(state));
}

Result<ScheduleState> MutateBlocks(const ScheduleState& state, int64_t most_warps, Rng& rng) {
  const Target& target = state.task().target;
  std::vector<RootBlocks> blocks = KeptBlocks(state);
  const std::vector<size_t> open = OpenBlocks(target, blocks, most_warps);
  if (open.empty()) return Nothing("block of an untiled stage");
  RootBlocks& root = blocks[Pick(open, rng)];
  std::vector<int64_t> sizes = BlockSizes(target, root.extent, most_warps);
  std::erase(sizes, root.threads);
  root.threads = Pick(sizes, rng);
  return WithBlocks(Replay(state.shared_task(), BareTrace(state)), blocks);
}

Result<ScheduleState> MutateLocation(const SketchFacts& facts, const ScheduleState& state,
                                     Rng& rng) {
  Trace trace = BareTrace(state);
  const std::vector<int> moves = StepsOf<ComputeAt>(trace);
  const std::vector<ScheduleState> before = StatesBefore(state.shared_task(), trace, moves);
  std::vector<size_t> free;  // among the moves
  for (size_t i = 0; i < moves.size(); ++i) {
    const int stage = std::get<ComputeAt>(trace[moves[i]]).stage.id;
    if (MayMove(facts, before[i], stage)) free.push_back(i);
  }
  if (free.empty()) return Nothing("stage that may move");
  const size_t chosen = Pick(free, rng);
  auto& move = std::get<ComputeAt>(trace[moves[chosen]]);
  const std::vector<LoopPlace> places = PlacesFor(before[chosen], move.stage.id);
  if (places.empty()) return Nothing("place for a stage");
  const LoopPlace& place = Pick(places, rng);
  move.target = {place.target};
  move.loop = place.loop;
  return Continue(before[chosen], trace, moves[chosen]);
}

Result<ScheduleState> MutateParallel(const ScheduleState& state, Rng& rng) {
  Trace trace = BareTrace(state);
  const std::vector<int> steps = ParallelFusions(trace);
  if (steps.empty()) return Nothing("fusion of parallel loops");
  const int step = Pick(steps, rng);
  const auto fuse = std::get<Fuse>(trace[step]);
  const ScheduleState start = StatesBefore(state.shared_task(), trace, {step}).front();
  const int most = CountFusible(start, fuse.stage.id);
  if (most < 1) return Nothing("loop to fuse");
  const int count = 1 + static_cast<int>(rng.Below(most));
  const int before = static_cast<int>(fuse.loops.size());
  if (count == before) return Nothing("other number of loops");
  for (size_t i = step + 2; i < trace.size(); ++i) {
    ShiftLoops(trace[i], fuse.stage.id, before - count);
  }
  if (count == 1) {
    trace.erase(trace.begin() + step);
  } else {
    auto& loops = std::get<Fuse>(trace[step]).loops;
    loops.resize(count);
    std::iota(loops.begin(), loops.end(), 0);
  }
  return Continue(start, trace, step);
}

Result<ScheduleState> Mutate(const SketchFacts& facts, const ScheduleState& state, Rng& rng,
                             int64_t most_warps) {
  const double chance = rng.Uniform();
  if (facts.task.target.IsGpu()) {
    if (chance < kGpuUnrollChance) return MutateUnroll(state, rng);
    return IsOfBlocks(state, most_warps, rng) ? MutateBlocks(state, most_warps, rng)
                                              : MutateTile(state, rng);
  }
  if (chance < kUnrollChance) return MutateUnroll(state, rng);
  if (chance < kUnrollChance + kLocationChance) return MutateLocation(facts, state, rng);
  if (chance < kUnrollChance + kLocationChance + kParallelChance) {
    return MutateParallel(state, rng);
  }
  return MutateTile(state, rng);
}

}  // namespace schedulegym
