// Doubts: marks measurements before a bad control measurement as suspect.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// Makes a measurer's deferred results; each state is suspect once.
class Doubts {
 public:
  void OnSuccess(const Candidate& candidate) { since_.push_back(candidate); }

  void OnControl(const ControlMeasurement& control) {
    thoughts_.controls.push_back(control);
    for (Candidate& candidate : std::exchange(since_, {})) {
      if (control.good || !doubted_.insert(StateKey(*candidate.state)).second) continue;
      thoughts_.suspects.push_back(std::move(candidate));
    }
  }

  DeferredResults Take() { return std::exchange(thoughts_, {}); }

 private:
  std::vector<Candidate> since_;  // since the last control measurement
  std::set<Key> doubted_;
  DeferredResults thoughts_;
};

}  // namespace schedulegym
