// ActionTuple: the moves of one step, one of each kind at most, as heads over the actions of
// `modify`.
#pragma once

#include <span>
#include <vector>

#include "agents/learned/action_heads.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {

// HARL's action (ICPP 2022; agents of other papers make one move a step): a factor moves between
// two levels of a tile, a stage's place, the parallel loops, the unrolling go one value up or down,
// all in one step. Here each kind of knob that the space has is a head; its value 0 stays, value i
// is the i-th action of its kind. Stop and the next sketch are none of them: a track keeps its
// sketch.
class ActionTuple {
 public:
  // Of the groups of a space `modify`. `smallest_primes`: of the primes that may leave a level for
  // another only the smallest is legal, as published.
  explicit ActionTuple(const std::vector<ActionGroup>& groups, bool smallest_primes = false);

  const ActionHeads& heads() const { return heads_; }
  // Of the space.
  int actions() const { return size_; }
  // By head.
  KnobKind kind(int head) const { return kinds_[static_cast<size_t>(head)]; }
  int action(int head, int value) const;

  // From a byte for each action, 1 where it is legal, to a byte for each value of each head.
  void WriteMask(std::span<const int8_t> actions, std::span<uint8_t> mask) const;

  // Takes the actions of one tuple in the order of the heads and says how many. One that those
  // before it have made illegal is left out.
  int Act(const HeadValues& values, EpisodeState& episode) const;

 private:
  bool smallest_primes_;
  int size_ = 0;
  std::vector<KnobKind> kinds_;
  std::vector<std::vector<int>> actions_;  // by head, by value but the first
  ActionHeads heads_;
};

}  // namespace schedulegym
