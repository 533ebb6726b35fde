// Sample stamps: when samples began and ended by the system's clock, seen from outside of the
// process that took them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "env/ipc/descriptor.h"

namespace schedulegym {

struct SeenStamp {
  int series = 0;
  bool begins = false;
  double seconds = 0;  // the system's, when it was sent
};

// Makes the system note the time at which messages are sent to this socket.
void StampArrivals(const Descriptor& socket);

// More than any timing sends.
constexpr size_t kMostStamps = 1024;

// Adds what has arrived, without waiting, up to kMostStamps; reads no more at once than a socket
// holds, however fast somebody sends. What is no stamp is left out.
void ReadStamps(const Descriptor& socket, std::vector<SeenStamp>& stamps);

// Seconds of each sample of a series, in order; none when beginnings and ends do not take turns.
std::optional<std::vector<double>> SeenSamples(std::span<const SeenStamp> stamps, int series);

// Reported over seen time, the median over samples: as it stands, and with what may lie between the
// two for good reasons. A process can lose its processor between the two, too: on a busy machine
// that befalls some samples in a hundred. Of fewer than five samples, as those have that were given
// up early, the best one counts: the nearest to 1.
struct ReportedShare {
  double least = 0;
  double most = 0;
};

// `calls` make a sample; the reports are of one call. Equal sizes, not empty.
ReportedShare ShareOf(std::span<const float> reported, int64_t calls, std::span<const double> seen);

}  // namespace schedulegym
