// Doubts: what a bad sentinel makes of the measurements before it.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// As a measurer's afterthoughts: each state is doubted once.
class Doubts {
 public:
  void OnSuccess(const Candidate& candidate) { since_.push_back(candidate); }

  void OnSentinel(const Sentinel& sentinel) {
    thoughts_.sentinels.push_back(sentinel);
    for (Candidate& candidate : std::exchange(since_, {})) {
      if (sentinel.good || !doubted_.insert(StateKey(candidate.state)).second) continue;
      thoughts_.suspects.push_back(std::move(candidate));
    }
  }

  Afterthoughts Take() { return std::exchange(thoughts_, {}); }

 private:
  std::vector<Candidate> since_;  // the last sentinel
  std::set<Key> doubted_;
  Afterthoughts thoughts_;
};

}  // namespace schedulegym
