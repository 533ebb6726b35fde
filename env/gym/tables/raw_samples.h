// RawSamples: what each round of one measurement gave, and a short text for that.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Seconds for one call, a sample of each for each round, in the order taken; as many of both.
struct RawSamples {
  std::vector<float> candidate;
  std::vector<float> reference;

  bool empty() const { return candidate.empty(); }
  bool operator==(const RawSamples&) const = default;
};

// Each sample as the logarithm of its ratio to `middle`, in steps of 2^-16 (0.0015 %), written as
// source maps write integers: the sign and the lowest bits first, five bits a character, whose
// sixth says that more follow; characters are those of base 64. About two for a sample that noise
// alone parts from the middle.
std::string SamplesText(std::span<const float> samples, double middle);
// None for what is no such text, or holds no samples, more than 4096, or none that are times.
std::optional<std::vector<float>> ParseSamples(std::string_view text, double middle);

// A measurement anew: rounds drawn from these with replacement, and what they say of the ratio.
// Seconds are those of the reference over it. Rounds whose ratio is over three times off their
// median, where others had the machine, are neither drawn nor counted: as many are drawn as others
// there are.
Timing DrawAnew(const RawSamples& samples, double reference_seconds, IntervalRule rule, Rng& rng);

}  // namespace schedulegym
