// Verdict: whether a candidate is faster or slower than its paired one, by the measured ratio.
#pragma once

#include <cstdint>

#include "env/measure/measurement.h"

namespace schedulegym {

enum class Verdict : uint8_t { kFaster, kSlower, kSame, kAmbiguous };

// Two speeds that differ by less count as the same.
constexpr double kSameSpeed = 0.01;

// Faster or slower where the interval excludes 1, however little; else the same where it lies
// within 1 % of 1; else ambiguous: no verdict is forced.
Verdict VerdictOf(const RatioInterval& ratio);

// "faster", "slower", "same", "ambiguous".
const char* VerdictName(Verdict verdict);

// Returns whether the reference is the better of the two; false for equals.
inline bool LosesToReference(const RatioInterval& ratio) { return ratio.median < 1; }

// The logarithm of the ratio; 0 where its verdict is same or ambiguous, so that noise teaches
// nothing.
double LogRatioReward(const RatioInterval& ratio);

}  // namespace schedulegym
