// Machine facts: what disturbs measuring on this machine, read from the system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schedulegym {

// How the system's control groups limit this process's processor time.
struct CgroupCpu {
  std::optional<double> quota_cores;  // none: no limit
  int64_t throttled = 0;              // how often all threads were stopped for having used it up
  double throttled_seconds = 0;

  bool operator==(const CgroupCpu&) const = default;
};

// Of this process's group and the groups above it that can be seen: the least quota, the most
// throttling. Both versions of control groups are known; none where neither is there.
std::optional<CgroupCpu> ReadCgroupCpu(const std::string& root = "");

// Ticks of all processors since boot, from the first line of /proc/stat.
struct CpuTicks {
  int64_t total = 0;
  int64_t steal = 0;  // taken by other guests of the same host
};
std::optional<CpuTicks> ParseCpuTicks(std::string_view proc_stat);
// Share of the time between two readings that was stolen.
double StealShare(const CpuTicks& before, const CpuTicks& after);

// The first value of `key : value` in /proc/cpuinfo and its kin.
std::optional<std::string> CpuInfoValue(std::string_view cpuinfo, std::string_view key);

// What stands in brackets in "always [madvise] never".
std::optional<std::string> ChosenWord(std::string_view text);

// How many numbers stand in "0-3,8".
std::optional<int64_t> CountOfList(std::string_view text);

// What the system does not tell is none.
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
  std::optional<int64_t> memory_nodes;    // more than one: memory is nearer to some cores
  std::optional<int64_t> swap_used_bytes;
  std::optional<int64_t> counter_paranoia;  // of perf events: 2 still lets own events be counted
};

// `root` stands for "/": tests make their own.
MachineFacts ReadMachineFacts(const std::string& root = "");

// The whole file without its last newline; none when it cannot be read.
std::optional<std::string> ReadFileIfAny(const std::string& path);

}  // namespace schedulegym
