#include "agents/learned/scorer/rate_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace schedulegym {
namespace {

constexpr double kRising = 0.3;                 // part of the steps
constexpr double kBeginning = 25, kEnd = 25e4;  // parts of the rate

// From `a` to `b` along half a cosine, `part` of the way.
double Between(double a, double b, double part) {
  return b + (a - b) / 2 * (1 + std::cos(std::numbers::pi * part));
}

double OneCycle(double rate, double step, double steps) {
  const double last = steps - 1, peak = std::clamp(kRising * steps - 1, 0.0, last);
  if (step < peak) return Between(rate / kBeginning, rate, step / peak);
  return last > peak ? Between(rate, rate / kEnd, (step - peak) / (last - peak)) : rate;
}

}  // namespace

double RateAt(RatePlan plan, double rate, int64_t step, int64_t steps) {
  const auto at = static_cast<double>(step), all = static_cast<double>(steps);
  switch (plan) {
    case RatePlan::kConstant: return rate;
    case RatePlan::kCosine: return Between(rate, 0, at / all);
    case RatePlan::kOneCycle: return OneCycle(rate, at, all);
  }
  return rate;
}

}  // namespace schedulegym
