// Adaptive stopping: how many tracks of schedules go on at each step, and which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace schedulegym
