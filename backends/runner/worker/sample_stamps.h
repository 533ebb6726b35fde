// Sample stamps: when samples began and ended by the system's clock, seen from outside of the
// process that took them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/runner/process/descriptor.h"

namespace schedulegym {

struct SeenStamp {
  int series = 0;
  bool begins = false;
  double seconds = 0;  // the system's, when it was sent
};

// Makes the system note the time at which messages are sent to this socket.
void StampArrivals(const Descriptor& socket);

// Adds what has arrived, without waiting. What is no stamp is left out.
void ReadStamps(const Descriptor& socket, std::vector<SeenStamp>& stamps);

// Seconds of each sample of a series, in order; none when beginnings and ends do not take turns.
std::optional<std::vector<double>> SeenSamples(std::span<const SeenStamp> stamps, int series);

// The median over samples of reported over seen time. `calls` make a sample; the reports are of one
// call. Equal sizes, not empty.
double ReportedShare(std::span<const float> reported, int64_t calls, std::span<const double> seen);

}  // namespace schedulegym
