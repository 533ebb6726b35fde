#include "backends/runner/worker/sample_stamps.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include "backends/runner/sandbox/candidate_line.h"
#include "env/base/check.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

// Time between a report's clock and the outside clock: reading clocks and sending stamps.
constexpr double kOverheadSeconds = 10e-6;
constexpr int kMostReads = 4096;
constexpr size_t kTellingSamples = 5;

}  // namespace

void StampArrivals(const Descriptor& socket) {
  const int on = 1;
  const int failed = setsockopt(socket.number(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  SG_CHECK(failed == 0, "Linux stamps messages between its own sockets");
}

void ReadStamps(const Descriptor& socket, std::vector<SeenStamp>& stamps) {
  for (int reads = 0; reads < kMostReads; ++reads) {
    SampleStamp stamp;
    iovec part = {&stamp, sizeof stamp};
    alignas(cmsghdr) std::array<char, 256> space;
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    const ssize_t got = recvmsg(socket.number(), &message, MSG_DONTWAIT);
    // An empty message has its stamp, too; the end of all has none.
    if (got < 0 || (got == 0 && message.msg_controllen == 0)) return;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
      timespec time;
      std::memcpy(&time, CMSG_DATA(header), sizeof time);
      if (got != sizeof stamp || stamps.size() >= kMostStamps) continue;
      stamps.push_back({stamp.series, stamp.begins != 0,
                        static_cast<double>(time.tv_sec % 1'000'000) +
                            1e-9 * static_cast<double>(time.tv_nsec)});
    }
  }
}

std::optional<std::vector<double>> SeenSamples(std::span<const SeenStamp> stamps, int series) {
  std::vector<double> seconds;
  std::optional<double> begin;
  for (const SeenStamp& stamp : stamps) {
    if (stamp.series != series) continue;
    if (stamp.begins == begin.has_value()) return std::nullopt;
    if (stamp.begins) {
      begin = stamp.seconds;
    } else {
      seconds.push_back(stamp.seconds - *begin);
      begin.reset();
    }
  }
  if (begin) return std::nullopt;
  return seconds;
}

ReportedShare ShareOf(std::span<const float> reported, int64_t calls,
                      std::span<const double> seen) {
  SG_CHECK(!reported.empty() && reported.size() == seen.size(), "a stamp for each sample");
  std::vector<double> least, most;
  for (size_t i = 0; i < reported.size(); ++i) {
    const double whole = static_cast<double>(reported[i]) * static_cast<double>(calls);
    least.push_back(whole / seen[i]);
    most.push_back((whole + kOverheadSeconds) / seen[i]);
  }
  if (reported.size() >= kTellingSamples) {
    return {Median(std::move(least)), Median(std::move(most))};
  }
  return {*std::min_element(least.begin(), least.end()),
          *std::max_element(most.begin(), most.end())};
}

}  // namespace schedulegym
