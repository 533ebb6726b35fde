#include "backends/runner/worker/sample_stamps.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstring>
#include <ctime>

#include "backends/runner/sandbox/candidate_line.h"
#include "env/base/check.h"
#include "env/measure/paired_statistics.h"

namespace schedulegym {
namespace {

// Reading clocks and sending stamps lies between what is reported and what is seen.
constexpr double kOverheadSeconds = 10e-6;

}  // namespace

void StampArrivals(const Descriptor& socket) {
  const int on = 1;
  const int failed = setsockopt(socket.number(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  SG_CHECK(failed == 0, "Linux stamps messages between its own sockets");
}

void ReadStamps(const Descriptor& socket, std::vector<SeenStamp>& stamps) {
  while (true) {
    SampleStamp stamp;
    iovec part = {&stamp, sizeof stamp};
    alignas(cmsghdr) std::array<char, 256> space;
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    const ssize_t got = recvmsg(socket.number(), &message, MSG_DONTWAIT);
    if (got <= 0) return;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
      timespec time;
      std::memcpy(&time, CMSG_DATA(header), sizeof time);
      if (got != sizeof stamp) continue;
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

double ReportedShare(std::span<const float> reported, int64_t calls, std::span<const double> seen) {
  SG_CHECK(!reported.empty() && reported.size() == seen.size(), "a stamp for each sample");
  std::vector<double> shares;
  for (size_t i = 0; i < reported.size(); ++i) {
    const double whole = static_cast<double>(reported[i]) * static_cast<double>(calls);
    shares.push_back((whole + kOverheadSeconds) / seen[i]);
  }
  return Median(std::move(shares));
}

}  // namespace schedulegym
