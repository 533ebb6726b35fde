// Facts of NVIDIA's cards from its data sheets, and the architectures that its compilers take. A
// spec names a card, or gives facts one by one, each within its range; what it leaves open is the
// card's. An unknown card or architecture is refused with the nearest name.
#include "env/program/targets/gpu_facts.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int64_t kKiB = 1 << 10;
constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kGiB = 1 << 30;

GpuFacts Card(const char* name, const char* arch, int units, int64_t shared_kib, int64_t l2_mib,
              double bandwidth) {
  GpuFacts facts;
  facts.name = name;
  facts.arch = arch;
  facts.units = units;
  facts.threads = 1024;
  facts.shared_bytes = shared_kib * kKiB;
  facts.l2_bytes = l2_mib * kMiB;
  facts.bandwidth = bandwidth;
  return facts;
}

// Multiprocessors, level-2 cache and bandwidth are those of NVIDIA's data sheets. Shared memory is
// what one block may have (CUDA C++ Programming Guide 13.0, table "Technical Specifications per
// Compute Capability": 99 KiB for 8.6 and 8.9, 163 for 8.0, 227 for 9.0).
std::vector<GpuCard> Cards() {
  return {
      {"a6000", Card("a6000", "sm_86", 84, 99, 6, 768e9), 48 * kGiB},
      {"a100", Card("a100", "sm_80", 108, 163, 40, 1555e9), 40 * kGiB},
      {"h100", Card("h100", "sm_90a", 132, 227, 50, 3352e9), 80 * kGiB},
      {"h200", Card("h200", "sm_90a", 132, 227, 50, 4800e9), 141 * kGiB},
      {"rtx3090", Card("rtx3090", "sm_86", 82, 99, 6, 936e9), 24 * kGiB},
      {"rtx4090", Card("rtx4090", "sm_89", 128, 99, 72, 1008e9), 24 * kGiB},
  };
}

// What `nvcc --gpu-architecture` takes (CUDA Compiler Driver NVCC 12.9 and 13.0, "GPU Feature
// List"). The endings are of code for one architecture (a) or for its family (f).
std::vector<std::string> Architectures() {
  return {"sm_35",   "sm_37",   "sm_50",   "sm_52",   "sm_53",   "sm_60",   "sm_61",   "sm_62",
          "sm_70",   "sm_72",   "sm_75",   "sm_80",   "sm_86",   "sm_87",   "sm_88",   "sm_89",
          "sm_90",   "sm_90a",  "sm_100",  "sm_100a", "sm_100f", "sm_101",  "sm_101a", "sm_101f",
          "sm_103",  "sm_103a", "sm_103f", "sm_110",  "sm_110a", "sm_110f", "sm_120",  "sm_120a",
          "sm_120f", "sm_121",  "sm_121a", "sm_121f"};
}

void CheckArchitecture(const std::string& arch) {
  const std::vector<std::string> known = Architectures();
  if (std::ranges::find(known, arch) != known.end()) return;
  throw InputError("target 'cuda': " + UnknownName("arch", arch, known));
}

// Reads keys of one target, each within its range.
class FactReader {
 public:
  FactReader(SpecReader* reader, const std::string& target) : reader_(reader), target_(target) {}

  template <typename Integer>
  void Read(const char* key, int64_t least, int64_t most, Integer* value) {
    const int64_t found = reader_->Integer(key, *value);
    if (found < least || found > most) {
      throw InputError("target '" + target_ + "': key '" + key + "' is " + std::to_string(found) +
                       ", expected " + std::to_string(least) + " to " + std::to_string(most));
    }
    *value = static_cast<Integer>(found);
  }

  void ReadVectorBytes(int* value) {
    Read("vector", 4, 16, value);
    if (*value == 4 || *value == 8 || *value == 16) return;
    throw InputError("target '" + target_ + "': key 'vector' is " + std::to_string(*value) +
                     ", expected one of 4, 8, 16");
  }

  void ReadBandwidth(double* value) {
    *value = reader_->Number("bandwidth", *value);
    if (*value >= 0 && *value <= 1e15) return;
    throw InputError("target '" + target_ + "': key 'bandwidth' is " + FormatDouble(*value) +
                     ", expected 0 (unknown) to 1e15 bytes a second");
  }

 private:
  SpecReader* reader_;
  const std::string& target_;
};

}  // namespace

GpuCard FindGpuCard(const std::string& word) {
  for (const GpuCard& card : Cards()) {
    if (word == card.word) return card;
  }
  throw InputError(UnknownName("card", word, GpuCardWords()));
}

std::vector<std::string> GpuCardWords() {
  std::vector<std::string> words;
  for (const GpuCard& card : Cards()) words.emplace_back(card.word);
  return words;
}

GpuFacts ReadGpuFacts(SpecReader* reader, const std::string& target, GpuFacts facts) {
  facts.name = reader->Word("name", facts.name);
  facts.arch = reader->Word("arch", facts.arch);
  if (target == "cuda") CheckArchitecture(facts.arch);
  FactReader read(reader, target);
  read.Read("units", 1, 1 << 16, &facts.units);
  read.Read("warp", 1, 1024, &facts.warp);
  read.Read("threads", 1, 1 << 16, &facts.threads);
  read.Read("vthreads", 1, 64, &facts.vthreads);
  read.Read("shared", 0, kGiB, &facts.shared_bytes);
  read.Read("block_registers", 1, std::numeric_limits<int32_t>::max(), &facts.block_registers);
  read.Read("thread_registers", 1, 1 << 16, &facts.thread_registers);
  read.ReadVectorBytes(&facts.vector_bytes);
  read.Read("l2", 0, int64_t{1} << 50, &facts.l2_bytes);
  read.ReadBandwidth(&facts.bandwidth);
  return facts;
}

void WriteGpuFacts(const GpuFacts& facts, Spec* spec) {
  const auto add = [&](const char* key, SpecValue value) {
    spec->options.push_back({key, std::move(value)});
  };
  add("name", SpecValue{facts.name});
  add("arch", SpecValue{facts.arch});
  add("units", SpecValue{int64_t{facts.units}});
  add("warp", SpecValue{int64_t{facts.warp}});
  add("threads", SpecValue{int64_t{facts.threads}});
  add("vthreads", SpecValue{int64_t{facts.vthreads}});
  add("shared", SpecValue{facts.shared_bytes});
  add("block_registers", SpecValue{int64_t{facts.block_registers}});
  add("thread_registers", SpecValue{int64_t{facts.thread_registers}});
  add("vector", SpecValue{int64_t{facts.vector_bytes}});
  add("l2", SpecValue{facts.l2_bytes});
  add("bandwidth", SpecValue{facts.bandwidth});
}

}  // namespace schedulegym
