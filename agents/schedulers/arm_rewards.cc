#include "agents/schedulers/arm_rewards.h"

#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {

double SketchReward(std::optional<double> best_of_round, std::optional<double> best_so_far) {
  if (!best_of_round) return 0;
  SG_CHECK(best_so_far && *best_so_far >= *best_of_round && *best_of_round > 0,
           "the best so far is at least that of the round");
  return *best_of_round / *best_so_far;
}

double TaskGain(double weight, double recent, double hoped, double alpha) {
  SG_CHECK(weight >= 0 && recent >= 0 && hoped >= 0, "a gain is at least 0");
  SG_CHECK(alpha >= 0 && alpha <= 1, "a share");
  return weight * (alpha * recent + (1 - alpha) * hoped);
}

double TaskReward(std::span<const double> gains, int task) {
  SG_CHECK(task >= 0 && task < std::ssize(gains), "a task");
  const double most = *std::max_element(gains.begin(), gains.end());
  return most > 0 ? gains[static_cast<size_t>(task)] / most : 0;
}

}  // namespace schedulegym
