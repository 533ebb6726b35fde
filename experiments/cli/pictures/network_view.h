// Network view: the contents of a picture of a search over tasks, live or replayed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "agents/schedulers/simulation/simulation.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"

namespace schedulegym {

// A network's latency over time, with the name of its run.
struct PicturedTrajectory {
  std::string name;
  std::vector<TrajectoryPoint> points;  // by time; empty if the latency was never known
  double end = 0;                       // seconds
};

// The forecast of a curve after `trial` trials; speeds are over the reference's.
struct Extrapolation {
  double trial = 1;
  double mean = 0, deviation = 0;
};

struct PicturedTask {
  std::string name;
  double share = 0;                          // of the network's final latency
  std::vector<double> speeds;                // best after each trial, 0 before a success
  std::vector<double> further;               // later ones of a recording; empty for a live search
  std::vector<Extrapolation> extrapolation;  // by trial; empty if no curve fits
};

struct NetworkView {
  std::string title;
  std::vector<PicturedTrajectory> trajectories;
  std::vector<PicturedTask> tasks;
};

// Draws an SVG: above, each trajectory, latency on a log scale; below, a panel for each task. It
// shows the best speed over the trials, the fitted curve to twice as many with a band of one
// deviation, and in grey the rest of the recording.
std::string NetworkPicture(const NetworkView& view);

// A task at the end of its search.
struct SearchedTask {
  std::string name;
  ScheduledTask scheduled;
  TaskCurve curve;
  std::optional<double> seconds = {};  // of the best known; nullopt: the curve's best
};

// In order of `tasks`. Extrapolates as `scheduler` if that is dynatune, else as dynatune's default,
// with its own random stream, which leaves the search unchanged; not at all if `stop` is set.
std::vector<PicturedTask> PicturedTasksOf(std::span<const SearchedTask> tasks,
                                          const Spec& scheduler, uint64_t seed,
                                          const StopToken& stop = {});

// The same for recorded curves. `order`: the task of each turn. Later turns are in `further`.
std::vector<PicturedTask> PicturedTasksOf(std::span<const RecordedCurve> curves,
                                          std::span<const int> order, const Spec& scheduler,
                                          uint64_t seed, const StopToken& stop = {});

}  // namespace schedulegym
