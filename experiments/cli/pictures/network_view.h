// Network view: what a picture shows of a search over tasks, live or played again.
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

// A network's latency over time, and whose.
struct PicturedTrajectory {
  std::string name;
  std::vector<TrajectoryPoint> points;  // by time; none where the latency was never known
  double end = 0;                       // seconds
};

// What a curve may come to after so many trials; speeds are over the reference's.
struct Extrapolation {
  double trial = 1;
  double mean = 0, deviation = 0;
};

struct PicturedTask {
  std::string name;
  double share = 0;             // of the network's latency at the end
  std::vector<double> speeds;   // the best after each trial, 0 before a success
  std::vector<double> further;  // the same of what was recorded beyond; none of a live search
  std::vector<Extrapolation> extrapolation;  // by trial; none where no curve fits
};

struct NetworkView {
  std::string title;
  std::vector<PicturedTrajectory> trajectories;
  std::vector<PicturedTask> tasks;
};

// SVG: above, each course, latency by its logarithm; below, a panel for each task with its best
// speed over its trials, the fitted curve to twice as many with a band of one deviation about it,
// and in grey what would have come.
std::string NetworkPicture(const NetworkView& view);

// One task, as its search left it.
struct SearchedTask {
  std::string name;
  ScheduledTask scheduled;
  TaskCurve curve;
  std::optional<double> seconds = {};  // of the best known; none: the curve's best
};

// In their order. Extrapolated as `scheduler` does if it is dynatune, else as its default does; by
// a sample of its own, so that to look changes nothing. None is once `stop` is set.
std::vector<PicturedTask> PicturedTasksOf(std::span<const SearchedTask> tasks,
                                          const Spec& scheduler, uint64_t seed,
                                          const StopToken& stop = {});

// What a scheduler saw of recorded curves, by the task of each of its turns, and what it did not.
std::vector<PicturedTask> PicturedTasksOf(std::span<const RecordedCurve> curves,
                                          std::span<const int> order, const Spec& scheduler,
                                          uint64_t seed, const StopToken& stop = {});

}  // namespace schedulegym
