#include "experiments/cli/machine_facts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// A work of fixed length that the compiler cannot shorten.
uint64_t Spin(int64_t steps) {
  volatile uint64_t state = 1;
  for (int64_t i = 0; i < steps; ++i) state = state * 6364136223846793005u + 1;
  return state;
}

double TimeSpin(const Clock& clock, int64_t steps) {
  const double began = clock.Now();
  Spin(steps);
  return clock.Now() - began;
}

}  // namespace

std::optional<CpuTicks> ParseCpuTicks(std::string_view proc_stat) {
  const std::vector<std::string> lines = SplitLines(proc_stat);
  if (lines.empty() || lines[0].compare(0, 4, "cpu ") != 0) return std::nullopt;
  // user nice system idle iowait irq softirq steal; what follows is counted in user already.
  constexpr int kColumns = 8, kSteal = 7;
  CpuTicks ticks;
  std::string_view rest = Trim(std::string_view(lines[0]).substr(4));
  for (int column = 0; column < kColumns; ++column) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::optional<int64_t> value = ParseInteger(rest.substr(0, end));
    if (!value) return std::nullopt;
    ticks.total += *value;
    if (column == kSteal) ticks.steal = *value;
    rest = Trim(rest.substr(end));
  }
  return ticks;
}

double StealShare(const CpuTicks& before, const CpuTicks& after) {
  const int64_t total = after.total - before.total;
  return total <= 0 ? 0 : static_cast<double>(after.steal - before.steal) / total;
}

std::optional<std::string> CpuInfoValue(std::string_view cpuinfo, std::string_view key) {
  for (const std::string& line : SplitLines(cpuinfo)) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos && Trim(std::string_view(line).substr(0, colon)) == key) {
      return std::string(Trim(std::string_view(line).substr(colon + 1)));
    }
  }
  return std::nullopt;
}

ClockQuality JudgeClock(const Clock& clock) {
  constexpr int kReadings = 20000, kRuns = 200;
  ClockQuality quality;
  quality.step_seconds = 1;
  const double began = clock.Now();
  double last = began;
  for (int i = 0; i < kReadings; ++i) {
    const double now = clock.Now();
    if (now > last) quality.step_seconds = std::min(quality.step_seconds, now - last);
    last = now;
  }
  quality.call_seconds = (last - began) / kReadings;

  int64_t steps = 1000;
  while (steps < (int64_t{1} << 30) && TimeSpin(clock, steps) < 0.001) steps *= 2;
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) times.push_back(TimeSpin(clock, steps));
  std::sort(times.begin(), times.end());
  const double low = times[kRuns / 20];
  if (low > 0) quality.jitter = times[kRuns - 1 - kRuns / 20] / low - 1;
  return quality;
}

std::optional<std::string> ReadFileIfAny(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char block[1 << 14];
  while (const size_t count = std::fread(block, 1, sizeof block, file)) text.append(block, count);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return std::nullopt;
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::optional<std::string> FindInPath(const std::string& program, std::string_view path) {
  while (!path.empty()) {
    const size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, end)) + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

}  // namespace schedulegym
