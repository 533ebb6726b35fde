#include "env/measure/timing/event_counters.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace schedulegym {
namespace {

int OpenEvent(uint64_t event) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = event;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

double ReadEvent(int descriptor) {
  struct {
    uint64_t count, enabled, running;
  } values = {};
  if (read(descriptor, &values, sizeof values) != sizeof values || values.running == 0) return 0;
  return static_cast<double>(values.count) * static_cast<double>(values.enabled) /
         static_cast<double>(values.running);
}

void Close(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

}  // namespace

Result<EventCounters> EventCounters::Open() {
  const int instructions = OpenEvent(PERF_COUNT_HW_INSTRUCTIONS);
  const int cycles = instructions < 0 ? -1 : OpenEvent(PERF_COUNT_HW_CPU_CYCLES);
  if (cycles < 0) {
    const int reason = errno;
    Close(instructions);
    return Error{ErrorKind::kUnsupported,
                 std::string("no event counters: ") + std::strerror(reason)};
  }
  return EventCounters(instructions, cycles);
}

EventCounters::EventCounters(EventCounters&& other) noexcept
    : instructions_(std::exchange(other.instructions_, -1)),
      cycles_(std::exchange(other.cycles_, -1)) {}

EventCounters& EventCounters::operator=(EventCounters&& other) noexcept {
  std::swap(instructions_, other.instructions_);
  std::swap(cycles_, other.cycles_);
  return *this;
}

EventCounters::~EventCounters() {
  Close(instructions_);
  Close(cycles_);
}

Counters EventCounters::Read() const { return {ReadEvent(instructions_), ReadEvent(cycles_)}; }

}  // namespace schedulegym
