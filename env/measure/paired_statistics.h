// Paired statistics: what interleaved samples say about a ratio, without assuming a distribution.
#pragma once

#include <span>
#include <vector>

#include "env/measure/measurement.h"

namespace schedulegym {

// Of a non-empty sample; the mean of the middle two if their number is even.
double Median(std::vector<double> values);

// The 95 % sign-test interval of the median of n >= 1 values runs from the r-th smallest to the
// r-th largest: r is the largest with P(Binomial(n, 1/2) < r) <= 0.025. Below n = 6 there is none;
// the answer is then 1, and the interval covers less.
int SignTestRank(int n);

// Median of numerator[i] / denominator[i] with its interval, taken over logarithms; equal sizes,
// not empty, all positive.
RatioInterval MedianRatio(std::span<const float> numerator, std::span<const float> denominator);

// Whether both ends of the interval are within a factor of 1 + precision of the median.
bool IsPrecise(const RatioInterval& ratio, double precision);

}  // namespace schedulegym
