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

// Of a line "SwapFree:    1024 kB".
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

}  // namespace schedulegym
