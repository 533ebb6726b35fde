// Random schedules for NVIDIA's cards, compiled by NVRTC: all compile, and none keeps far more than
// fits into registers. SCHEDULEGYM_DRAWS makes more of each kind and prints a line for each: cells
// that a thread keeps, registers estimated, at most, unrolling, registers, bytes of stack and of
// spill, milliseconds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "backends/cuda/nvrtc.h"
#include "backends/cuda/toolkit_files.h"
#include "backends/device_text/device_text.h"
#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "spaces/gpu_registers.h"

namespace schedulegym {
namespace {

constexpr const char* kWorkloads[] = {
    "matmul(m=512,n=512,k=512)",
    "matmul(m=100,n=200,k=300)",
    "conv2d(n=1,h=28,w=28,ci=64,co=64,k=3,s=1,p=1)",
    "softmax(n=512,m=512)",
};
constexpr const char* kArchitectures[] = {"sm_80", "sm_86", "sm_89", "sm_90a"};

std::unique_ptr<Nvrtc> OpenNvrtc() {
  try {
    return std::make_unique<Nvrtc>(NvrtcPlaces());
  } catch (const MachineError&) {
    return nullptr;
  }
}

// ptxas spills a few values where one register less lets another block in.
constexpr int64_t kMostSpill = 256;

class CudaSchedulesTest : public testing::Test {
 protected:
  void Compile(const Nvrtc& nvrtc, const ScheduleState& state) const {
    const DeviceProgram text = DeviceText(Lower(state).value(), CudaDialect()).value();
    const std::clock_t begin = std::clock();
    const Result<CudaCode> code = nvrtc.Compile(text.source, state.task().target.gpu.arch);
    const double milliseconds = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_TRUE(code.ok()) << code.error().message << "\n" << state.TraceText() << text.source;
    KernelResources most;
    for (const KernelResources& kernel : code->resources) {
      most.registers = std::max(most.registers, kernel.registers);
      most.stack_bytes = std::max(most.stack_bytes, kernel.stack_bytes);
      most.spill_store_bytes = std::max(most.spill_store_bytes, kernel.spill_store_bytes);
    }
    EXPECT_LE(most.spill_store_bytes, kMostSpill) << state.TraceText() << text.source;
    if (!prints_) return;
    RegisterEstimate most_kept;
    for (const RegisterEstimate& kernel : EstimateRegisters(state)) {
      if (kernel.registers > most_kept.registers) most_kept = kernel;
    }
    const std::string trace = state.TraceText();
    const size_t unroll = trace.find("auto_unroll_max_step, value=");
    std::printf("draw,%s,%s,%ld,%.0f,%ld,%d,%d,%ld,%ld,%.1f\n", state.task().name.c_str(),
                state.task().target.gpu.arch.c_str(), most_kept.accumulators, most_kept.registers,
                most_kept.most,
                unroll == std::string::npos ? 0 : std::atoi(trace.c_str() + unroll + 28),
                most.registers, most.stack_bytes, most.spill_store_bytes, milliseconds);
  }

  bool prints_ = false;
};

TEST_F(CudaSchedulesTest, CompileAndKeepResultsInRegisters) {
  const auto nvrtc = OpenNvrtc();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC: ./sg setup cuda";
  const char* said = std::getenv("SCHEDULEGYM_DRAWS");
  prints_ = said != nullptr;
  const int draws = said ? std::atoi(said) : 1;
  const auto space = MakeSpace({"ansor", {}});
  Rng rng(7);
  for (const char* workload : kWorkloads) {
    for (const char* arch : kArchitectures) {
      const Target target =
          MakeTarget(ParseSpec(std::string("cuda(card=a100,arch=") + arch + ")").value());
      const auto task = std::make_shared<const Task>(
          Task{MakeWorkload(ParseSpec(workload).value()), target, workload});
      for (int i = 0; i < draws; ++i) {
        Result<ScheduleState> state = space->Sample(task, rng);
        ASSERT_TRUE(state.ok()) << state.error().message;
        if (!space->Admit(*state)) continue;
        Compile(*nvrtc, *state);
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
