// Equal shares: the budget of each task in a search that gives all tasks the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "agents/task_scheduler.h"

namespace schedulegym {

struct Spending {
  int64_t trials = 0;
  double seconds = 0;

  void Add(const TaskCurve& curve);
};

struct EqualShare {
  double trials = 0;
  std::optional<double> seconds;  // where the search's are limited

  // Whether a turn of `batch` trials fits into `tasks` shares of which so much is spent. Seconds of
  // a turn are not known beforehand: it fits while any are left.
  bool Holds(const Spending& spent, int batch, double tasks = 1) const;
};

// Of the whole search, from its beginning.
EqualShare ShareOf(const SchedulerView& view);

// The first of the unfinished tasks with the fewest trials of this search.
std::optional<int> LeastTried(std::span<const TaskCurve> curves);

}  // namespace schedulegym
