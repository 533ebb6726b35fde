// SketchChoice: which sketches of a task a round is about, and what they earn.
#pragma once

#include <set>
#include <vector>

#include "agents/common/search_memory.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "env/base/hash.h"
#include "env/base/rng.h"

namespace schedulegym {

// What the bandit is to be paid for: a sketch's part of the last round.
struct SketchTrial {
  int sketch = 0;
  std::set<Key> keys;  // of its proposals that were drawn or that a track came by

  bool operator==(const SketchTrial&) const = default;
};

// Of one task.
struct SketchChoice {
  SlidingWindowBandit bandit;
  Rng rng;
  std::vector<SketchTrial> trials = {};  // each sketch once
};

// At most `count` different ones, the first choice first: by the bandit, which would take the later
// ones if there were not the earlier, or each as likely.
std::vector<int> ChooseSketches(SketchChoice& choice, int count, bool by_bandit);

// Notes a proposal of a sketch, which is tried from then on.
void NoteProposal(SketchChoice& choice, int sketch, const Key& key);

// Pays the bandit for the last round, in its order, by what is known of its proposals
// (SketchReward).
void PaySketches(SketchChoice& choice, const SearchMemory& memory);

}  // namespace schedulegym
