// Paired statistics: what interleaved samples say about a ratio, without assuming a distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Of a non-empty sample; the mean of the middle two if their number is even.
double Median(std::vector<double> values);

// The 95 % sign-test interval of the median of n >= 1 values runs from the r-th smallest to the
// r-th largest: r is the largest with P(Binomial(n, 1/2) < r) <= 0.025. Below n = 6 there is none;
// the answer is then 1, and the interval covers less.
int SignTestRank(int n);

// The same for the averages of any two of n values, each with itself, too: the 95 % interval of the
// signed-rank test runs from the r-th smallest of the n (n + 1) / 2 averages to the r-th largest
// (Hollander and Wolfe, Nonparametric Statistical Methods, 3.3). Exact up to 25, by the normal
// distribution above.
int64_t SignedRankRank(int n);

// The middle of numerator[i] / denominator[i] with its interval, taken over logarithms; equal
// sizes, not empty, all positive. By the rule kRank rounds whose logarithm is further from the
// median than five times the typical deviation (1.4826 times the median absolute one) do not count:
// there one of the two was put aside, which says nothing about either.
RatioInterval MedianRatio(std::span<const float> numerator, std::span<const float> denominator,
                          IntervalRule rule);

// Coefficient of variation, the population's deviation over the mean, of positive values. Of more
// than four the least and the greatest are left out, as AdaTune has it.
double VariationOf(std::span<const float> samples);

// How many of the samples a protocol with settle=cv would have taken: all where it does not settle.
size_t SettledAfter(std::span<const float> samples, const Protocol& protocol);

// Whether both ends of the interval are within a factor of 1 + precision of the median.
bool IsPrecise(const RatioInterval& ratio, double precision);

}  // namespace schedulegym
