// BetterTiming: tests whether one timing of a task is significantly better than another.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "env/base/spec.h"
#include "env/measure/measurement.h"

namespace schedulegym {

enum class BetterTest : uint8_t {
  // The mean of the samples is lower, and a two-sided t-test with equal variances finds a
  // difference at level `p`. Without a test if either has one sample (as published).
  kStudent,
  // The intervals of both ratios to the reference are disjoint. The 95 % intervals are rescaled on
  // a log scale to level 1 - p, as for a normal distribution.
  kVerdict,
  // The median is better, without a test.
  kNone,
};

struct BetterRule {
  BetterTest test = BetterTest::kVerdict;
  double p = 0.05;
};

// Returns whether `timing` is better than `best`.
bool IsBetter(const BetterRule& rule, const Timing& timing, const Timing& best);

// Returns whether a two-sided t-test with equal variances finds a difference at level `p`. True if
// either has fewer than two samples.
bool DifferByStudent(std::span<const float> a, std::span<const float> b, double p);

// Reads the option `p`, a level up to 1; 1 stands for no test. `who` begins the message of its
// InputError, such as "agent droplet".
void ReadLevel(SpecReader& reader, const std::string& who, BetterRule& rule);

}  // namespace schedulegym
