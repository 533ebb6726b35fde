#include "env/program/targets/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "env/program/targets/host.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

Target Made(const std::string& spec) { return MakeTarget(*ParseSpec(spec)); }

std::string TargetFault(const std::string& spec) {
  return InputFaultOf([&] { Made(spec); });
}

TEST(TargetTest, ReadsThisMachine) {
  const Target target = Made("llvm");
  EXPECT_EQ(target.backend, BackendKind::kLlvm);
  EXPECT_GE(target.cores, 1);
  EXPECT_GT(target.memory_bytes, int64_t{1} << 26);
  EXPECT_GE(target.l2_bytes, target.l1_bytes);
  EXPECT_TRUE(std::is_sorted(target.features.begin(), target.features.end()));
  EXPECT_EQ(target.vector_bits == 512,
            target.HasFeature("avx512f") && target.HasFeature("avx512bw") &&
                target.HasFeature("avx512dq") && target.HasFeature("avx512vl"));
}

// The kernel's own list does not depend on our detection of the processor.
TEST(TargetTest, OffersOnlyWhatTheKernelOffers) {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    flags.insert(std::istream_iterator<std::string>(words), {});
    break;
  }
  if (flags.empty()) GTEST_SKIP() << "no flags in /proc/cpuinfo";
  const Target target = Made("llvm");
  const std::pair<const char*, const char*> same[] = {
      {"avx", "avx"},           {"avx2", "avx2"},         {"fma", "fma"},
      {"avx512f", "avx512f"},   {"avx512bw", "avx512bw"}, {"avx512dq", "avx512dq"},
      {"avx512vl", "avx512vl"}, {"avx512cd", "avx512cd"}, {"bmi", "bmi1"},
      {"bmi2", "bmi2"},         {"f16c", "f16c"},         {"avx512vnni", "avx512_vnni"},
      {"lzcnt", "abm"},         {"sse4.2", "sse4_2"},     {"avxvnni", "avx_vnni"},
      {"sahf", "lahf_lm"},      {"movbe", "movbe"},       {"avx512fp16", "avx512_fp16"}};
  for (const auto& [ours, theirs] : same) {
    EXPECT_EQ(target.HasFeature(ours), flags.contains(theirs)) << ours;
  }
}

TEST(TargetTest, TakesOverrides) {
  const Target target = Made("llvm(cores=1,vector_bits=256,l1=1024,warm=false)");
  EXPECT_EQ(target.cores, 1);
  EXPECT_EQ(target.vector_bits, 256);
  EXPECT_EQ(target.VectorLanes(4), 8);
  EXPECT_EQ(target.l1_bytes, 1024);
  EXPECT_FALSE(target.warm);
}

TEST(TargetTest, GivesANamedProcessorItsOwnFeatures) {
  const Target v3 = Made("llvm(cpu=haswell)");
  EXPECT_EQ(v3.cpu, "haswell");
  EXPECT_TRUE(v3.HasFeature("avx2"));
  EXPECT_TRUE(v3.HasFeature("sse4.2"));
  EXPECT_FALSE(v3.HasFeature("avx512f"));
  EXPECT_EQ(v3.vector_bits, 256);
  EXPECT_EQ(v3.vector_registers, 16);
  const Target v4 = Made("llvm(cpu=x86-64-v4)");
  EXPECT_EQ(v4.vector_bits, 512);
  EXPECT_EQ(v4.vector_registers, 32);
  const Target listed = Made("llvm(features=\"fma, avx2,avx2\")");
  EXPECT_EQ(listed.features, (std::vector<std::string>{"avx2", "fma"}));
}

TEST(TargetTest, NamesAProcessorWhoseFeaturesAreThere) {
  const HostFacts host = ReadHost();
  const auto promised = FeaturesOfCpu(host.cpu);
  EXPECT_TRUE(
      std::includes(host.features.begin(), host.features.end(), promised.begin(), promised.end()));
#if defined(__x86_64__)
  auto v3 = FeaturesOfCpu("x86-64-v3");
  EXPECT_EQ(CpuOfFeatures(v3), "x86-64-v3");
  v3.erase(std::find(v3.begin(), v3.end(), "fma"));
  EXPECT_EQ(CpuOfFeatures(v3), "x86-64-v2");
  EXPECT_EQ(CpuOfFeatures({}), "x86-64");
#endif
}

TEST(TargetTest, WritesAllFacts) {
  for (const char* spec : {"llvm", "llvm(cpu=znver4,cores=3,warm=false)", "interpreter", "opencl",
                           "opencl(device=\"some card\",threads=64)", "cuda(card=h100)",
                           "cuda(card=a100,features=async_copy)"}) {
    const Target target = Made(spec);
    EXPECT_EQ(Made(target.ToText()), target) << target.ToText();
  }
}

TEST(TargetTest, IsTheSameInterpreterEverywhere) {
  Target target = Made("interpreter");
  target.memory_bytes = 0;
  Target expected;
  expected.backend = BackendKind::kInterpreter;
  expected.cpu = "generic";
  EXPECT_EQ(target, expected);
}

// From NVIDIA's data sheet of the A100 with 40 GB: 108 multiprocessors, 163 KiB of shared memory a
// block.
TEST(TargetTest, KnowsCards) {
  const Target target = Made("cuda(card=a100)");
  EXPECT_TRUE(target.IsGpu());
  EXPECT_EQ(target.gpu.arch, "sm_80");
  EXPECT_EQ(target.gpu.units, 108);
  EXPECT_EQ(target.gpu.shared_bytes, 163 * 1024);
  EXPECT_EQ(target.memory_bytes, int64_t{40} << 30);
  EXPECT_EQ(Made("cuda(card=a100,units=54)").gpu.units, 54);
}

TEST(TargetTest, TellsGpusFromProcessors) {
  EXPECT_TRUE(Made("opencl").IsGpu());
  EXPECT_FALSE(Made("llvm").IsGpu());
  EXPECT_FALSE(Made("interpreter").IsGpu());
  EXPECT_EQ(Made("opencl(device=\"Radeon\")").gpu.name, "Radeon");
}

TEST(TargetTest, RefusesWhatIsNoCard) {
  EXPECT_THAT(TargetFault("cuda"), HasSubstr("no card is named, expected one of card=a6000"));
  EXPECT_THAT(TargetFault("cuda(card=h10)"), HasSubstr("unknown card 'h10'"));
  for (const char* arch : {"sm_foo", "sm_99", "compute_80", "sm_80a", "SM_80", "\"\"", "\"80\""}) {
    EXPECT_THAT(TargetFault(std::string("cuda(card=a100,arch=") + arch + ")"),
                AllOf(HasSubstr("unknown arch '"), HasSubstr("sm_80, sm_86")))
        << arch;
  }
  EXPECT_THAT(TargetFault("cuda(arch=sm_80a)"), HasSubstr("did you mean 'sm_80'?"));
  EXPECT_EQ(Made("cuda(arch=sm_100a)").gpu.arch, "sm_100a");
  EXPECT_THAT(TargetFault("opencl(threads=0)"), HasSubstr("key 'threads' is 0, expected 1 to"));
  EXPECT_THAT(TargetFault("opencl(vector=6)"), HasSubstr("expected one of 4, 8, 16"));
  EXPECT_THAT(TargetFault("opencl(bandwidth=-1)"), HasSubstr("key 'bandwidth' is -1"));
  EXPECT_THAT(TargetFault("opencl(cores=2)"), HasSubstr("unknown key 'cores'"));
  EXPECT_THAT(TargetFault("llvm(card=a100)"), HasSubstr("unknown key 'card'"));
}

// The text of a target without features does not change.
TEST(TargetTest, CodeForCudaMayCopyAsynchronously) {
  EXPECT_TRUE(Made("cuda(card=a100,features=async_copy)").HasFeature("async_copy"));
  EXPECT_EQ(Made("cuda(card=a100)").ToText().find("features"), std::string::npos);
  EXPECT_THAT(TargetFault("cuda(card=a100,features=tma)"),
              HasSubstr("key 'features' is 'tma', expected async_copy"));
  EXPECT_THAT(TargetFault("cuda(arch=sm_75,features=async_copy)"),
              HasSubstr("feature 'async_copy' of sm_75, expected sm_80 or later"));
  EXPECT_THAT(TargetFault("opencl(features=async_copy)"),
              HasSubstr("key 'features' is 'async_copy', expected no_f64"));
}

// A driver's device, whose text can be parsed again.
TEST(TargetTest, DevicesMayLackDoubles) {
  const Target target = Made("opencl(features=no_f64)");
  EXPECT_TRUE(target.HasFeature("no_f64"));
  EXPECT_EQ(Made(target.ToText()), target);
  EXPECT_EQ(Made("opencl").ToText().find("features"), std::string::npos);
  EXPECT_EQ(Made("cuda(arch=sm_80,device=mine)").gpu.name, "mine");
}

TEST(TargetTest, DevicesMayLimitBuffers) {
  const Target target = Made("opencl(features=\"no_f64,buffer_1000\")");
  EXPECT_TRUE(target.HasFeature("buffer_1000"));
  EXPECT_TRUE(target.HasFeature("no_f64"));
  EXPECT_EQ(Made(target.ToText()), target);
  for (const char* wrong : {"buffer_", "buffer_0", "buffer_1k", "buffer_-1"}) {
    EXPECT_THAT(TargetFault(std::string("opencl(features=\"") + wrong + "\")"),
                HasSubstr("expected no_f64 or buffer_BYTES"))
        << wrong;
  }
}

TEST(TargetTest, RefusesNonsense) {
  EXPECT_THAT(TargetFault("lvm"),
              HasSubstr("unknown target 'lvm': expected one of llvm, interpreter"));
  EXPECT_THAT(TargetFault("llvm(core=1)"), HasSubstr("did you mean 'cores'?"));
  EXPECT_THAT(TargetFault("llvm(cores=0)"), HasSubstr("key 'cores' is 0, expected 1 to"));
  EXPECT_THAT(TargetFault("llvm(vector_bits=100)"), HasSubstr("expected one of 128, 256, 512"));
  EXPECT_THAT(TargetFault("llvm(warm=3)"), HasSubstr("expected true or false"));
}

TEST(TargetTest, ListsTargets) {
  const auto entries = BuiltinTargets();
  ASSERT_EQ(entries.size(), 4u);
  for (const auto& entry : entries) {
    EXPECT_EQ(MakeTarget(ExampleTarget(entry.name)).BackendName(), entry.name);
    if (entry.name != "cuda") continue;
    for (const std::string& card : GpuCardWords()) {
      EXPECT_THAT(entry.description, HasSubstr(card));
    }
  }
}

}  // namespace
}  // namespace schedulegym
