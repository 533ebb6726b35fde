// Course measures: how soon a course of a network's latency came down.
#pragma once

#include <optional>
#include <span>

#include "agents/schedulers/simulation/simulation.h"

namespace schedulegym {

// The mean of ln(latency) over the seconds from 0 to `horizon`, above 0; after its end a course
// stays where it was.
double MeanLogLatency(const Course& course, double horizon);

// When the latency was no more than that for the first time; none where it never was.
std::optional<double> SecondsTo(const Course& course, double latency);

// A mean with the 95 % interval that the normal distribution gives it; of one value, that alone.
struct MeanInterval {
  double mean = 0, low = 0, high = 0;
};
// At least one value.
MeanInterval MeanOf(std::span<const double> values);

}  // namespace schedulegym
