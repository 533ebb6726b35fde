#include "spaces/sketches/mutate.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/search/factorization.h"
#include "spaces/sketches/annotate.h"
#include "spaces/sketches/loop_place.h"
#include "spaces/sketches/stage_facts.h"
#include "spaces/sketches/stage_loops.h"

namespace schedulegym {
namespace {

constexpr double kUnrollChance = 0.04, kLocationChance = 0.05, kParallelChance = 0.01;

Error Nothing(const std::string& what) { return Illegal("nothing to mutate: no " + what); }

template <typename T>
const T& Pick(const std::vector<T>& choices, Rng& rng) {
  return choices[rng.Below(static_cast<int64_t>(choices.size()))];
}

template <typename Kind>
std::vector<int> StepsOf(const Trace& trace) {
  std::vector<int> steps;
  for (int i = 0; i < static_cast<int>(trace.size()); ++i) {
    if (std::holds_alternative<Kind>(trace[i])) steps.push_back(i);
  }
  return steps;
}

// The state before a step of a trace.
ScheduleState Before(const std::shared_ptr<const Task>& task, const Trace& trace, int step) {
  return Replay(task, Trace(trace.begin(), trace.begin() + step)).value();
}

// A split with the loop that it cuts.
struct KnownSplit {
  int step = 0;
  int64_t extent = 1;
};

// Those of loops that are longer than one, in exact parts and with an innermost part that mutation
// could have made.
std::vector<KnownSplit> SplitsOf(const ScheduleState& state, const Trace& trace) {
  std::vector<KnownSplit> splits;
  ScheduleState now = ScheduleState::Initial(state.shared_task());
  for (int i = 0; i < static_cast<int>(trace.size()); ++i) {
    if (const auto* split = std::get_if<Split>(&trace[i])) {
      const Stage& stage = now.stage(split->stage.id);
      const int64_t extent = stage.nodes[stage.loops[split->loop].node].extent;
      const int64_t product = std::accumulate(split->lengths.begin(), split->lengths.end(),
                                              int64_t{1}, std::multiplies<>());
      const bool exact = split->inner_to_outer && extent % product == 0;
      if (extent > 1 && exact && split->lengths.back() <= kMostInnermost) {
        splits.push_back({i, extent});
      }
    }
    now = Apply(now, trace[i]).value();
  }
  return splits;
}

// Moves a divisor above one from the first length that has one to the next, in the given order of
// lengths; false where none fits.
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

// A fusion of the first loops of a stage that is made parallel at once.
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

// How many of the first loops may become one: up to a reduction, an annotation, or, included, a
// loop at which a stage stands.
int CountFusible(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  for (int i = 0; i < static_cast<int>(stage.loops.size()); ++i) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation != Annotation::kNone) return i;
    if (!AttachedAt(state, id, i).empty()) return i + 1;
  }
  return static_cast<int>(stage.loops.size());
}

// Later steps of a stage whose first loops became more or fewer.
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

bool MayMove(const SketchFacts& facts, const ScheduleState& state, int stage) {
  return HasLoops(state.stage(stage)) && !IsTiled(state.stage(stage)) &&
         !NeedsMultiLevelTiling(facts, state, stage);
}

}  // namespace

Result<ScheduleState> MutateTile(const ScheduleState& state, Rng& rng) {
  Trace trace = state.trace();
  const std::vector<KnownSplit> splits = SplitsOf(state, trace);
  if (splits.empty()) return Nothing("split of more than one iteration");
  const KnownSplit& known = Pick(splits, rng);
  auto& split = std::get<Split>(trace[known.step]);
  std::vector<int64_t> lengths = split.lengths;
  const int64_t inner =
      std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>());
  lengths.insert(lengths.begin(), known.extent / inner);
  if (!MoveFactor(RandomOrder(lengths.size(), rng), lengths, rng)) {
    return Nothing("factor that may move");
  }
  split.lengths.assign(lengths.begin() + 1, lengths.end());
  return Replay(state.shared_task(), trace);
}

Result<ScheduleState> MutateUnroll(const ScheduleState& state, Rng& rng) {
  Trace trace = state.trace();
  const std::vector<int> steps = StepsOf<Pragma>(trace);
  if (steps.empty()) return Nothing("pragma");
  const auto count = static_cast<int64_t>(std::size(kUnrollSteps));
  std::get<Pragma>(trace[Pick(steps, rng)]).value = kUnrollSteps[rng.Below(count)];
  return Replay(state.shared_task(), trace);
}

Result<ScheduleState> MutateLocation(const SketchFacts& facts, const ScheduleState& state,
                                     Rng& rng) {
  Trace trace = state.trace();
  std::vector<int> steps = StepsOf<ComputeAt>(trace);
  std::erase_if(steps, [&](int step) {
    return !MayMove(facts, Before(state.shared_task(), trace, step),
                    std::get<ComputeAt>(trace[step]).stage.id);
  });
  if (steps.empty()) return Nothing("stage that may move");
  const int step = Pick(steps, rng);
  auto& move = std::get<ComputeAt>(trace[step]);
  const std::vector<LoopPlace> places =
      PlacesFor(Before(state.shared_task(), trace, step), move.stage.id);
  if (places.empty()) return Nothing("place for a stage");
  const LoopPlace& place = Pick(places, rng);
  move.target = {place.target};
  move.loop = place.loop;
  return Replay(state.shared_task(), trace);
}

Result<ScheduleState> MutateParallel(const ScheduleState& state, Rng& rng) {
  Trace trace = state.trace();
  const std::vector<int> steps = ParallelFusions(trace);
  if (steps.empty()) return Nothing("fusion of parallel loops");
  const int step = Pick(steps, rng);
  const auto fuse = std::get<Fuse>(trace[step]);
  const int most = CountFusible(Before(state.shared_task(), trace, step), fuse.stage.id);
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
  return Replay(state.shared_task(), trace);
}

Result<ScheduleState> Mutate(const SketchFacts& facts, const ScheduleState& state, Rng& rng) {
  const double chance = rng.Uniform();
  if (chance < kUnrollChance) return MutateUnroll(state, rng);
  if (chance < kUnrollChance + kLocationChance) return MutateLocation(facts, state, rng);
  if (chance < kUnrollChance + kLocationChance + kParallelChance) {
    return MutateParallel(state, rng);
  }
  return MutateTile(state, rng);
}

}  // namespace schedulegym
