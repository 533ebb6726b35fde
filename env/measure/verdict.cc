#include "env/measure/verdict.h"

#include <cmath>

namespace schedulegym {

Verdict VerdictOf(const RatioInterval& ratio) {
  if (ratio.low > 1) return Verdict::kFaster;
  if (ratio.high < 1) return Verdict::kSlower;
  const bool is_same = ratio.low * (1 + kSameSpeed) >= 1 && ratio.high <= 1 + kSameSpeed;
  return is_same ? Verdict::kSame : Verdict::kAmbiguous;
}

const char* VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster: return "faster";
    case Verdict::kSlower: return "slower";
    case Verdict::kSame: return "same";
    case Verdict::kAmbiguous: return "ambiguous";
  }
  return "ambiguous";
}

double LogRatioReward(const RatioInterval& ratio) {
  const Verdict verdict = VerdictOf(ratio);
  const bool differs = verdict == Verdict::kFaster || verdict == Verdict::kSlower;
  return differs ? std::log(ratio.median) : 0;
}

}  // namespace schedulegym
