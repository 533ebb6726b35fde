// What Linux tells of a machine: processor, hypervisor flag, clock source, governor, turbo, SMT,
// load, huge pages, memory nodes, swap, from /proc and /sys (a root folder for tests). Of control
// groups, version 1 or 2, the whole path from this process's group up counts: the lowest quota of
// cores (quota / period), the most throttling. Steal is the share of steal ticks in the first 8
// columns of /proc/stat between two readings. Missing facts are nullopt.
// Cost: a few dozen small files.
#include "env/measure/host/machine_facts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// The first line's value as a flag: 1 or 0.
std::optional<bool> FlagIn(const std::string& path) {
  const std::optional<int64_t> value = ParseInteger(ReadFileIfAny(path).value_or(""));
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

std::optional<int64_t> IntegerIn(const std::string& path) {
  return ParseInteger(ReadFileIfAny(path).value_or(""));
}

std::optional<bool> TurboOf(const std::string& cpu_folder) {
  const std::optional<bool> off = FlagIn(cpu_folder + "/intel_pstate/no_turbo");
  if (off) return !*off;
  return FlagIn(cpu_folder + "/cpufreq/boost");
}

// Bytes on a line such as "SwapFree:    1024 kB".
std::optional<int64_t> MemoryOf(std::string_view meminfo, std::string_view key) {
  const std::string value = CpuInfoValue(meminfo, key).value_or("");
  const std::optional<int64_t> kilobytes = ParseInteger(Cut(value, ' ').first);
  return kilobytes ? std::optional<int64_t>(*kilobytes * 1024) : std::nullopt;
}

std::optional<int64_t> SwapUsed(std::string_view meminfo) {
  const std::optional<int64_t> total = MemoryOf(meminfo, "SwapTotal");
  const std::optional<int64_t> free = MemoryOf(meminfo, "SwapFree");
  return total && free ? std::optional<int64_t>(*total - *free) : std::nullopt;
}

// The folder of a controller's files, and this process's group below it.
struct Place {
  std::string mount;
  std::string group;  // "" or begins with a slash
  bool first_version = false;
};

bool ListsCpu(std::string_view controllers) {
  while (!controllers.empty()) {
    const auto [name, rest] = Cut(controllers, ',');
    if (name == "cpu") return true;
    controllers = rest;
  }
  return false;
}

// Lines of /proc/self/cgroup are number:controllers:group; version 2 has number 0 and no names. The
// first version's line counts where both are in use.
std::optional<Place> FindPlace(const std::string& root) {
  const std::string folder = root + "/sys/fs/cgroup";
  const std::string text = ReadFileIfAny(root + "/proc/self/cgroup").value_or("");
  std::optional<Place> place;
  for (const std::string& line : SplitLines(text)) {
    const auto [controllers, path] = Cut(Cut(line, ':').second, ':');
    const std::string group(path == "/" ? "" : path);
    if (ListsCpu(controllers)) return Place{folder + "/" + std::string(controllers), group, true};
    if (controllers.empty() && !path.empty()) place = Place{folder, group, false};
  }
  return place;
}

std::optional<double> QuotaOf(const std::string& folder, bool first_version) {
  std::optional<int64_t> quota, period;
  if (first_version) {
    quota = IntegerIn(folder + "/cpu.cfs_quota_us");
    period = IntegerIn(folder + "/cpu.cfs_period_us");
  } else {
    // "200000 100000", or "max 100000" without a limit.
    const std::string text = ReadFileIfAny(folder + "/cpu.max").value_or("");
    const auto [limit, each] = Cut(text, ' ');
    quota = ParseInteger(limit);
    period = ParseInteger(each);
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// The number on a line such as "nr_throttled 5".
int64_t StatOf(const std::string& text, const std::string& key) {
  for (const std::string& line : SplitLines(text)) {
    const auto [name, value] = Cut(line, ' ');
    if (name == key) return ParseInteger(value).value_or(0);
  }
  return 0;
}

void Include(const std::string& folder, bool first_version, std::optional<CgroupCpu>& all) {
  const std::optional<std::string> stat = ReadFileIfAny(folder + "/cpu.stat");
  if (!stat) return;
  if (!all) all.emplace();
  all->throttled = std::max(all->throttled, StatOf(*stat, "nr_throttled"));
  const double seconds = first_version
                             ? 1e-9 * static_cast<double>(StatOf(*stat, "throttled_time"))
                             : 1e-6 * static_cast<double>(StatOf(*stat, "throttled_usec"));
  all->throttled_seconds = std::max(all->throttled_seconds, seconds);
  const std::optional<double> quota = QuotaOf(folder, first_version);
  if (quota) all->quota_cores = std::min(*quota, all->quota_cores.value_or(*quota));
}

}  // namespace

std::optional<CpuTicks> ParseCpuTicks(std::string_view proc_stat) {
  const std::vector<std::string> lines = SplitLines(proc_stat);
  if (lines.empty() || lines[0].compare(0, 4, "cpu ") != 0) return std::nullopt;
  // user nice system idle iowait irq softirq steal; the later columns are part of user already.
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

std::optional<std::string> ChosenWord(std::string_view text) {
  const size_t begin = text.find('['), end = text.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return std::nullopt;
  }
  return std::string(text.substr(begin + 1, end - begin - 1));
}

std::optional<int64_t> CountOfList(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int64_t count = 0;
  while (!text.empty()) {
    const auto [range, rest] = Cut(text, ',');
    const auto [begin, end] = Cut(range, '-');
    const std::optional<int64_t> first = ParseInteger(begin);
    const std::optional<int64_t> last = end.empty() ? first : ParseInteger(end);
    if (!first || !last || *last < *first) return std::nullopt;
    count += *last - *first + 1;
    text = rest;
  }
  return count;
}

MachineFacts ReadMachineFacts(const std::string& root) {
  const std::string cpus = root + "/sys/devices/system/cpu";
  const std::string info = ReadFileIfAny(root + "/proc/cpuinfo").value_or("");
  const std::string load = ReadFileIfAny(root + "/proc/loadavg").value_or("");
  MachineFacts facts;
  facts.processor = CpuInfoValue(info, "model name");
  if (const std::optional<std::string> flags = CpuInfoValue(info, "flags")) {
    facts.virtual_machine = (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
  }
  facts.clock_source =
      ReadFileIfAny(root + "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  facts.mhz = ParseDouble(CpuInfoValue(info, "cpu MHz").value_or(""));
  facts.governor = ReadFileIfAny(cpus + "/cpu0/cpufreq/scaling_governor");
  facts.turbo = TurboOf(cpus);
  facts.smt = FlagIn(cpus + "/smt/active");
  facts.load = ParseDouble(Cut(load, ' ').first);
  facts.cgroup = ReadCgroupCpu(root);
  facts.page_bytes = sysconf(_SC_PAGESIZE);
  facts.huge_pages =
      ChosenWord(ReadFileIfAny(root + "/sys/kernel/mm/transparent_hugepage/enabled").value_or(""));
  facts.random_addresses = FlagIn(root + "/proc/sys/kernel/randomize_va_space");
  facts.memory_nodes =
      CountOfList(ReadFileIfAny(root + "/sys/devices/system/node/online").value_or(""));
  facts.swap_used_bytes = SwapUsed(ReadFileIfAny(root + "/proc/meminfo").value_or(""));
  facts.counter_paranoia = IntegerIn(root + "/proc/sys/kernel/perf_event_paranoid");
  return facts;
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

std::optional<CgroupCpu> ReadCgroupCpu(const std::string& root) {
  const std::optional<Place> place = FindPlace(root);
  if (!place) return std::nullopt;
  std::optional<CgroupCpu> all;
  std::string group = place->group;
  while (true) {
    Include(place->mount + group, place->first_version, all);
    if (group.empty()) return all;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

}  // namespace schedulegym
