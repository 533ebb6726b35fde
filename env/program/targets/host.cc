// What this machine's processor offers: features from CPUID leaves 1, 7.0, 7.1 and 0x80000001 (bits
// after Intel's manual, volume 2, and AMD's, volume 3, appendix E), counted only if XCR0 says that
// the system saves their registers; cores from the affinity mask; caches from sysconf, then from
// /sys/devices/system/cpu of the first core that may be used; memory as the lesser of the physical
// and the control group's. The processor's name is the highest x86-64 psABI level (v1 to v4) whose
// features are all there.
#include "env/program/targets/host.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "env/base/text.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace schedulegym {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(Trim(line));
}

// Parses sizes such as "48K", "2048K", "8M".
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

int64_t ReadMemoryBytes() {
  int64_t bytes = SystemValue(_SC_PHYS_PAGES, 0) * SystemValue(_SC_PAGESIZE, 4096);
  const auto limit = ParseInteger(FirstLine("/sys/fs/cgroup/memory.max"));
  if (limit && *limit > 0) bytes = std::min(bytes, *limit);
  return bytes;
}

// Features that each level of the x86-64 psABI adds, by LLVM's names.
struct Level {
  const char* cpu;
  std::array<const char*, 8> adds;
};
constexpr Level kLevels[] = {
    {"x86-64", {}},
    {"x86-64-v2", {"crc32", "cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}},
    {"x86-64-v3", {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}},
    {"x86-64-v4", {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "evex512"}},
};

struct KnownCpu {
  const char* cpu;
  int level;  // index into kLevels
};
constexpr KnownCpu kKnownCpus[] = {
    {"nehalem", 1},        {"westmere", 1},       {"haswell", 2},        {"broadwell", 2},
    {"skylake", 2},        {"alderlake", 2},      {"znver1", 2},         {"znver2", 2},
    {"znver3", 2},         {"skylake-avx512", 3}, {"cascadelake", 3},    {"cooperlake", 3},
    {"icelake-client", 3}, {"icelake-server", 3}, {"sapphirerapids", 3}, {"graniterapids", 3},
    {"znver4", 3},         {"znver5", 3},
};

int LevelOfCpu(const std::string& cpu) {
  for (int level = 0; level < static_cast<int>(std::size(kLevels)); ++level) {
    if (cpu == kLevels[level].cpu) return level;
  }
  for (const KnownCpu& known : kKnownCpus) {
    if (cpu == known.cpu) return known.level;
  }
  return -1;
}

// The registers that the system must save for a feature to be usable: bits of XCR0.
constexpr uint64_t kNoState = 0, kAvxState = 0x6, kAvx512State = 0xe6;

enum Register { kEax, kEbx, kEcx, kEdx };

// Intel's manual, volume 2, CPUID; AMD's manual, volume 3, appendix E.
constexpr CpuFeatureBit kFeatures[] = {
    {"sse3", 1, 0, kEcx, 0, kNoState},
    {"pclmul", 1, 0, kEcx, 1, kNoState},
    {"ssse3", 1, 0, kEcx, 9, kNoState},
    {"fma", 1, 0, kEcx, 12, kAvxState},
    {"cx16", 1, 0, kEcx, 13, kNoState},
    {"sse4.1", 1, 0, kEcx, 19, kNoState},
    {"sse4.2", 1, 0, kEcx, 20, kNoState},
    {"crc32", 1, 0, kEcx, 20, kNoState},
    {"movbe", 1, 0, kEcx, 22, kNoState},
    {"popcnt", 1, 0, kEcx, 23, kNoState},
    {"aes", 1, 0, kEcx, 25, kNoState},
    {"avx", 1, 0, kEcx, 28, kAvxState},
    {"f16c", 1, 0, kEcx, 29, kAvxState},
    {"bmi", 7, 0, kEbx, 3, kNoState},
    {"avx2", 7, 0, kEbx, 5, kAvxState},
    {"bmi2", 7, 0, kEbx, 8, kNoState},
    {"avx512f", 7, 0, kEbx, 16, kAvx512State},
    {"evex512", 7, 0, kEbx, 16, kAvx512State},
    {"avx512dq", 7, 0, kEbx, 17, kAvx512State},
    {"adx", 7, 0, kEbx, 19, kNoState},
    {"avx512ifma", 7, 0, kEbx, 21, kAvx512State},
    {"avx512cd", 7, 0, kEbx, 28, kAvx512State},
    {"sha", 7, 0, kEbx, 29, kNoState},
    {"avx512bw", 7, 0, kEbx, 30, kAvx512State},
    {"avx512vl", 7, 0, kEbx, 31, kAvx512State},
    {"avx512vbmi", 7, 0, kEcx, 1, kAvx512State},
    {"avx512vbmi2", 7, 0, kEcx, 6, kAvx512State},
    {"gfni", 7, 0, kEcx, 8, kNoState},
    {"vaes", 7, 0, kEcx, 9, kAvxState},
    {"vpclmulqdq", 7, 0, kEcx, 10, kAvxState},
    {"avx512vnni", 7, 0, kEcx, 11, kAvx512State},
    {"avx512bitalg", 7, 0, kEcx, 12, kAvx512State},
    {"avx512vpopcntdq", 7, 0, kEcx, 14, kAvx512State},
    {"avx512fp16", 7, 0, kEdx, 23, kAvx512State},
    {"avxvnni", 7, 1, kEax, 4, kAvxState},
    {"avx512bf16", 7, 1, kEax, 5, kAvx512State},
    {"avxifma", 7, 1, kEax, 23, kAvxState},
    {"avxvnniint8", 7, 1, kEdx, 4, kAvxState},
    {"avxneconvert", 7, 1, kEdx, 5, kAvxState},
    {"avxvnniint16", 7, 1, kEdx, 10, kAvxState},
    {"sahf", 0x80000001, 0, kEcx, 0, kNoState},
    {"lzcnt", 0x80000001, 0, kEcx, 5, kNoState},
    {"sse4a", 0x80000001, 0, kEcx, 6, kNoState},
    {"xop", 0x80000001, 0, kEcx, 11, kAvxState},
    {"fma4", 0x80000001, 0, kEcx, 16, kAvxState},
};

#if defined(__x86_64__)

// XCR0, or 0 if the system does not save extended registers.
uint64_t SavedState() {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  constexpr uint32_t kOsXsave = 1u << 27;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsXsave) == 0) return 0;
  uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

bool Offers(const CpuFeatureBit& feature, uint64_t saved) {
  if ((saved & feature.state) != feature.state) return false;
  uint32_t registers[4] = {};
  if (__get_cpuid_count(feature.leaf, feature.subleaf, &registers[0], &registers[1], &registers[2],
                        &registers[3]) == 0) {
    return false;
  }
  return (registers[feature.where] >> feature.bit & 1) != 0;
}

#endif

std::vector<std::string> ReadFeatures() {
  std::vector<std::string> features;
#if defined(__x86_64__)
  const uint64_t saved = SavedState();
  for (const CpuFeatureBit& feature : kFeatures) {
    if (Offers(feature, saved)) features.push_back(feature.name);
  }
#elif defined(__aarch64__)
  features.push_back("neon");
#endif
  std::sort(features.begin(), features.end());
  return features;
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
  facts.memory_bytes = ReadMemoryBytes();
  return facts;
}

std::span<const CpuFeatureBit> CpuFeatureBits() { return kFeatures; }

// Queried once, since each query costs a guest of a virtual machine tens of microseconds.
std::vector<std::string> HostFeatures() {
  static const std::vector<std::string> features = ReadFeatures();
  return features;
}

std::vector<std::string> FeaturesOfCpu(const std::string& cpu) {
  std::vector<std::string> features;
  for (int level = LevelOfCpu(cpu); level >= 0; --level) {
    for (const char* name : kLevels[level].adds) {
      if (name != nullptr) features.push_back(name);
    }
  }
  std::sort(features.begin(), features.end());
  return features;
}

std::string CpuOfFeatures(const std::vector<std::string>& features) {
#if defined(__x86_64__)
  for (int level = static_cast<int>(std::size(kLevels)) - 1; level > 0; --level) {
    const std::vector<std::string> promised = FeaturesOfCpu(kLevels[level].cpu);
    if (std::includes(features.begin(), features.end(), promised.begin(), promised.end())) {
      return kLevels[level].cpu;
    }
  }
  return kLevels[0].cpu;
#else
  return "generic";
#endif
}

}  // namespace schedulegym
