#include "agents/tuner/turn_trials.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {

int64_t TurnTrials(std::span<const TaskCurve> curves, int index, std::optional<double> left,
                   int64_t most) {
  if (!left || curves[index].best) return most;
  double waiting = 0, seconds = 0, trials = 0;
  for (const TaskCurve& curve : curves) {
    if (!curve.best && !curve.finished) ++waiting;
    seconds += curve.seconds();
    trials += static_cast<double>(curve.trials());
  }
  if (trials == 0 || seconds <= 0) return most;
  const double share = *left / waiting * trials / seconds;
  return share < static_cast<double>(most) ? std::max<int64_t>(std::floor(share), 1) : most;
}

}  // namespace schedulegym
