// Adaptive stopping: how many tracks of schedules go on at each step, and which.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"

namespace schedulegym {

// HARL's (ICPP 2022), known from recollection only: after each window of steps the share of tracks
// that promise least is given up, until the least number of them is left.
struct StoppingOptions {
  int window = 20;     // steps
  double ratio = 0.5;  // above 0, below 1
  int least = 64;      // tracks

  bool operator==(const StoppingOptions&) const = default;
};

// How many tracks are live at each step. They visit exactly `visits` schedules together, a track
// one at each step, so that stopping compares with tracks of one length at equal cost: it begins
// with as many tracks as leave a whole window to each number of them down to the least, and what is
// over then is given to the last ones. At least one track is given up after each window. 8,960
// visits begin with 256. `visits` is at least 1.
std::vector<int> StoppedTracks(int64_t visits, const StoppingOptions& options);

// The same without stopping: so many tracks at each step, the last step shorter where they do not
// divide the visits.
std::vector<int> SteadyTracks(int64_t visits, int tracks);

// Positions of the `count` tracks that promise most, in their order; of equals the first. What is
// no number promises least.
std::vector<int> Survivors(std::span<const double> promises, int count);

// Which of the schedules that a search visited are worth measuring.
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
