// Reads a target, `llvm(cores=4,l2=1048576)`, over defaults from this machine (the interpreter's
// and cuda's are fixed but for memory). A named cpu brings the features of its x86-64 level.
// Vectors have 512 bits with avx512f, vl, bw and dq, 256 with avx2, else 128; registers are 32 with
// avx512vl or neon, else 16. Sizes are bytes. Values out of range and unknown keys are InputErrors.
#include "env/program/targets/target.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/targets/gpu_features.h"
#include "env/program/targets/host.h"

namespace schedulegym {
namespace {

constexpr const char* kParameters =
    "cores, cpu, features, vector_bits, vector_registers, l1, l2, l3, line, memory, warm=true";
constexpr const char* kCudaParameters =
    "card, device, name, arch, units, warp, threads, vthreads, shared, block_registers, "
    "thread_registers, vector, l2, bandwidth, features, memory, warm=true";
constexpr const char* kOpenClParameters =
    "device, name, arch, units, warp=32, threads=256, vthreads=8, shared=32768, block_registers, "
    "thread_registers, vector=16, l2, bandwidth, features, memory, warm=true";

std::vector<std::string> SplitFeatures(const std::string& text) {
  std::vector<std::string> features;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = Trim(std::string_view(text).substr(begin, end - begin));
    if (!word.empty()) features.emplace_back(word);
    begin = end + 1;
  }
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

int64_t Positive(SpecReader* reader, const Spec& spec, const std::string& key,
                 int64_t default_value, int64_t largest) {
  const int64_t value = reader->Integer(key, default_value);
  if (value >= 1 && value <= largest) return value;
  throw InputError("target '" + spec.name + "': key '" + key + "' is " + std::to_string(value) +
                   ", expected 1 to " + std::to_string(largest));
}

int VectorBits(const Target& target) {
  const bool is_wide = target.HasFeature("avx512f") && target.HasFeature("avx512vl") &&
                       target.HasFeature("avx512bw") && target.HasFeature("avx512dq");
  if (is_wide) return 512;
  return target.HasFeature("avx2") ? 256 : 128;
}

int VectorRegisters(const Target& target) {
  return target.HasFeature("avx512vl") || target.HasFeature("neon") ? 32 : 16;
}

void ReadProcessor(SpecReader* reader, const Spec& spec, const HostFacts& host, Target* target) {
  target->cpu = reader->Word("cpu", host.cpu);
  target->features = target->cpu == host.cpu ? host.features : FeaturesOfCpu(target->cpu);
  const std::string features = reader->Word("features", Join(target->features, ","));
  target->features = SplitFeatures(features);
  const int64_t bits = reader->Integer("vector_bits", VectorBits(*target));
  if (bits != 128 && bits != 256 && bits != 512) {
    throw InputError("target '" + spec.name + "': key 'vector_bits' is " + std::to_string(bits) +
                     ", expected one of 128, 256, 512");
  }
  target->vector_bits = static_cast<int>(bits);
  target->vector_registers =
      static_cast<int>(Positive(reader, spec, "vector_registers", VectorRegisters(*target), 1024));
}

void ReadMachine(SpecReader* reader, const Spec& spec, const HostFacts& host, Target* target) {
  constexpr int64_t kLargest = int64_t{1} << 50;
  target->cores = static_cast<int>(Positive(reader, spec, "cores", host.cores, 4096));
  target->l1_bytes = Positive(reader, spec, "l1", host.l1_bytes, kLargest);
  target->l2_bytes = Positive(reader, spec, "l2", host.l2_bytes, kLargest);
  target->l3_bytes = Positive(reader, spec, "l3", host.l3_bytes, kLargest);
  target->line_bytes = Positive(reader, spec, "line", host.line_bytes, 4096);
  target->memory_bytes = Positive(reader, spec, "memory", host.memory_bytes, kLargest);
  target->warm = reader->Flag("warm", true);
}

// The interpreter is the same everywhere: only the memory is this machine's.
HostFacts HostFor(BackendKind backend) {
  HostFacts host = ReadHost();
  if (backend == BackendKind::kLlvm) return host;
  HostFacts facts;
  facts.memory_bytes = host.memory_bytes;
  return facts;
}

// The card that a spec names, with the facts that it gives.
GpuCard CardOf(SpecReader* reader, const Spec& spec) {
  const std::string word = reader->Word("card", "");
  if (!word.empty()) return FindGpuCard(word);
  const bool names_architecture = std::ranges::any_of(
      spec.options, [](const SpecOption& option) { return option.key == "arch"; });
  if (names_architecture) return {};
  throw InputError("target 'cuda': no card is named, expected one of card=" +
                   Join(GpuCardWords(), ", card=") + ", or its facts, arch among them");
}

// "80" of "sm_80"; 0 where there is none.
int ArchitectureNumber(const std::string& arch) {
  int number = 0;
  for (const char c : arch) {
    if (c >= '0' && c <= '9' && number < 10000) number = number * 10 + (c - '0');
  }
  return number;
}

void ReadCudaFeatures(SpecReader* reader, Target* target) {
  constexpr int kLeast = 80;  // PTX ISA 9.0, cp.async: "Requires sm_80 or higher"
  target->features = SplitFeatures(reader->Word("features", ""));
  for (const std::string& feature : target->features) {
    if (feature != kAsyncCopyFeature) {
      throw InputError("target 'cuda': key 'features' is '" + feature + "', expected " +
                       kAsyncCopyFeature);
    }
    if (ArchitectureNumber(target->gpu.arch) < kLeast) {
      throw InputError("target 'cuda': feature 'async_copy' of " + target->gpu.arch +
                       ", expected sm_80 or later");
    }
  }
}

void ReadOpenClFeatures(SpecReader* reader, Target* target) {
  target->features = SplitFeatures(reader->Word("features", ""));
  for (const std::string& feature : target->features) {
    if (feature == kNoDoublesFeature) continue;
    if (feature.starts_with(kBufferFeature)) {
      const auto bytes = ParseInteger(std::string_view(feature).substr(sizeof kBufferFeature - 1));
      if (bytes && *bytes > 0) continue;
    }
    throw InputError("target 'opencl': key 'features' is '" + feature + "', expected " +
                     kNoDoublesFeature + " or " + kBufferFeature + "BYTES");
  }
}

void ReadGpu(SpecReader* reader, const Spec& spec, Target* target) {
  GpuCard card;
  if (target->backend == BackendKind::kCuda) card = CardOf(reader, spec);
  card.facts.name = reader->Word("device", card.facts.name);
  target->cpu = "generic";
  target->gpu = ReadGpuFacts(reader, spec.name, card.facts);
  if (target->backend == BackendKind::kCuda) ReadCudaFeatures(reader, target);
  if (target->backend == BackendKind::kOpenCl) ReadOpenClFeatures(reader, target);
  constexpr int64_t kLargest = int64_t{1} << 50;
  const int64_t memory = card.memory_bytes > 0 ? card.memory_bytes : ReadHost().memory_bytes;
  target->memory_bytes = Positive(reader, spec, "memory", memory, kLargest);
  target->warm = reader->Flag("warm", true);
}

template <BackendKind kBackend>
Target MakeTargetOf(const Spec& spec) {
  SpecReader reader(spec, "target");
  Target target;
  target.backend = kBackend;
  if (target.IsGpu()) {
    ReadGpu(&reader, spec, &target);
  } else {
    const HostFacts host = HostFor(kBackend);
    ReadMachine(&reader, spec, host, &target);
    ReadProcessor(&reader, spec, host, &target);
  }
  reader.Finish();
  return target;
}

}  // namespace

bool Target::HasFeature(const std::string& name) const {
  return std::binary_search(features.begin(), features.end(), name);
}

const char* Target::BackendName() const {
  switch (backend) {
    case BackendKind::kInterpreter: return "interpreter";
    case BackendKind::kLlvm: return "llvm";
    case BackendKind::kCuda: return "cuda";
    case BackendKind::kOpenCl: return "opencl";
  }
  return "unknown";
}

std::string Target::ToText() const {
  const auto number = [](int64_t value) { return SpecValue{value}; };
  Spec spec{BackendName(), {}};
  if (IsGpu()) {
    WriteGpuFacts(gpu, &spec);
    if (!features.empty()) {
      spec.options.push_back({"features", SpecValue{Join(features, ",")}});
    }
    spec.options.push_back({"memory", number(memory_bytes)});
    spec.options.push_back({"warm", SpecValue{warm}});
    return spec.ToText();
  }
  spec.options.push_back({"cores", number(cores)});
  spec.options.push_back({"cpu", SpecValue{Spec{cpu, {}}}});
  spec.options.push_back({"features", SpecValue{Join(features, ",")}});
  spec.options.push_back({"vector_bits", number(vector_bits)});
  spec.options.push_back({"vector_registers", number(vector_registers)});
  spec.options.push_back({"l1", number(l1_bytes)});
  spec.options.push_back({"l2", number(l2_bytes)});
  spec.options.push_back({"l3", number(l3_bytes)});
  spec.options.push_back({"line", number(line_bytes)});
  spec.options.push_back({"memory", number(memory_bytes)});
  spec.options.push_back({"warm", SpecValue{warm}});
  return spec.ToText();
}

Registry<TargetMaker> BuiltinTargets() {
  return Registry<TargetMaker>(
      "target",
      {
          {"llvm", kParameters, "machine code for this machine's processor, all its cores",
           MakeTargetOf<BackendKind::kLlvm>},
          {"interpreter", kParameters, "slow and certain; the same on every machine",
           MakeTargetOf<BackendKind::kInterpreter>},
          {"cuda", kCudaParameters,
           "an NVIDIA GPU, such as cuda(card=a100); cards: " + Join(GpuCardWords(), ", "),
           MakeTargetOf<BackendKind::kCuda>},
          {"opencl", kOpenClParameters,
           "a device with a driver for OpenCL 1.2, found by a part of its name: a GPU, or a "
           "processor",
           MakeTargetOf<BackendKind::kOpenCl>},
      });
}

Spec ExampleTarget(const std::string& name) {
  return ParseSpec(name == "cuda" ? "cuda(card=a100)" : name).value();
}

Target MakeTarget(const Spec& spec) { return BuiltinTargets().Find(spec)(spec); }

}  // namespace schedulegym
