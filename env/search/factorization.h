// Factorization: ways to cut a loop into parts that divide it.
#pragma once

#include <cstdint>
#include <vector>

namespace schedulegym {

// The published bound of Ansor's innermost loops.
inline constexpr int64_t kMostInnermost = 64;

// Returns all lists of `count` inner lengths, outermost first, whose product divides `extent` and
// whose last is at most `most_innermost`. Sorted from [1, ..., 1]: first by the last length, then
// by the one before it, and so on.
std::vector<std::vector<int64_t>> Factorizations(int64_t extent, int count,
                                                 int64_t most_innermost = kMostInnermost);

// Returns the divisors of a positive number, in rising order.
std::vector<int64_t> Divisors(int64_t number);

}  // namespace schedulegym
