#include "env/measure/timing/clocks.h"

#include <dirent.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace schedulegym {
namespace {

double Read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Linux adds the CPU time of a thread on another processor to the process's clock only at scheduler
// ticks, up to 4 ms late, which is longer than a sample. Reading that thread's own clock adds it
// immediately.
void BringUpToDate(const std::vector<int>& threads) {
  for (int id : threads) Read(static_cast<clockid_t>(~static_cast<unsigned>(id) << 3 | 6));
}

}  // namespace

double CalendarClock::Now() const { return Read(CLOCK_REALTIME); }

double ProcessCpuClock::Now() const {
  BringUpToDate(threads_ ? *threads_ : ThreadsOfProcess());
  return Read(CLOCK_PROCESS_CPUTIME_ID);
}

std::vector<int> ThreadsOfProcess() {
  std::vector<int> ids;
  DIR* threads = opendir("/proc/self/task");
  if (threads == nullptr) return ids;
  while (const dirent* entry = readdir(threads)) {
    const int id = std::atoi(entry->d_name);
    if (id > 0) ids.push_back(id);
  }
  closedir(threads);
  return ids;
}

double ReadingSeconds(const Clock& clock) {
  constexpr int kTries = 8, kReadings = 16;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    const double begin = clock.Now();
    for (int reading = 1; reading < kReadings; ++reading) clock.Now();
    least = std::min(least, (clock.Now() - begin) / kReadings);
  }
  return least;
}

}  // namespace schedulegym
