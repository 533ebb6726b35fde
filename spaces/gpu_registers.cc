// Registers of a thread, as ptxas gives them to the kernels of a GPU's text, by n accumulators:
//   n + 4 sqrt(n) + 10 + 4 loops           where a block shares memory
//   n + 2 sqrt(n) + 4.5 + 1.5 steps reads  of another reduction
//   n + 2 sqrt(n) + 9 + 2.5 reads          of a kernel without a reduction
// Accumulators are the cells of all local buffers, for each virtual thread; the root stands for the
// fragments of the two operands of a square tile; loops are those of a thread, which has places of
// its own in each. A reduction's loads overlap as far as the multiprocessor still takes all of its
// threads: 65,536 registers for 2,048 are 32 for each (sm_80, sm_90a), for 1,536 40 (sm_86, sm_89;
// CUDA Programming Guide, Technical Specifications per Compute Capability); n + 2 sqrt(n) + 14 are
// taken anyway. Where memory is shared they overlap as far as there are registers: what a thread
// needs at least is n + 2 sqrt(n) + 26. The numbers are least errors over 1,188 kernels of random
// schedules of the smoke suite, by NVRTC 13.0 for sm_86 and sm_90a, and of 163 reductions that
// share nothing for sm_80, sm_89 and sm_90a. A thread has at most 255, and a block at most 65536,
// in steps of 8. Not counted: loads that ptxas moves ahead of their use where all loops of a step
// are unrolled. Three kernels of 200 spill so on sm_90a; none does once the innermost reduction
// stays a loop, and all three do where copies to shared memory stay loops.
// Cost: that of InferLoops.
#include "spaces/gpu_registers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "env/program/expressions/integer_math.h"
#include "env/schedule/loop_structure.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

constexpr double kAddresses = 26;
constexpr int64_t kStep = 8;  // registers are allocated in this step

bool IsThread(Annotation annotation) { return annotation >= Annotation::kThreadX; }

using ThreadExtents = std::array<int64_t, 3>;

// Sums over the stages of one kernel.
struct KernelSums {
  int64_t own_cells = 0;  // of 32 bits, of one virtual thread
  int64_t vthreads = 1;
  ThreadExtents threads = {1, 1, 1};
  int64_t loops = 0;  // loops of a thread with more than one step
  int64_t reads = 0;
  int64_t steps = 0;  // steps of the longest reduction in a thread; 0 without one
  bool shares_memory = false;
};

// All loops on one axis of a kernel are the same threads; the longest counts.
void TakeLoops(const StructureStage& nest, KernelSums& sums) {
  int64_t vthreads = 1;
  for (const StructureLoop& loop : nest.loops) {
    if (loop.annotation == Annotation::kVthread) vthreads *= loop.extent;
    sums.loops += loop.annotation < Annotation::kParallel && loop.extent > 1 ? 1 : 0;
    if (!IsThread(loop.annotation)) continue;
    int64_t& extent = sums.threads.at(static_cast<size_t>(loop.annotation) -
                                      static_cast<size_t>(Annotation::kThreadX));
    extent = std::max(extent, loop.extent);
  }
  sums.vthreads = std::max(sums.vthreads, vthreads);
}

// Number of cells of a stage's buffer that a virtual thread keeps.
int64_t CellsOfThread(const ScheduleState& state, const StructureStage& nest) {
  const Stage& stage = state.stage(nest.stage);
  int64_t cells = 1;
  if (nest.parent >= 0) {
    if (IsForBlock(state, nest.stage)) return 0;
    for (const int64_t extent : nest.region) cells *= extent;
  } else {
    // The root counts the registers of its reduction.
    if (!stage.effective->is_reduction()) return 0;
    bool is_within = false;
    for (const StructureLoop& loop : nest.loops) {
      is_within = is_within || loop.reduction;
      if (is_within && !loop.reduction) cells *= loop.extent;
    }
  }
  // The CUDA text keeps halves as floats.
  return CeilDivide(cells * SizeInBytes(AccumulatorType(stage.op->type)), int64_t{4});
}

void TakeStage(const ScheduleState& state, const StructureStage& nest, KernelSums& sums) {
  const StageOp& op = *state.stage(nest.stage).effective;
  sums.reads += std::ssize(op.reads);
  sums.shares_memory = sums.shares_memory || (nest.parent >= 0 && IsForBlock(state, nest.stage));
  if (!op.is_reduction()) return;
  int64_t steps = 1;
  for (const StructureLoop& loop : nest.loops) {
    if (loop.reduction && !IsThread(loop.annotation)) steps *= loop.extent;
  }
  sums.steps = std::max(sums.steps, steps);
}

int64_t MostRegisters(const GpuFacts& gpu, const ThreadExtents& threads) {
  const int64_t count = threads[0] * threads[1] * threads[2];
  const int64_t launched = CeilDivide(count, int64_t{gpu.warp}) * gpu.warp;
  const int64_t share = gpu.block_registers / launched / kStep * kStep;
  return std::min<int64_t>(gpu.thread_registers, share);
}

// Most threads that a multiprocessor can run at once.
int64_t ResidentThreads(const std::string& arch) {
  if (arch == "sm_75") return 1024;
  const auto is_of = [&](const char* family) { return arch.starts_with(family); };
  return is_of("sm_86") || is_of("sm_87") || is_of("sm_89") || is_of("sm_12") ? 1536 : 2048;
}

// Registers of a thread if a multiprocessor runs its most threads.
int64_t SharedByAll(const GpuFacts& gpu) {
  return gpu.block_registers / ResidentThreads(gpu.arch) / kStep * kStep;
}

double UnlimitedRegisters(const KernelSums& sums, double cells, const GpuFacts& gpu) {
  const double root = std::sqrt(cells);
  if (sums.shares_memory) return cells + 4 * root + 10 + 4 * static_cast<double>(sums.loops);
  const double kept = cells + 2 * root;
  if (sums.steps == 0) return kept + 9 + 2.5 * static_cast<double>(sums.reads);
  const double overlapping = kept + 4.5 + 1.5 * static_cast<double>(sums.steps * sums.reads);
  return std::min(overlapping, std::max(kept + 14, static_cast<double>(SharedByAll(gpu))));
}

double RegistersOf(const KernelSums& sums, int64_t accumulators, int64_t most,
                   const GpuFacts& gpu) {
  const auto cells = static_cast<double>(accumulators);
  const double least = cells + 2 * std::sqrt(cells) + kAddresses;
  return std::min(UnlimitedRegisters(sums, cells, gpu), std::max(least, static_cast<double>(most)));
}

}  // namespace

std::vector<RegisterEstimate> EstimateRegisters(const ScheduleState& state) {
  const LoopStructure structure = InferLoops(state);
  std::map<int, KernelSums> kernels;  // by the stage at the root
  for (const StructureStage& nest : structure.stages) {
    int root = nest.stage;
    while (state.stage(root).location == Location::kAt) root = state.stage(root).target;
    KernelSums& sums = kernels[root];
    sums.own_cells += CellsOfThread(state, nest);
    TakeLoops(nest, sums);
    TakeStage(state, nest, sums);
  }
  std::vector<RegisterEstimate> estimates;
  for (const auto& [root, sums] : kernels) {
    const int64_t accumulators = sums.own_cells * sums.vthreads;
    const GpuFacts& gpu = state.task().target.gpu;
    const int64_t most = MostRegisters(gpu, sums.threads);
    estimates.push_back({root, accumulators, RegistersOf(sums, accumulators, most, gpu), most});
  }
  return estimates;
}

Result<void> CheckRegisters(const ScheduleState& state) {
  if (state.task().target.backend != BackendKind::kCuda) return {};
  for (const RegisterEstimate& kernel : EstimateRegisters(state)) {
    if (kernel.registers <= static_cast<double>(kernel.most)) continue;
    return Illegal(state.stage(kernel.stage).op->name + ": found about " +
                   std::to_string(std::lround(kernel.registers)) +
                   " registers of a thread, expected at most " + std::to_string(kernel.most));
  }
  return {};
}

}  // namespace schedulegym
