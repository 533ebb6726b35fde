// Machine facts: what disturbs measuring on this machine, read from the system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "env/base/clock.h"

namespace schedulegym {

// Ticks of all processors since boot, from the first line of /proc/stat.
struct CpuTicks {
  int64_t total = 0;
  int64_t steal = 0;  // taken by other guests of the same host
};
std::optional<CpuTicks> ParseCpuTicks(std::string_view proc_stat);
// Share of the time between two readings that was stolen.
double StealShare(const CpuTicks& before, const CpuTicks& after);

// The first value of `key : value` in /proc/cpuinfo.
std::optional<std::string> CpuInfoValue(std::string_view cpuinfo, std::string_view key);

struct ClockQuality {
  double step_seconds = 0;  // smallest step seen between two readings
  double call_seconds = 0;  // one reading
  double jitter = 0;        // spread of a fixed work of about a millisecond: p95 over p5, less one
};
ClockQuality JudgeClock(const Clock& clock);

// The whole file without its last newline; none when it cannot be read.
std::optional<std::string> ReadFileIfAny(const std::string& path);

// Where `program` stands in PATH.
std::optional<std::string> FindInPath(const std::string& program, std::string_view path);

}  // namespace schedulegym
