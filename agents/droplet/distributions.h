// Tails and quantiles of the distributions that tests of timings use.
#pragma once

namespace schedulegym {

// The quantile `p`, in (0, 1), of the standard normal distribution.
double NormalQuantile(double p);

// The probability that a variable of Student's distribution with `freedom` > 0 degrees of freedom
// is above `t`.
double StudentTail(double t, double freedom);

}  // namespace schedulegym
