// BetterTiming: which of two timings of one task is the better one, for sure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "env/base/spec.h"
#include "env/measure/measurement.h"

namespace schedulegym {

enum class BetterTest : uint8_t {
  // The mean of the samples is lower, and a two-sided t-test with equal variances finds a
  // difference at level `p`; without a test where either has one sample (as published).
  kStudent,
  // The intervals of both ratios to the reference lie apart: those of 95 %, drawn in or out on a
  // logarithmic scale as those of a normal distribution would be for level 1 - p.
  kVerdict,
  // The middle is better.
  kNone,
};

struct BetterRule {
  BetterTest test = BetterTest::kVerdict;
  double p = 0.05;
};

// Whether `timing` is better than `best`.
bool IsBetter(const BetterRule& rule, const Timing& timing, const Timing& best);

// Whether a two-sided t-test with equal variances finds a difference at level p; always where
// either has fewer than two samples.
bool DifferByStudent(std::span<const float> a, std::span<const float> b, double p);

// The option `p`: a level up to 1, which stands for no test. `who` begins the line of its
// InputError, such as "agent droplet".
void ReadLevel(SpecReader& reader, const std::string& who, BetterRule& rule);

}  // namespace schedulegym
