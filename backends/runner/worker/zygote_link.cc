#include "backends/runner/worker/zygote_link.h"

#include "backends/runner/sandbox/zygote.h"
#include "backends/runner/wire/encoding.h"

namespace schedulegym {

ZygoteLink::ZygoteLink(const std::string& program)
    : process_(program, "zygote"), channel_(process_.TakeSocket()) {}

bool ZygoteLink::SetUp(const TaskSetup& setup, std::span<const int> files) {
  return channel_.Send({static_cast<uint16_t>(ZygoteMessage::kSetup), 0, Encode(setup)}, files);
}

std::string ZygoteLink::Obituary() {
  return "the server of candidates ended: " + process_.Epitaph();
}

}  // namespace schedulegym
