#include "tests/fuzz/computations/random_schedule.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>

#include "env/schedule/loop_structure.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

template <typename T>
struct Kind {};

// Draws one primitive of each kind on one state.
class Proposer {
 public:
  Proposer(const ScheduleState& state, Rng& rng) : state_(state), rng_(rng) {
    for (int id = 0; id < state.size(); ++id) {
      const Stage& stage = state.stage(id);
      if (stage.location != Location::kInlined && !stage.loops.empty()) with_loops_.push_back(id);
    }
  }

  using Answer = std::optional<Primitive>;

  Answer operator()(Kind<Split>) {
    const auto place = AnyLoop(3);
    if (!place) return {};
    return Split{place->stage, place->loop, Lengths(place->extent, 1 + rng_.Below(3)),
                 rng_.Chance(0.75)};
  }

  Answer operator()(Kind<Fuse>) {
    const auto place = AnyLoop(0);
    if (!place) return {};
    Fuse fuse{place->stage, {place->loop, place->loop + 1}};
    if (rng_.Chance(0.3)) fuse.loops.push_back(place->loop + 2);
    return fuse;
  }

  Answer operator()(Kind<Reorder>) {
    const auto place = AnyLoop(0);
    if (!place) return {};
    const int count = LoopCount(place->stage);
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    const bool whole = rng_.Chance(0.5);
    for (int i = count; i-- > 1;) {
      if (whole || rng_.Chance(0.3)) std::swap(order[i], order[rng_.Below(i + 1)]);
    }
    return Reorder{place->stage, order};
  }

  Answer operator()(Kind<FollowSplit>) {
    const std::vector<int> sources = Splits();
    const auto place = AnyLoop(3);
    if (sources.empty() || !place) return {};
    return FollowSplit{place->stage, place->loop, Any(sources), 1 + Small(2)};
  }

  Answer operator()(Kind<FollowFusedSplit>) {
    const std::vector<int> sources = Splits();
    const auto place = AnyLoop(3);
    if (sources.empty() || !place) return {};
    FollowFusedSplit follow{place->stage, place->loop, {Any(sources)}, Small(2), rng_.Chance(0.7)};
    if (rng_.Chance(0.5)) follow.sources.push_back(Any(sources));
    return follow;
  }

  Answer operator()(Kind<Parallel>) {
    const auto place = AnyLoop(0);
    if (!place) return {};
    return Parallel{place->stage, rng_.Chance(0.7) ? 0 : place->loop};
  }

  Answer operator()(Kind<Vectorize>) {
    const auto place = AnyLoop(0);
    if (!place) return {};
    return Vectorize{place->stage, LoopCount(place->stage) - 1};
  }

  Answer operator()(Kind<Unroll>) {
    const auto place = AnyLoop(0);
    if (!place || place->extent > 24) return {};
    return Unroll{place->stage, place->loop};
  }

  Answer operator()(Kind<Bind>) {
    const auto place = AnyLoop(0);
    if (!place) return {};
    const auto thread = static_cast<int>(Annotation::kVthread) + rng_.Below(7);
    return Bind{place->stage, place->loop, static_cast<Annotation>(thread)};
  }

  Answer operator()(Kind<Pragma>) {
    if (with_loops_.empty()) return {};
    constexpr int64_t kValues[] = {0, 4, 16, 64};
    return Pragma{{Any(with_loops_)}, "auto_unroll_max_step", kValues[rng_.Below(4)]};
  }

  Answer operator()(Kind<StorageAlign>) {
    if (with_loops_.empty()) return {};
    const int id = Any(with_loops_);
    const int64_t factor = rng_.Chance(0.5) ? 16 : 1 + rng_.Below(9);
    return StorageAlign{{id}, Small(state_.stage(id).op->spatial), factor, rng_.Below(factor)};
  }

  Answer operator()(Kind<ComputeAt>) {
    if (with_loops_.empty()) return {};
    const int id = Any(with_loops_);
    std::vector<int> around = state_.Consumers(id);
    for (int consumer : std::vector<int>(around)) {
      if (state_.stage(consumer).location != Location::kAt) continue;
      around.push_back(state_.stage(consumer).target);
    }
    if (around.empty()) return {};
    const StageRef target{Any(around)};
    if (LoopCount(target) == 0) return {};
    return ComputeAt{{id}, target, Small(LoopCount(target) - 1)};
  }

  Answer operator()(Kind<ComputeInline>) {
    if (with_loops_.empty()) return {};
    return ComputeInline{{Any(with_loops_)}};
  }

  Answer operator()(Kind<ComputeRoot>) {
    std::vector<int> placed;
    for (int id = 0; id < state_.size(); ++id) {
      if (state_.stage(id).location != Location::kRoot) placed.push_back(id);
    }
    if (placed.empty()) return {};
    return ComputeRoot{{Any(placed)}};
  }

  Answer operator()(Kind<CacheRead>) {
    const int id = AnyStage();
    const std::vector<StageRef> readers = SomeReaders(id);
    if (readers.empty()) return {};
    return CacheRead{{id}, AnyScope(), readers};
  }

  Answer operator()(Kind<CacheWrite>) {
    if (with_loops_.empty()) return {};
    return CacheWrite{{Any(with_loops_)}, AnyScope()};
  }

  Answer operator()(Kind<Rfactor>) {
    std::vector<int> reductions;
    for (int id : with_loops_) {
      if (state_.stage(id).op->is_reduction()) reductions.push_back(id);
    }
    if (reductions.empty()) return {};
    const int id = Any(reductions);
    return Rfactor{{id}, Small(LoopCount({id}) - 1), Small(state_.stage(id).op->spatial)};
  }

  Answer operator()(Kind<Pack>) {
    const int id = AnyStage();
    const StageOp& op = *state_.stage(id).op;
    Pack pack{{id}, SomeReaders(id), {}, {}};
    if (pack.readers.empty()) return {};
    for (int d = 0; d < op.spatial; ++d) {
      const int64_t extent = op.axes[d].extent;
      const int64_t tile = rng_.Chance(0.5) ? 1 : std::min(extent, Lengths(extent, 1)[0]);
      pack.tile.push_back(tile);
      pack.order.push_back(static_cast<int>(pack.order.size()));
      if (tile > 1) pack.order.push_back(static_cast<int>(pack.order.size()));
    }
    for (size_t i = pack.order.size(); i-- > 1;) {
      std::swap(pack.order[i], pack.order[rng_.Below(static_cast<int64_t>(i) + 1)]);
    }
    return pack;
  }

 private:
  struct Place {
    StageRef stage;
    int loop;
    int64_t extent;  // when the whole tensor is computed
  };

  int Small(int most) { return most < 0 ? 0 : static_cast<int>(rng_.Below(most + 1)); }
  int Any(const std::vector<int>& ids) { return ids[rng_.Below(static_cast<int64_t>(ids.size()))]; }
  int AnyStage() { return Small(state_.size() - 1); }
  MemoryScope AnyScope() { return static_cast<MemoryScope>(rng_.Below(3)); }
  int LoopCount(StageRef stage) const {
    return static_cast<int>(state_.stage(stage.id).loops.size());
  }

  // A loop of a stage with room for `more` loops.
  std::optional<Place> AnyLoop(int more) {
    if (with_loops_.empty()) return {};
    const StageRef stage{Any(with_loops_)};
    constexpr int kMostLoops = 12;
    if (LoopCount(stage) + more > kMostLoops) return {};
    const int loop = Small(LoopCount(stage) - 1);
    const Stage& data = state_.stage(stage.id);
    return Place{stage, loop, data.nodes[data.loops[loop].node].extent};
  }

  // Mostly small: divisors, other numbers, the extent itself and larger numbers.
  std::vector<int64_t> Lengths(int64_t extent, int64_t count) {
    constexpr int64_t kUsual[] = {1, 2, 3, 4, 4, 5, 7, 8, 8, 16};
    std::vector<int64_t> lengths;
    for (int64_t i = 0; i < count; ++i) {
      int64_t length = kUsual[rng_.Below(10)];
      if (rng_.Chance(0.3)) {
        length = 1 + rng_.Below(extent);
        while (extent % length != 0) --length;
      } else if (rng_.Chance(0.1)) {
        length = extent + rng_.Below(2);
      }
      lengths.push_back(length);
    }
    return lengths;
  }

  std::vector<int> Splits() const {
    std::vector<int> splits;
    for (int i = 0; i < state_.trace_size(); ++i) {
      if (std::holds_alternative<Split>(state_.step(i))) splits.push_back(i);
    }
    return splits;
  }

  std::vector<StageRef> SomeReaders(int id) {
    std::vector<StageRef> readers;
    for (int other = 0; other < state_.size(); ++other) {
      const std::vector<ReadAccess>& reads = state_.stage(other).op->reads;
      const bool is_reader = std::any_of(reads.begin(), reads.end(),
                                         [&](const ReadAccess& read) { return read.stage == id; });
      if (is_reader && (readers.empty() || rng_.Chance(0.7))) readers.push_back({other});
    }
    return readers;
  }

  const ScheduleState& state_;
  Rng& rng_;
  std::vector<int> with_loops_;
};

template <size_t... I>
std::optional<Primitive> ProposeKind(Proposer& proposer, size_t kind, std::index_sequence<I...>) {
  std::optional<Primitive> answer;
  ((kind == I ? void(answer = proposer(Kind<std::variant_alternative_t<I, Primitive>>{})) : void()),
   ...);
  return answer;
}

constexpr auto kEveryKind = std::make_index_sequence<kPrimitiveKinds>{};

template <size_t... I>
std::array<std::string_view, sizeof...(I)> NamesOfKinds(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, Primitive>::kName...};
}

// Number of copies of a stage's statement, from its own unrolled loops.
int64_t CopiesOf(const Stage& stage, const StructureStage& entry) {
  int64_t copies = 1, steps = 1;
  for (size_t i = entry.loops.size(); i-- > 0;) {
    const StructureLoop& loop = entry.loops[i];
    if (loop.annotation == Annotation::kVectorize) continue;
    steps *= loop.extent;
    const bool automatic = steps <= stage.auto_unroll_max_step;
    if (loop.annotation == Annotation::kUnroll || automatic) copies *= loop.extent;
  }
  return copies;
}

bool IsWithinBounds(const ScheduleState& state, const RandomScheduleOptions& options) {
  if (EstimatedWork(state) > options.most_work) return false;
  const LoopStructure structure = InferLoops(state);
  std::vector<int64_t> copies(state.size(), 1);
  for (size_t i = structure.stages.size(); i-- > 0;) {
    const StructureStage& entry = structure.stages[i];
    copies[entry.stage] = CopiesOf(state.stage(entry.stage), entry);
    if (entry.parent >= 0) copies[entry.stage] *= copies[entry.parent];
    if (copies[entry.stage] > options.most_copies) return false;
  }
  return true;
}

// Whether a split step made parts that do not divide a loop of `before`.
bool LeavesATail(const ScheduleState& before, const ScheduleState& after, const Primitive& step) {
  return std::visit(
      [&](const auto& p) {
        using P = std::decay_t<decltype(p)>;
        constexpr bool kSplits = std::is_same_v<P, Split> || std::is_same_v<P, FollowSplit> ||
                                 std::is_same_v<P, FollowFusedSplit>;
        if constexpr (!kSplits) {
          return false;
        } else {
          const Stage& old = before.stage(p.stage.id);
          const Stage& cut = after.stage(p.stage.id);
          int64_t product = 1;
          for (size_t i = old.nodes.size(); i < cut.nodes.size(); ++i)
            product *= cut.nodes[i].extent;
          return product != old.nodes[old.loops[p.loop].node].extent;
        }
      },
      step);
}

}  // namespace

std::string_view KindName(size_t kind) { return NamesOfKinds(kEveryKind)[kind]; }

void CountKinds(const ScheduleState& state, KindCounts& counts) {
  for (const Primitive& primitive : state.trace()) ++counts[primitive.index()];
}

std::optional<Primitive> ProposePrimitive(const ScheduleState& state, size_t kind, Rng& rng) {
  Proposer proposer(state, rng);
  return ProposeKind(proposer, kind, kEveryKind);
}

ScheduleState RandomWalk(ScheduleState state, Rng& rng, const RandomScheduleOptions& options) {
  const int64_t steps = 1 + rng.Below(options.most_steps);
  int64_t tries = 8 * steps;
  for (int64_t step = 0; step < steps && tries > 0; --tries) {
    const auto kind = static_cast<size_t>(rng.Below(static_cast<int64_t>(kPrimitiveKinds)));
    const auto primitive = ProposePrimitive(state, kind, rng);
    if (!primitive) continue;
    auto next = Apply(state, *primitive);
    if (!next || !IsWithinBounds(*next, options)) continue;
    state = *std::move(next);
    ++step;
  }
  return state;
}

ScheduleState RandomSchedule(const std::shared_ptr<const Task>& task, Rng& rng,
                             const RandomScheduleOptions& options) {
  return RandomWalk(ScheduleState::Initial(task), rng, options);
}

ScheduleState WithVectors(ScheduleState state) {
  for (int id = 0; id < state.size(); ++id) {
    const auto loops = static_cast<int>(state.stage(id).loops.size());
    if (loops == 0) continue;
    if (auto next = Apply(state, Vectorize{{id}, loops - 1})) state = *std::move(next);
  }
  return state;
}

int64_t EstimatedWork(const ScheduleState& state) {
  const LoopStructure structure = InferLoops(state);
  std::vector<const StructureStage*> entries(state.size());
  std::vector<double> runs(state.size(), 1);  // of the whole nest
  double work = 0;
  // A target comes after the stages computed within it.
  for (size_t i = structure.stages.size(); i-- > 0;) {
    const StructureStage& entry = structure.stages[i];
    entries[entry.stage] = &entry;
    double& own = runs[entry.stage];
    if (entry.parent >= 0) {
      own = runs[entry.parent];
      for (int l = 0; l <= entry.parent_loop; ++l) {
        own *= static_cast<double>(entries[entry.parent]->loops[l].extent);
      }
    }
    double steps = own;
    for (const StructureLoop& loop : entry.loops) steps *= static_cast<double>(loop.extent);
    work += steps;
  }
  return static_cast<int64_t>(std::min(work, 1e18));
}

bool IsIntricate(const ScheduleState& state) {
  ScheduleState current = ScheduleState::Initial(state.shared_task());
  for (const Primitive& step : state.trace()) {
    if (std::holds_alternative<ComputeAt>(step) || std::holds_alternative<Pack>(step) ||
        std::holds_alternative<Rfactor>(step)) {
      return true;
    }
    ScheduleState next = Apply(current, step).value();
    if (LeavesATail(current, next, step)) return true;
    current = std::move(next);
  }
  return false;
}

}  // namespace schedulegym
