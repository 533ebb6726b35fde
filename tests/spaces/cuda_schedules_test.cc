// Random schedules of the space `ansor`, as admitted to a search, compiled for each architecture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "backends/cuda/nvrtc.h"
#include "backends/cuda/toolkit_files.h"
#include "backends/device_text/device_text.h"
#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/task_list.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

std::unique_ptr<Nvrtc> FindNvrtc() {
  try {
    return std::make_unique<Nvrtc>(NvrtcPlaces());
  } catch (const MachineError&) {
    return nullptr;
  }
}

// The operators of the smoke suite, and as often matrix products as large as tiles allow.
std::vector<Spec> Workloads() {
  std::vector<Spec> workloads;
  const Suite smoke = *FindSuite("smoke");
  for (const SuiteCase& entry : smoke.cases) {
    workloads.push_back(entry.workload);
    workloads.push_back(ParseSpec("matmul(m=512,n=512,k=512)").value());
  }
  return workloads;
}

bool Spills(const CudaCode& code) {
  return std::ranges::any_of(
      code.resources, [](const KernelResources& kernel) { return kernel.spill_store_bytes > 0; });
}

// So that a thread may have all registers that its block's launch leaves: else ptxas takes fewer,
// for more blocks at a time, and would rather spill a few bytes.
std::string WithAllRegisters(std::string source) {
  const std::string bounds = "__launch_bounds__(";
  for (size_t at = source.find(bounds); at != std::string::npos; at = source.find(bounds, at)) {
    at = source.find(')', at);
    source.insert(at, ", 1");
  }
  return source;
}

class CudaSchedulesTest : public testing::TestWithParam<const char*> {};

// SCHEDULEGYM_DRAWS makes more of them. What admits them is there for those that would spill with
// all registers of a block.
TEST_P(CudaSchedulesTest, AdmittedOnesCompileAndHardlySpill) {
  const std::unique_ptr<Nvrtc> nvrtc = FindNvrtc();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC: ./sg setup cuda";
  const char* said = std::getenv("SCHEDULEGYM_DRAWS");
  const int draws = said ? std::atoi(said) : 3;
  const Target target = MakeTarget(ParseSpec("cuda(card=" + std::string(GetParam()) + ")").value());
  const std::vector<Spec> workloads = Workloads();
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(31);
  int compiled = 0, spilling = 0, short_of_registers = 0;
  while (compiled < draws) {
    const auto task = MakeTask(workloads[static_cast<size_t>(compiled) % workloads.size()], target);
    const Result<ScheduleState> state = space->Sample(task, rng);
    if (!state || !space->Admit(*state)) continue;
    const DeviceProgram device = DeviceText(Lower(*state).value(), CudaDialect()).value();
    const Result<CudaCode> code = nvrtc->Compile(device.source, target.gpu.arch);
    ASSERT_TRUE(code.ok()) << code.error().message << "\n" << state->TraceText();
    ++compiled;
    if (!Spills(*code)) continue;
    ++spilling;
    const Result<CudaCode> whole = nvrtc->Compile(WithAllRegisters(device.source), target.gpu.arch);
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    short_of_registers += Spills(*whole) ? 1 : 0;
  }
  std::printf("%s: %d of %d spill, %d with all registers of a block\n", target.gpu.arch.c_str(),
              spilling, compiled, short_of_registers);
  EXPECT_LE(short_of_registers * 100, compiled);
}

// Conversions are instructions of PTX, which g++ does not read.
TEST_P(CudaSchedulesTest, HalvesCompile) {
  const std::unique_ptr<Nvrtc> nvrtc = FindNvrtc();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC: ./sg setup cuda";
  const Target target = MakeTarget(ParseSpec("cuda(card=" + std::string(GetParam()) + ")").value());
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(37);
  for (const char* workload :
       {"matmul(m=256,n=256,k=256,dtype=f16)", "softmax(m=64,n=256,dtype=bf16)"}) {
    const auto task = MakeTask(ParseSpec(workload).value(), target);
    for (const DeviceDialect* dialect : {&CudaDialect(), &AsyncCudaDialect()}) {
      const ScheduleState state = space->Sample(task, rng).value();
      const DeviceProgram device = DeviceText(Lower(state).value(), *dialect).value();
      const Result<CudaCode> code = nvrtc->Compile(device.source, target.gpu.arch);
      EXPECT_TRUE(code.ok()) << code.error().message << "\n" << device.source;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaSchedulesTest,
                         testing::Values("a100", "rtx3090", "rtx4090", "h100"));

}  // namespace
}  // namespace schedulegym
