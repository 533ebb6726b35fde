#include "tests/spaces/random_gpu_schedule.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

class Drawer {
 public:
  Drawer(const std::shared_ptr<const Task>& task, Rng& rng)
      : state_(ScheduleState::Initial(task)), rng_(rng) {}

  ScheduleState Draw() {
    InlineSome();
    for (const std::vector<int> order = state_.order(); int id : order) Cut(id);
    for (const std::vector<int> order = state_.order(); int id : Reversed(order)) Place(id);
    for (const std::vector<int> order = state_.order(); int id : order) Copy(id);
    for (const std::vector<int> order = state_.order(); int id : order) BindRoot(id);
    for (const std::vector<int> order = state_.order(); int id : order) BindReduction(id);
    return std::move(state_);
  }

 private:
  static std::vector<int> Reversed(std::vector<int> order) {
    std::ranges::reverse(order);
    return order;
  }

  bool Try(const Primitive& step) {
    Result<ScheduleState> next = Apply(state_, step);
    if (!next) return false;
    state_ = *std::move(next);
    return true;
  }

  bool Chance(int percent) { return rng_.Below(100) < percent; }

  bool HasLoops(int id) const {
    const Stage& stage = state_.stage(id);
    return stage.op->kind != StageKind::kInput && stage.location != Location::kInlined;
  }

  int LoopsOf(int id) const { return static_cast<int>(state_.stage(id).loops.size()); }

  void InlineSome() {
    for (const std::vector<int> order = state_.order(); int id : order) {
      if (Chance(40)) Try(ComputeInline{{id}});
    }
  }

  void Cut(int id) {
    if (!HasLoops(id)) return;
    if (state_.stage(id).op->is_reduction() && Chance(50)) {
      const int cache = state_.size();
      if (Try(CacheWrite{{id}, MemoryScope::kLocal})) {
        CutLoops(id);
        CutLoops(cache);
        if (LoopsOf(id) > 0) {
          Try(ComputeAt{{cache}, {id}, static_cast<int>(rng_.Below(LoopsOf(id)))});
        }
        return;
      }
    }
    CutLoops(id);
  }

  void CutLoops(int id) {
    for (int64_t i = rng_.Below(4); i > 0 && LoopsOf(id) > 0; --i) {
      const int loop = static_cast<int>(rng_.Below(LoopsOf(id)));
      Try(Split{{id}, loop, {2 + rng_.Below(5)}});
    }
    if (!Chance(50)) return;
    std::vector<int> order(LoopsOf(id));
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[rng_.Below(static_cast<int64_t>(i))]);
    }
    Try(Reorder{{id}, order});
  }

  void Place(int id) {
    if (!HasLoops(id) || state_.is_output(id) || !Chance(50)) return;
    const std::vector<int> readers = state_.Consumers(id);
    if (readers.empty() || LoopsOf(readers[0]) == 0) return;
    Try(ComputeAt{{id}, {readers[0]}, static_cast<int>(rng_.Below(LoopsOf(readers[0])))});
  }

  void Copy(int id) {
    if (state_.stage(id).location != Location::kRoot || !Chance(70)) return;
    const std::vector<int> readers = state_.Consumers(id);
    if (readers.empty() || LoopsOf(readers[0]) == 0) return;
    const int copy = state_.size();
    const MemoryScope scope = Chance(80) ? MemoryScope::kShared : MemoryScope::kLocal;
    const ScheduleState before = state_;
    if (!Try(CacheRead{{id}, scope, {{readers[0]}}})) return;
    const int loop = static_cast<int>(rng_.Below(LoopsOf(readers[0])));
    if (!Try(ComputeAt{{copy}, {readers[0]}, loop})) {
      state_ = before;
      return;
    }
    if (Chance(50)) {
      std::vector<int> loops(LoopsOf(copy));
      std::iota(loops.begin(), loops.end(), 0);
      Try(Fuse{{copy}, loops});
    }
    if (LoopsOf(copy) > 0) {
      Try(Split{{copy}, static_cast<int>(rng_.Below(LoopsOf(copy))), {1 + rng_.Below(6)}});
    }
    copies_.push_back(copy);
  }

  // Binds the outermost loops to blocks, virtual threads and threads, in this order.
  void BindRoot(int id) {
    if (!HasLoops(id) || state_.stage(id).location != Location::kRoot) return;
    constexpr Annotation kOrder[] = {Annotation::kBlockX, Annotation::kVthread,
                                     Annotation::kThreadX, Annotation::kThreadY};
    int loop = 0;
    for (const Annotation axis : kOrder) {
      if (!Chance(axis == Annotation::kThreadX ? 90 : 50)) continue;
      while (loop < LoopsOf(id) && !Try(Bind{{id}, loop, axis})) ++loop;
    }
    for (const int copy : copies_) {
      const Stage& stage = state_.stage(copy);
      if (stage.op->scope != MemoryScope::kShared || LoopsOf(copy) == 0 || !Chance(80)) continue;
      const Annotation axis = Chance(70) ? Annotation::kThreadX : Annotation::kThreadY;
      Try(Bind{{copy}, static_cast<int>(rng_.Below(LoopsOf(copy))), axis});
    }
  }

  // Threads share the reduction.
  void BindReduction(int id) {
    if (!HasLoops(id) || !state_.stage(id).op->is_reduction() || !Chance(30)) return;
    const Stage& stage = state_.stage(id);
    const Annotation axis = Chance(70) ? Annotation::kThreadX : Annotation::kThreadY;
    for (int loop = LoopsOf(id); loop-- > 0;) {
      const LoopNode& node = stage.nodes[stage.loops[loop].node];
      if (node.reduction && node.extent <= kMostThreads && Try(Bind{{id}, loop, axis})) return;
    }
  }

  static constexpr int64_t kMostThreads = 64;
  ScheduleState state_;
  Rng& rng_;
  std::vector<int> copies_;
};

}  // namespace

ScheduleState RandomGpuSchedule(const std::shared_ptr<const Task>& task, Rng& rng) {
  return Drawer(task, rng).Draw();
}

}  // namespace schedulegym
