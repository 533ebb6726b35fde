// Paired statistics: ratios of interleaved samples with distribution-free intervals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Median of the values, which are not empty; the mean of the middle two if their number is even.
double Median(std::vector<double> values);

// The 95 % sign-test interval of the median of n >= 1 values runs from the r-th smallest to the
// r-th largest: r is the largest with P(Binomial(n, 1/2) < r) <= 0.025. Below n = 6 there is none;
// the result is then 1, and the interval covers less.
int SignTestRank(int n);

// The same for the averages of any two of n values, each with itself, too: the 95 % interval of the
// signed-rank test runs from the r-th smallest of the n (n + 1) / 2 averages to the r-th largest
// (Hollander and Wolfe, Nonparametric Statistical Methods, 3.3). Exact up to 25, by the normal
// distribution above.
int64_t SignedRankRank(int n);

// Returns the middle of numerator[i] / denominator[i] with its interval, over logarithms. The spans
// have equal sizes, are not empty, and all values are positive. kRank excludes rounds whose
// logarithm is further from the median than five times the typical deviation (1.4826 times the
// median absolute one): one of the two was preempted there, which is no property of either.
RatioInterval MedianRatio(std::span<const float> numerator, std::span<const float> denominator,
                          IntervalRule rule);

// Coefficient of variation of positive values: the population's deviation over the mean. Leaves out
// the least and the greatest of more than four values, as AdaTune does.
double VariationOf(std::span<const float> samples);

// Number of the samples that a protocol with settle=cv would have taken; all if it never settles.
size_t SettledAfter(std::span<const float> samples, const Protocol& protocol);

// Whether both ends of the interval are within a factor of 1 + precision of the median.
bool IsPrecise(const RatioInterval& ratio, double precision);

}  // namespace schedulegym
