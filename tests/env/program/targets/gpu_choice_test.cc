#include "env/program/targets/gpu_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

GpuFacts Gpu(const char* name, const char* arch) {
  GpuFacts facts;
  facts.name = name;
  facts.arch = arch;
  return facts;
}

std::string ChoiceFault(const std::vector<GpuFacts>& devices, const GpuFacts& wanted) {
  return InputFaultOf([&] { ChooseGpu(devices, wanted); });
}

TEST(GpuChoiceTest, CodeRunsOnLaterDevicesOfItsMajorNumber) {
  EXPECT_TRUE(RunsCodeOf("sm_86", "sm_80"));
  EXPECT_TRUE(RunsCodeOf("sm_90a", "sm_90a"));
  EXPECT_TRUE(RunsCodeOf("sm_90a", "sm_90"));
  EXPECT_FALSE(RunsCodeOf("sm_80", "sm_86"));
  EXPECT_FALSE(RunsCodeOf("sm_90a", "sm_89"));
  EXPECT_FALSE(RunsCodeOf("sm_103", "sm_100a"));
  EXPECT_FALSE(RunsCodeOf("sm_100", "sm_90a"));
  EXPECT_FALSE(RunsCodeOf("sm_90a", ""));
}

TEST(GpuChoiceTest, ANameGoesBeforeAnArchitecture) {
  const std::vector<GpuFacts> devices = {Gpu("A", "sm_80"), Gpu("B", "sm_90a"), Gpu("C", "sm_90a")};
  EXPECT_EQ(ChooseGpu(devices, Gpu("a100", "sm_80")), 0u);
  EXPECT_EQ(ChooseGpu(devices, Gpu("C", "sm_90a")), 2u);
}

TEST(GpuChoiceTest, NoneAndSeveralAreListed) {
  const std::vector<GpuFacts> devices = {Gpu("A", "sm_90a"), Gpu("B", "sm_90a")};
  EXPECT_EQ(ChoiceFault(devices, Gpu("h100", "sm_90a")),
            "device: found several that run sm_90a: 'A' (sm_90a), 'B' (sm_90a); expected "
            "cuda(device=PART OF A NAME), or CUDA_VISIBLE_DEVICES=NUMBER");
  EXPECT_EQ(ChoiceFault(devices, Gpu("a100", "sm_80")),
            "device: found 'A' (sm_90a), 'B' (sm_90a), expected one that runs sm_80");
}

}  // namespace
}  // namespace schedulegym
