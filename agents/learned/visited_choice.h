// Which of the schedules that a search visited are worth measuring.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"

namespace schedulegym {

struct VisitedSchedule {
  Key key;
  std::optional<double> score;  // the higher, the better; none where the model says nothing
};

struct VisitedChoice {
  std::vector<int> best;   // positions among the visited, best first, of equals the first
  std::vector<int> stray;  // drawn from the others
};

// `count` of them: the best, and on average a share of `stray_share` by chance, as Ansor does with
// 5 % (Zheng et al., OSDI 2020; TVM's sketch_policy.cc, eps_greedy), for what the model is wrong
// about. Each key once, at its best score, and none of `known`. Where one kind runs out the other
// makes up for it; fewer only where no more are left.
VisitedChoice ChooseVisited(std::span<const VisitedSchedule> visited, const std::set<Key>& known,
                            int count, double stray_share, Rng& rng);

}  // namespace schedulegym
