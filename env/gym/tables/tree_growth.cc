// Grows a tree of schedules for a table, breadth first: at each place one legal move of each kind
// is drawn (splits of 4, 16 and 64 only, unroll step 64), the fastest by the analytical model goes
// first, and `breadth` of them become rows until there are `rows`. Two moves to one schedule are
// one row.
// Cost: one estimate a drawn move; O(rows) to find a duplicate.
#include "env/gym/tables/tree_growth.h"

#include <algorithm>
#include <deque>
#include <iterator>

#include "env/features/analytical_cost.h"
#include "env/gym/actions/construct_place.h"

namespace schedulegym {
namespace {

constexpr MoveKind kKinds[] = {
    MoveKind::kNextStage, MoveKind::kSplit,  MoveKind::kInnermost, MoveKind::kFuse,
    MoveKind::kParallel,  MoveKind::kUnroll, MoveKind::kVectorize, MoveKind::kAutoUnroll,
    MoveKind::kComputeAt, MoveKind::kInline,
};

bool IsInReach(const Move& move) {
  if (move.kind == MoveKind::kAutoUnroll) return kAutoUnrollSteps[move.a] == 64;
  if (move.kind != MoveKind::kSplit) return true;
  const int64_t length = kSplitLengths[move.b];
  return length == 4 || length == 16 || length == 64;
}

class Grower {
 public:
  Grower(const std::shared_ptr<const Task>& task, const TreeGrowth& growth, Rng& rng)
      : growth_(growth), rng_(rng) {
    waiting_.push_back({FirstPlace(task), 0});
    tree_.rows = {{-1}, {""}};
    tree_.states.push_back(waiting_.front().place.state);
  }

  GrownTree Grow() {
    while (!waiting_.empty() && !IsFull()) {
      const RowPlace at = std::move(waiting_.front());
      waiting_.pop_front();
      GrowFrom(at);
    }
    return std::move(tree_);
  }

 private:
  struct RowPlace {
    ConstructPlace place;
    int row = 0;
  };

  bool IsFull() const { return static_cast<int64_t>(tree_.states.size()) >= growth_.rows; }

  void GrowFrom(const RowPlace& at) {
    std::vector<Move> drawn = DrawMoves(at.place);
    const auto fastest = std::min_element(drawn.begin(), drawn.end(), [&](Move a, Move b) {
      return SecondsAfter(at.place, a) < SecondsAfter(at.place, b);
    });
    if (fastest != drawn.end()) std::rotate(drawn.begin(), fastest, fastest + 1);
    for (int i = 0; i < std::min<int>(growth_.breadth, static_cast<int>(drawn.size())); ++i) {
      if (!IsFull()) Take(at, drawn[i]);
    }
  }

  // One of each kind that has a legal one.
  std::vector<Move> DrawMoves(const ConstructPlace& place) {
    std::vector<MoveKind> kinds(std::begin(kKinds), std::end(kKinds));
    std::vector<Move> moves;
    while (!kinds.empty()) {
      const auto kind = kinds.begin() + rng_.Below(static_cast<int64_t>(kinds.size()));
      if (const std::optional<Move> move = DrawMove(place, *kind)) moves.push_back(*move);
      kinds.erase(kind);
    }
    return moves;
  }

  static double SecondsAfter(const ConstructPlace& place, const Move& move) {
    return EstimateCost(After(place, move).value().state).Seconds();
  }

  std::optional<Move> DrawMove(const ConstructPlace& place, MoveKind kind) {
    const MenuGroup& group = menu_.group(kind);
    std::vector<Move> legal;
    for (int action = group.first; action < group.first + group.size(); ++action) {
      const Move move = menu_.MoveOf(action);
      if (IsInReach(move) && IsStepOn(place, move)) legal.push_back(move);
    }
    if (legal.empty()) return std::nullopt;
    return legal[rng_.Below(static_cast<int64_t>(legal.size()))];
  }

  static bool IsStepOn(const ConstructPlace& place, const Move& move) {
    if (move.kind == MoveKind::kNextStage) return NextStage(place).has_value();
    const Result<ConstructStep> step = StepOf(place, move);
    return step.ok() && !step->again;
  }

  void Take(const RowPlace& at, const Move& move) {
    ConstructPlace next = After(at.place, move).value();
    int row = at.row;
    if (move.kind != MoveKind::kNextStage) {
      const std::string step = ToText(StepOf(at.place, move)->primitive, at.place.state.Names());
      // Two of the open stages may lead to one schedule.
      for (size_t i = 0; i < tree_.states.size(); ++i) {
        if (tree_.rows.parents[i] == at.row && tree_.rows.steps[i] == step) return;
      }
      row = static_cast<int>(tree_.states.size());
      tree_.rows.parents.push_back(at.row);
      tree_.rows.steps.push_back(step);
      tree_.states.push_back(next.state);
    }
    waiting_.push_back({std::move(next), row});
  }

  TreeGrowth growth_;
  Rng& rng_;
  ConstructMenu menu_;
  std::deque<RowPlace> waiting_;
  GrownTree tree_;
};

}  // namespace

GrownTree GrowTree(const std::shared_ptr<const Task>& task, const TreeGrowth& growth, Rng& rng) {
  return Grower(task, growth, rng).Grow();
}

}  // namespace schedulegym
