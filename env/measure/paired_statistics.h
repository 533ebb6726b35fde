// Paired statistics: what interleaved samples say about a ratio, without assuming a distribution.
#pragma once

#include <span>
#include <vector>

#include "env/measure/measurement.h"

namespace schedulegym {

// Of a non-empty sample; the mean of the middle two if their number is even.
double Median(std::vector<double> values);

// How many of the smallest and of the largest of n values lie outside the 95 % sign-test interval
// of their median: the largest r with P(Binomial(n, 1/2) < r) <= 0.025. 0 for n < 6: the extremes
// then bound the interval without reaching 95 %.
int SignTestRank(int n);

// Median of numerator[i] / denominator[i] with its interval; equal sizes, not empty, all positive.
RatioInterval MedianRatio(std::span<const float> numerator, std::span<const float> denominator);

// Whether the interval lies within +-precision of the median, in logarithms.
bool IsPrecise(const RatioInterval& ratio, double precision);

}  // namespace schedulegym
