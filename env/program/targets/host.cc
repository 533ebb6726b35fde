#include "env/program/targets/host.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "env/base/text.h"
#include "env/program/targets/cpu_features.h"

namespace schedulegym {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(Trim(line));
}

// "48K", "2048K", "8M".
std::optional<int64_t> ParseSize(std::string text) {
  if (text.empty()) return std::nullopt;
  const char unit = text.back();
  const int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
  if (shift > 0) text.pop_back();
  const auto number = ParseInteger(text);
  if (!number || *number <= 0) return std::nullopt;
  return *number << shift;
}

int64_t SystemValue(int name, int64_t fallback) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<int64_t>(value) : fallback;
}

void ReadCaches(int core, HostFacts* facts) {
  facts->l1_bytes = SystemValue(_SC_LEVEL1_DCACHE_SIZE, facts->l1_bytes);
  facts->l2_bytes = SystemValue(_SC_LEVEL2_CACHE_SIZE, facts->l2_bytes);
  facts->l3_bytes = SystemValue(_SC_LEVEL3_CACHE_SIZE, facts->l3_bytes);
  facts->line_bytes = SystemValue(_SC_LEVEL1_DCACHE_LINESIZE, facts->line_bytes);
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string cache = folder + std::to_string(index) + "/";
    const auto size = ParseSize(FirstLine(cache + "size"));
    if (!size || FirstLine(cache + "type") == "Instruction") continue;
    const std::string level = FirstLine(cache + "level");
    if (level == "1") facts->l1_bytes = *size;
    if (level == "2") facts->l2_bytes = *size;
    if (level == "3") facts->l3_bytes = *size;
    const auto line = ParseInteger(FirstLine(cache + "coherency_line_size"));
    if (line && *line > 0) facts->line_bytes = *line;
  }
}

int64_t ReadMemory() {
  int64_t bytes = SystemValue(_SC_PHYS_PAGES, 0) * SystemValue(_SC_PAGESIZE, 4096);
  const auto limit = ParseInteger(FirstLine("/sys/fs/cgroup/memory.max"));
  if (limit && *limit > 0) bytes = std::min(bytes, *limit);
  return bytes;
}

}  // namespace

HostFacts ReadHost() {
  HostFacts facts;
  facts.features = HostFeatures();
  facts.cpu = CpuOfFeatures(facts.features);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  int first = 0;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    facts.cores = std::max(1, CPU_COUNT(&allowed));
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &allowed)) ++first;
  } else {
    facts.cores = static_cast<int>(SystemValue(_SC_NPROCESSORS_ONLN, 1));
  }
  ReadCaches(first, &facts);
  facts.memory_bytes = ReadMemory();
  return facts;
}

}  // namespace schedulegym
