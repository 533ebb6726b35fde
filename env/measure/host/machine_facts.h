// Machine facts: properties of this machine that disturb measurements, read from the system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// Limits that the system's control groups set on this process's processor time.
struct CgroupCpu {
  std::optional<double> quota_cores;  // nullopt: no limit
  int64_t throttled = 0;              // times that all threads were stopped at the quota
  double throttled_seconds = 0;

  bool operator==(const CgroupCpu&) const = default;
};

// Returns the least quota and the most throttling of this process's group and its visible
// ancestors. Supports both versions of control groups; nullopt if there is neither.
std::optional<CgroupCpu> ReadCgroupCpu(const std::string& root = "");

// Ticks of all processors since boot, from the first line of /proc/stat.
struct CpuTicks {
  int64_t total = 0;
  int64_t steal = 0;  // taken by other guests of the same host
};
std::optional<CpuTicks> ParseCpuTicks(std::string_view proc_stat);
// Returns the share of the time between two readings that was stolen.
double StealShare(const CpuTicks& before, const CpuTicks& after);

// Returns the first value of `key : value` in a text such as /proc/cpuinfo.
std::optional<std::string> CpuInfoValue(std::string_view cpuinfo, std::string_view key);

// Returns the word in brackets: "madvise" for "always [madvise] never".
std::optional<std::string> ChosenWord(std::string_view text);

// Returns how many numbers a list has: 5 for "0-3,8".
std::optional<int64_t> CountOfList(std::string_view text);

// A fact that the system does not expose is nullopt.
struct MachineFacts {
  std::optional<std::string> processor;
  std::optional<bool> virtual_machine;
  std::optional<std::string> clock_source;
  std::optional<double> mhz;  // of the first processor, now
  std::optional<std::string> governor;
  std::optional<bool> turbo;   // clocks above the nominal one, as long as heat allows
  std::optional<bool> smt;     // two processors share a core
  std::optional<double> load;  // runnable threads, mean of the last minute
  std::optional<CgroupCpu> cgroup;
  int64_t page_bytes = 0;
  std::optional<std::string> huge_pages;  // "always", "madvise", "never"
  std::optional<bool> random_addresses;   // another layout for every process
  std::optional<int64_t> memory_nodes;    // NUMA; with several, memory is nearer to some cores
  std::optional<int64_t> swap_used_bytes;
  std::optional<int64_t> counter_paranoia;  // perf_event_paranoid; 2 still permits own events
};

// `root` replaces "/" in tests.
MachineFacts ReadMachineFacts(const std::string& root = "");

// Returns the whole file without its last newline; nullopt if it cannot be read.
std::optional<std::string> ReadFileIfAny(const std::string& path);

}  // namespace schedulegym
