#include "backends/runner/worker/zygote_link.h"

#include <poll.h>
#include <signal.h>

#include <cmath>
#include <utility>

#include "backends/runner/sandbox/spin_limit.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

// Drivers for processors start the system's linker.
constexpr const char* kSystemPath = "PATH=/usr/local/bin:/usr/bin:/bin";

}  // namespace

std::string FindDeviceProgram() {
  return FindProgramBeside("schedulegym-device", "SCHEDULEGYM_DEVICE");
}

ZygoteLink::ZygoteLink(const DeviceProgramPath& program)
    : is_device_(true),
      process_(program.path, "serve", {kSystemPath}),
      channel_(process_.TakeSocket()) {}

ZygoteLink::ZygoteLink(const std::string& program)
    : is_device_(false),
      process_(program, "zygote", {SpinLimitVariable(SteadyClock())}),
      channel_(process_.TakeSocket()) {}

bool ZygoteLink::SetUp(const TaskSetup& setup, std::span<const int> files) {
  return channel_.Send({static_cast<uint16_t>(ZygoteMessage::kSetup), 0, Encode(setup)}, files);
}

std::optional<CandidateEnd> ZygoteLink::WaitForEnd(uint64_t id, double until, const Clock& clock) {
  while (true) {
    const std::optional<Frame> frame = channel_.Poll();
    if (frame && frame->id == id && frame->type == static_cast<uint16_t>(ZygoteMessage::kEnded)) {
      Result<CandidateEnd> end = Decode<CandidateEnd>(frame->payload);
      return end ? *std::move(end) : CandidateEnd();
    }
    if (frame) continue;
    const double left = until - clock.Now();
    if (channel_.is_closed() && is_device_) return CandidateEnd{.wait_status = process_.Kill()};
    if (channel_.is_closed() || left <= 0) return std::nullopt;
    pollfd wait = {channel_.descriptor(), POLLIN, 0};
    poll(&wait, 1, static_cast<int>(std::ceil(left * 1000)));
  }
}

void ZygoteLink::Kill(uint64_t id) {
  if (is_device_) return process_.Signal(SIGKILL);
  channel_.Send({static_cast<uint16_t>(ZygoteMessage::kKill), id, ""});
}

void ZygoteLink::Dismiss(uint64_t id) {
  channel_.Send({static_cast<uint16_t>(ZygoteMessage::kDismiss), id, ""});
  dismissed_ = id;
}

void ZygoteLink::AwaitDismissed(const Clock& clock) {
  if (!dismissed_) return;
  WaitForEnd(*std::exchange(dismissed_, {}), clock.Now() + kBurialSeconds, clock);
}

std::string ZygoteLink::ExitReason() {
  return "the server of candidates ended: " + process_.ExitReason();
}

}  // namespace schedulegym
