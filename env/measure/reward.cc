#include "env/measure/reward.h"

#include <cmath>

#include "env/measure/verdict.h"

namespace schedulegym {

double LogRatioReward(const RatioInterval& ratio) {
  const Verdict verdict = VerdictOf(ratio);
  const bool differs = verdict == Verdict::kFaster || verdict == Verdict::kSlower;
  return differs ? std::log(ratio.median) : 0;
}

}  // namespace schedulegym
