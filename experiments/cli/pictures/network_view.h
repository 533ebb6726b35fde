// Network view: what a picture shows of a search over tasks, live or played again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "env/base/spec.h"
#include "env/base/stop_token.h"
#include "experiments/cli/pictures/network_picture.h"

namespace schedulegym {

// One task, as its search left it.
struct SearchedTask {
  std::string name;
  ScheduledTask scheduled;
  TaskCurve curve;
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
