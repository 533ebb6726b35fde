#include "agents/learned/harl/action_tuple.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/gym/actions/modify_layout.h"

namespace schedulegym {
namespace {

// HARL's order, then kinds that only this project's spaces have.
constexpr KnobKind kOrder[] = {KnobKind::kTile,   KnobKind::kLocation, KnobKind::kParallel,
                               KnobKind::kUnroll, KnobKind::kVector,   KnobKind::kOrder,
                               KnobKind::kOther};

// Returns the actions of a kind that move a knob.
std::vector<int> ActionsOf(const std::vector<ActionGroup>& groups, KnobKind kind) {
  std::vector<int> actions;
  for (const ActionGroup& group : groups) {
    if (group.kind != kind || group.first <= kNextSketchAction) continue;
    for (int i = 0; i < group.count; ++i) actions.push_back(group.first + i);
  }
  return actions;
}

ActionHeads HeadsOf(const std::vector<std::vector<int>>& actions) {
  std::vector<int> choices;
  for (const std::vector<int>& some : actions) choices.push_back(1 + static_cast<int>(some.size()));
  // A space without knobs: the only action is to stay.
  return ActionHeads(choices.empty() ? std::vector<int>{1} : choices);
}

}  // namespace

ActionTuple::ActionTuple(const std::vector<ActionGroup>& groups, bool smallest_primes)
    : smallest_primes_(smallest_primes), heads_(HeadsOf({})) {
  if (!groups.empty()) size_ = groups.back().first + groups.back().count;
  for (const KnobKind kind : kOrder) {
    std::vector<int> actions = ActionsOf(groups, kind);
    if (actions.empty()) continue;
    kinds_.push_back(kind);
    actions_.push_back(std::move(actions));
  }
  heads_ = HeadsOf(actions_);
}

int ActionTuple::action(int head, int value) const {
  SG_CHECK(value >= 1 && value < heads_.choices(head), "a value that moves something");
  return actions_[static_cast<size_t>(head)][static_cast<size_t>(value) - 1];
}

void ActionTuple::WriteMask(std::span<const int8_t> actions, std::span<uint8_t> mask) const {
  SG_CHECK(std::ssize(mask) == heads_.columns(), "a byte for each value");
  std::fill(mask.begin(), mask.end(), uint8_t{1});
  for (size_t head = 0; head < actions_.size(); ++head) {
    const bool sifts = smallest_primes_ && kinds_[head] == KnobKind::kTile;
    uint8_t* legal = &mask[static_cast<size_t>(heads_.first(static_cast<int>(head))) + 1];
    bool has_smaller = false;
    for (size_t i = 0; i < actions_[head].size(); ++i) {
      // Actions of one pair of levels are contiguous, one for each prime in rising order.
      if (i % kMostPrimes == 0) has_smaller = false;
      const bool is_legal = actions[static_cast<size_t>(actions_[head][i])] != 0;
      legal[i] = is_legal && !(sifts && has_smaller) ? 1 : 0;
      has_smaller = has_smaller || is_legal;
    }
  }
}

int ActionTuple::Act(const HeadValues& values, EpisodeState& episode) const {
  SG_CHECK(std::ssize(values) == heads_.heads(), "a value of each head");
  int taken = 0;
  for (int head = 0; head < heads_.heads(); ++head) {
    const int value = values[static_cast<size_t>(head)];
    if (value > 0 && episode.Act(action(head, value))) ++taken;
  }
  return taken;
}

}  // namespace schedulegym
