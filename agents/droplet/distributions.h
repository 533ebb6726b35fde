// Tails and quantiles of the distributions that tests of timings use.
#pragma once

namespace schedulegym {

// The x that a standard normal variable is below with probability `p`, which lies in (0, 1).
double NormalQuantile(double p);

// The probability that a variable of Student's distribution with `freedom` > 0 degrees of freedom
// is above `t`.
double StudentTail(double t, double freedom);

}  // namespace schedulegym
