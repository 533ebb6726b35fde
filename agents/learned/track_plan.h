// Adaptive stopping: the number of tracks that continue at each step, and their choice.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "env/base/hash.h"
#include "env/base/rng.h"

namespace schedulegym {

// HARL's (ICPP 2022), as recalled: after each window of steps the share `ratio` of tracks with the
// lowest promise stops, until `least` tracks are left.
struct StoppingOptions {
  int window = 20;     // steps
  double ratio = 0.5;  // above 0, below 1
  int least = 64;      // tracks

  bool operator==(const StoppingOptions&) const = default;
};

// Returns the number of tracks at each step. A track visits a schedule per step, all together
// exactly `visits`, at least 1, so that stopping compares with tracks of one length at equal cost.
// The first number is the largest for which each number of tracks down to `least` has a whole
// window, such as 256 for 8,960 visits; the last tracks use the remaining visits. At least one
// track stops after each window.
std::vector<int> StoppedTracks(int64_t visits, const StoppingOptions& options);

// The plan without stopping: `tracks` tracks at each step, fewer in the last step if they do not
// divide `visits`.
std::vector<int> SteadyTracks(int64_t visits, int tracks);

// Positions of the `count` tracks with the highest promise, ascending; of equals the first. NaN is
// lowest.
std::vector<int> Survivors(std::span<const double> promises, int count);

// A schedule that a search visited, as a candidate for measuring.
struct VisitedSchedule {
  Key key;
  std::optional<double> score;  // the higher, the better; nullopt if the model gives none
};

struct VisitedChoice {
  std::vector<int> best;   // positions in `visited`, best first; of equals the first
  std::vector<int> stray;  // drawn from the others
};

// Chooses `count` schedules: the best, and on average a share `stray_share` at random, as Ansor
// does with 5 % (Zheng et al., OSDI 2020; TVM's sketch_policy.cc, eps_greedy), against errors of
// the model. Each key once, at its best score, and none in `known`. If one kind runs out, the other
// fills up; fewer only if no more are left.
VisitedChoice ChooseVisited(std::span<const VisitedSchedule> visited, const std::set<Key>& known,
                            int count, double stray_share, Rng& rng);

}  // namespace schedulegym
