// What the bandits of HARL are paid for a round.
#pragma once

#include <optional>
#include <span>

namespace schedulegym {

// Both are HARL's (ICPP 2022), known from recollection only, and lie in [0, 1], for which the
// bandit's constant is meant.

// Of a sketch: the best throughput that the round found with it over the best of its task so far,
// the round's own among it; 0 where the round found nothing that runs.
double SketchReward(std::optional<double> best_of_round, std::optional<double> best_so_far);

// How much one more round of a task may gain: weight (alpha recent + (1 - alpha) hoped), Ansor's
// estimate, whose alpha is TVM's (task_scheduler.py). `recent`: seconds a round that were gained
// lately; `hoped`: seconds that the next one may gain; both at least 0.
double TaskGain(double weight, double recent, double hoped, double alpha = 0.2);

// Of a task: its gain over that of the task that may gain most; 0 where none may.
double TaskReward(std::span<const double> gains, int task);

}  // namespace schedulegym
