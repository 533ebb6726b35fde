// Writes which of construct's actions are legal at a place, without trying each: what moves of one
// kind have in common is checked once (room for stages and loop nodes, annotations, attached
// stages), and StepOf is asked only where the answer depends on more. Where nothing is computed at
// the stage's loops, one parallel loop answers for all. A conformance test compares every byte with
// StepOf.
// Cost: O(actions), and one StepOf for each loop, read or place that needs it.
#include <algorithm>
#include <iterator>

#include "env/gym/actions/construct_place.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

// Whether a stage is computed at a loop of the current stage.
bool HasAttached(const ConstructPlace& place) {
  const auto& stages = place.state.stages();
  return std::any_of(stages.begin(), stages.end(), [&](const StagePtr& other) {
    return other->location == Location::kAt && other->target == place.stage;
  });
}

// Checks conditions that moves of one kind share only once. A conformance test compares each byte
// with StepOf.
class MaskWriter {
 public:
  MaskWriter(const ConstructMenu& menu, const ConstructPlace& place, std::span<int8_t> mask)
      : menu_(menu),
        place_(place),
        stage_(place.AtHand()),
        mask_(mask),
        loops_(place.Loops()),
        has_attached_(HasAttached(place)) {}

  void Write() {
    std::fill(mask_.begin(), mask_.end(), 0);
    Set(MoveKind::kStop, true);
    Set(MoveKind::kNextStage, NextStage(place_).has_value());
    if (stage_.location != Location::kRoot) Ask(MoveKind::kRoot);
    WriteCopies();
    if (stage_.location == Location::kInlined) return;
    WriteSplits();
    WriteReorders();
    WriteLoops();
    WritePlaces();
    WriteRfactors();
  }

 private:
  void Set(MoveKind kind, bool legal, int a = 0, int b = 0, int c = 0) {
    mask_[menu_.group(kind).Action(a, b, c)] = static_cast<int8_t>(legal);
  }
  bool IsLegal(const Move& move) const { return StepOf(place_, move).ok(); }
  bool Ask(MoveKind kind, int a = 0, int b = 0, int c = 0) {
    const bool legal = IsLegal({kind, a, b, c});
    Set(kind, legal, a, b, c);
    return legal;
  }

  int64_t Extent(int loop) const { return stage_.nodes[stage_.loops[loop].node].extent; }
  bool IsPlain(int loop) const { return stage_.loops[loop].annotation == Annotation::kNone; }
  bool IsReduction(int loop) const { return stage_.nodes[stage_.loops[loop].node].reduction; }
  bool HasRoom() const {
    return place_.state.size() < place_.state.task().dag.size() + kMostAddedStages;
  }

  // Lengths below an extent never overflow, unless many of them add up.
  void WriteSplits() {
    const Split* last = place_.Last<Split>();
    const size_t nodes = stage_.nodes.size() + 2;
    for (int loop = 0; loop < loops_; ++loop) {
      const bool further = last != nullptr && last->loop == loop;
      if (!IsPlain(loop) || nodes - (further ? 1 : 0) > kMostLoopNodes) continue;
      const int64_t extent = Extent(loop);
      if (extent == 1) continue;
      for (int i = 0; i < static_cast<int>(std::size(kSplitLengths)); ++i) {
        if (kSplitLengths[i] > extent) break;
        Set(MoveKind::kSplit, true, loop, i);
      }
      if (extent <= 2 * kSplitLengths[std::size(kSplitLengths) - 1]) continue;
      const auto count = static_cast<int>(LargestDivisors(extent).size());
      for (int i = 0; i < count; ++i) Set(MoveKind::kSplitOuter, true, loop, i);
    }
  }

  // Where no stage is computed at a loop, only a vectorized loop is fixed. A move that extends a
  // reorder must not undo it.
  void WriteReorders() {
    const auto count = static_cast<int>(stage_.loops.size());
    const bool vector = count > 0 && stage_.loops.back().annotation == Annotation::kVectorize;
    const Reorder* last = place_.Last<Reorder>();
    const int most = std::min(kMenuLoops, count - 1);
    for (int loop = 0; loop < most; ++loop) {
      if (has_attached_) {
        Ask(MoveKind::kInnermost, loop);
        if (loop + 1 < kMenuLoops) Ask(MoveKind::kOutward, loop);
        continue;
      }
      const bool is_last_pair = loop + 2 == count;
      Set(MoveKind::kInnermost, !vector && !(last && Undoes(last->order, loop, count - 1)), loop);
      if (loop + 1 == kMenuLoops) continue;
      Set(MoveKind::kOutward,
          !(vector && is_last_pair) && !(last && Undoes(last->order, loop, loop + 1)), loop);
    }
  }

  // Whether the order becomes ascending when the loop at `from` moves to `to` and those between
  // shift by one.
  static bool Undoes(const std::vector<int>& order, int from, int to) {
    const auto at = [&](int position) {
      if (position < from || position > to) return order[position];
      return position == to ? order[from] : order[position + 1];
    };
    for (int i = 1; i < static_cast<int>(order.size()); ++i) {
      if (at(i - 1) > at(i)) return false;
    }
    return true;
  }

  bool HasParallel() const {
    return std::any_of(stage_.loops.begin(), stage_.loops.end(), [](const StageLoop& loop) {
      return loop.annotation == Annotation::kParallel;
    });
  }

  // Where no stage is computed at one of its loops, all spatial loops have the same legal
  // annotations.
  void WriteParallels() {
    if (HasParallel()) return;
    std::optional<bool> known;
    for (int loop = 0; loop < loops_; ++loop) {
      if (!IsPlain(loop) || IsReduction(loop)) continue;
      if (has_attached_ || !known) known = IsLegal({MoveKind::kParallel, loop});
      Set(MoveKind::kParallel, *known, loop);
    }
  }

  bool CanFuse(int loop) const {
    if (!IsPlain(loop) || !IsPlain(loop + 1) || IsReduction(loop) != IsReduction(loop + 1)) {
      return false;
    }
    int64_t product = 0;
    return stage_.nodes.size() < kMostLoopNodes &&
           !__builtin_mul_overflow(Extent(loop), Extent(loop + 1), &product);
  }

  void WriteLoops() {
    WriteParallels();
    const auto count = static_cast<int>(stage_.loops.size());
    for (int loop = 0; loop < loops_; ++loop) {
      Set(MoveKind::kUnroll, IsPlain(loop) && Extent(loop) <= kMostRepeats, loop);
      if (loop + 1 < std::min(count, kMenuLoops)) Set(MoveKind::kFuse, CanFuse(loop), loop);
    }
    const bool may_vectorize = count > 0 && IsPlain(count - 1) && !IsReduction(count - 1);
    if (may_vectorize && Extent(count - 1) <= kMostRepeats) Ask(MoveKind::kVectorize);
    for (int i = 0; i < static_cast<int>(std::size(kAutoUnrollSteps)); ++i) {
      Set(MoveKind::kAutoUnroll, stage_.auto_unroll_max_step != kAutoUnrollSteps[i], i);
    }
  }

  void WritePlaces() {
    if (place_.state.is_output(place_.stage)) return;
    Ask(MoveKind::kInline);
    const auto places = ComputePlaces(place_);
    const int most = std::min(kMenuPlaces, static_cast<int>(places.size()));
    for (int i = 0; i < most; ++i) {
      Set(MoveKind::kComputeAt,
          Check(place_.state, ComputeAt{{place_.stage}, {places[i].first}, places[i].second}).ok(),
          i);
    }
  }

  void WriteCopies() {
    const Pack* last = place_.Last<Pack>();
    const int stored = last ? static_cast<int>(last->order.size()) - 1 : 0;
    for (int i = 0; i < std::min(kMenuPackOrder, stored); ++i) Ask(MoveKind::kPackOrder, i);
    if (!HasRoom()) return;
    if (stage_.location != Location::kInlined && stage_.is_fresh()) Ask(MoveKind::kCacheWrite);
    const std::vector<int> reads = ReadStages(place_);
    const int most = std::min(kMenuReads, static_cast<int>(reads.size()));
    for (int i = 0; i < most; ++i) {
      if (!Ask(MoveKind::kCacheRead, i)) continue;
      WritePacks(i, *place_.state.stage(reads[i]).op);
    }
  }

  // Writes the packs of sources that may be packed.
  void WritePacks(int read, const StageOp& source) {
    if (source.kind == StageKind::kPack) return;
    const int dimensions = std::min(kMenuDimensions, source.spatial);
    for (int d = 0; d < dimensions; ++d) {
      for (int i = 0; i < static_cast<int>(std::size(kPackTiles)); ++i) {
        Set(MoveKind::kPack, kPackTiles[i] <= source.axes[d].extent, read, d, i);
      }
    }
  }

  bool SpatialUntouched() const {
    int next = 0;
    for (int loop = 0; loop < static_cast<int>(stage_.loops.size()); ++loop) {
      if (IsReduction(loop)) continue;
      if (stage_.loops[loop].node != next++ || !IsPlain(loop)) return false;
    }
    return true;
  }

  // rfactor is legal only while the spatial loops are in their initial form.
  void WriteRfactors() {
    if (!HasRoom() || !stage_.op->is_reduction() || has_attached_ || !SpatialUntouched()) return;
    const std::vector<int> loops = ReductionLoops(place_);
    const int most = std::min(kMenuReductions, static_cast<int>(loops.size()));
    const int axes = std::min(kMenuAxes, stage_.op->spatial + 1);
    for (int i = 0; i < most; ++i) {
      if (!IsPlain(loops[i]) || !Ask(MoveKind::kRfactor, i)) continue;
      for (int axis = 1; axis < axes; ++axis) Set(MoveKind::kRfactor, true, i, axis);
    }
  }

  const ConstructMenu& menu_;
  const ConstructPlace& place_;
  const Stage& stage_;
  std::span<int8_t> mask_;
  int loops_;
  bool has_attached_;
};

}  // namespace

void WriteLegal(const ConstructMenu& menu, const ConstructPlace& place, std::span<int8_t> mask) {
  MaskWriter(menu, place, mask).Write();
}

}  // namespace schedulegym
