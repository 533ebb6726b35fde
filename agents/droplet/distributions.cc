// The tail of Student's distribution is half a regularised incomplete beta function:
// P(T > t) = I_x(freedom / 2, 1 / 2) / 2 with x = freedom / (freedom + t^2), for t >= 0.
// That function is a continued fraction (DLMF 8.17.22), evaluated by Lentz's method: some tens of
// steps. The quantile of the normal distribution inverts std::erfc by bisection, to the last bit.
#include "agents/droplet/distributions.h"

#include <cmath>
#include <initializer_list>

namespace schedulegym {
namespace {

constexpr double kTiny = 1e-300;
constexpr int kMostSteps = 10000;

// Computes the continued fraction of I_x(a, b), which converges fast if x < (a + 1) / (a + b + 2).
double BetaFraction(double x, double a, double b) {
  const auto bounded = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double numerator = 1;
  double denominator = 1 / bounded(1 - (a + b) * x / (a + 1));
  double fraction = denominator;
  for (int m = 1; m < kMostSteps; ++m) {
    double factor = 1;
    for (const double d : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                           -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      denominator = 1 / bounded(1 + d * denominator);
      numerator = bounded(1 + d / numerator);
      factor = denominator * numerator;
      fraction *= factor;
    }
    if (std::abs(factor - 1) < 1e-16) break;
  }
  return fraction;
}

// Uses lgamma_r, which does not write a global sign as std::lgamma does: arguments are positive.
double LogBeta(double a, double b) {
  int sign = 0;
  return lgamma_r(a, &sign) + lgamma_r(b, &sign) - lgamma_r(a + b, &sign);
}

// I_x(a, b); `rest` is 1 - x, without the digits that the difference would lose.
double IncompleteBeta(double x, double rest, double a, double b) {
  if (x <= 0 || rest <= 0) return x <= 0 ? 0 : 1;
  const double front = std::exp(a * std::log(x) + b * std::log(rest) - LogBeta(a, b));
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(x, a, b) / a;
  return 1 - front * BetaFraction(rest, b, a) / b;
}

}  // namespace

double NormalQuantile(double p) {
  double low = -40;
  double high = 40;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < p ? low : high) = middle;
  }
}

double StudentTail(double t, double freedom) {
  if (t < 0) return 1 - StudentTail(-t, freedom);
  const double sum = freedom + t * t;
  return IncompleteBeta(freedom / sum, t * t / sum, freedom / 2, 0.5) / 2;
}

}  // namespace schedulegym
