// Pruner's draft formula (arXiv 2402.02361, section 4; constants and the maximum in place of the
// paper's sum as in its released code):
//   compute = operations * reuse / (peak * warp * occupancy / registers),  seconds = max(compute,
//   bytes / bandwidth), summed over statements.
// Departures: traffic is in bytes rather than elements; a statement that computes has traffic too,
// of the buffers that it reads from the device's memory; distinct elements of a block count once.
// A loop of threads around a stage that has such a loop itself stands for the same threads. What
// blocks share is copied once for a block, whatever threads or virtual threads are around.
// Cost: O(accesses * loops) a statement.
#include "env/features/pruner_cost.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>

#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

// Pruner's device model: partitions of a multiprocessor, registers of a thread without a penalty.
constexpr double kPartitions = 4;
constexpr double kFreeRegisters = 128;

bool IsBlock(Annotation annotation) {
  return annotation >= Annotation::kBlockX && annotation <= Annotation::kBlockZ;
}
bool IsThread(Annotation annotation) {
  return annotation >= Annotation::kThreadX;
}  // no virtual thread

// FLOP/s of one multiprocessor by compute capability: data sheets' peaks over their units (T4 8.1
// TFLOP/s and 40, A100 19.5 and 108, RTX 3090 35.6 and 82, RTX 4090 82.6 and 128, H100 67 and 132).
double FlopsOfUnit(const std::string& arch) {
  constexpr std::string_view kPrefix = "sm_";
  int number = 0;
  if (arch.starts_with(kPrefix)) {
    std::from_chars(arch.data() + kPrefix.size(), arch.data() + arch.size(), number);
  }
  if (number > 0 && number < 80) return 8.1e12 / 40;
  if (number == 80) return 19.5e12 / 108;
  if (number >= 86 && number < 89) return 35.6e12 / 82;
  if (number == 89) return 82.6e12 / 128;
  return 67e12 / 132;
}

class WorkFinder {
 public:
  WorkFinder(const ScheduleState& state, const LoopNest& nest)
      : state_(state), nest_(nest), is_run_(nest.loops.size(), true) {
    DropSameThreads();
  }

  PrunerWork Run() const {
    PrunerWork work;
    work.stage = nest_.stage;
    double steps = 1;  // of one thread
    for (size_t level = 0; level < nest_.loops.size(); ++level) {
      if (!is_run_[level]) continue;
      const Annotation annotation = nest_.loops[level].annotation;
      const auto extent = static_cast<double>(nest_.loops[level].extent);
      (IsBlock(annotation) ? work.blocks : IsThread(annotation) ? work.threads : steps) *= extent;
    }
    work.thread_operations = steps * OperationsOfStep();
    for (const NestAccess& access : nest_.accesses) {
      if (work.thread_operations > 0) {
        work.registers += Places(access, &nest_.accesses[0]);
        work.thread_accesses += Places(access, nullptr);
      }
      if (IsGlobal(access)) work.global_bytes += BytesOfBlock(access) * work.blocks;
    }
    return work;
  }

 private:
  void DropSameThreads() {
    const bool is_shared = IsForBlock(state_, nest_.stage);
    std::array<int, 3> innermost = {-1, -1, -1};
    for (size_t level = 0; level < nest_.loops.size(); ++level) {
      const Annotation annotation = nest_.loops[level].annotation;
      const bool is_around = static_cast<int>(level) < nest_.outer;
      const bool is_vthread = annotation == Annotation::kVthread;
      if (is_shared && is_around && (is_vthread || IsThread(annotation))) is_run_[level] = false;
      if (!IsThread(annotation)) continue;
      int& other =
          innermost.at(static_cast<size_t>(annotation) - static_cast<size_t>(Annotation::kThreadX));
      if (other >= 0) is_run_[static_cast<size_t>(other)] = false;
      other = static_cast<int>(level);
    }
  }

  // 0 for copies, 1 for a step of integers: their indices are integers too.
  double OperationsOfStep() const {
    const StageOp& op = *state_.stage(nest_.stage).effective;
    if (op.value->op == Op::kRead && !op.is_reduction()) return 0;
    const double flops = nest_.operations.Flops();
    return flops > 0 ? flops : 1;
  }

  bool IsOfThread(size_t level) const {
    const Annotation annotation = nest_.loops[level].annotation;
    return is_run_[level] && !IsBlock(annotation) && !IsThread(annotation);
  }

  // Product of the thread's loops that move the access, and `also` where one is given.
  double Places(const NestAccess& access, const NestAccess* also) const {
    double places = 1;
    for (size_t level = 0; level < nest_.loops.size(); ++level) {
      if (!IsOfThread(level) || access.strides[level] == 0) continue;
      if (also == nullptr || also->strides[level] != 0) {
        places *= static_cast<double>(nest_.loops[level].extent);
      }
    }
    return places;
  }

  // A stage that is computed within a loop is stored in a block or a thread, not in global memory.
  bool IsGlobal(const NestAccess& access) const {
    return state_.stage(access.buffer).location != Location::kAt;
  }

  // Counts each element at most once.
  double BytesOfBlock(const NestAccess& access) const {
    double places = 1;
    size_t inner = 0;  // the first level within all loops over blocks
    for (size_t level = 0; level < nest_.loops.size(); ++level) {
      if (IsBlock(nest_.loops[level].annotation)) inner = level + 1;
    }
    for (size_t level = 0; level < nest_.loops.size(); ++level) {
      const bool is_block = IsBlock(nest_.loops[level].annotation);
      if (!is_run_[level] || is_block || access.strides[level] == 0) continue;
      places *= static_cast<double>(nest_.loops[level].extent);
    }
    const double touched =
        inner < nest_.loops.size() ? static_cast<double>(access.touched[inner]) : 1;
    return std::min(places, std::max(touched, 1.0)) * static_cast<double>(access.element_bytes);
  }

  const ScheduleState& state_;
  const LoopNest& nest_;
  std::vector<bool> is_run_;  // by level: not the same threads as another loop, or shared by them
};

}  // namespace

double PeakFlops(const GpuFacts& gpu) { return FlopsOfUnit(gpu.arch) * gpu.units; }

PrunerPenalties PenaltiesOf(const PrunerWork& work, const GpuFacts& gpu) {
  PrunerPenalties penalties;
  const double warps = work.threads / gpu.warp;
  penalties.warp = warps / std::ceil(warps);
  if (work.thread_accesses > 0) {
    penalties.reuse = 1 + 1 / (1 + work.thread_operations / work.thread_accesses);
  }
  const auto multiprocessors = static_cast<double>(gpu.units);
  // Few blocks leave partitions idle too.
  const bool is_small = work.blocks < multiprocessors;
  const double units = work.blocks * (is_small ? std::min(std::ceil(warps), kPartitions) : 1);
  const double capacity = multiprocessors * (is_small ? kPartitions : 1);
  penalties.occupancy = units / (std::ceil(units / capacity) * capacity);
  penalties.registers = std::max(1.0, work.registers / kFreeRegisters);
  return penalties;
}

double PrunerSeconds(const PrunerWork& work, const GpuFacts& gpu, PrunerPart without) {
  PrunerPenalties penalties = PenaltiesOf(work, gpu);
  if (without == PrunerPart::kWarp) penalties.warp = 1;
  if (without == PrunerPart::kReuse) penalties.reuse = 1;
  if (without == PrunerPart::kOccupancy) penalties.occupancy = 1;
  if (without == PrunerPart::kRegisters) penalties.registers = 1;
  const double speed = PeakFlops(gpu) * penalties.warp * penalties.occupancy / penalties.registers;
  const double compute = work.Operations() * penalties.reuse / speed;
  const double traffic = work.global_bytes / gpu.bandwidth;
  if (without == PrunerPart::kCompute) return traffic;
  return without == PrunerPart::kTraffic ? compute : std::max(compute, traffic);
}

std::vector<PrunerWork> FindPrunerWork(const ScheduleState& state, const LoopNests& nests) {
  std::vector<PrunerWork> work;
  work.reserve(nests.nests.size());
  for (const LoopNest& nest : nests.nests) work.push_back(WorkFinder(state, nest).Run());
  return work;
}

std::vector<PrunerWork> FindPrunerWork(const ScheduleState& state) {
  return FindPrunerWork(state, FindLoopNests(state));
}

double EstimatePrunerSeconds(const ScheduleState& state, PrunerPart without) {
  const std::vector<PrunerWork> work = FindPrunerWork(state);
  return std::accumulate(work.begin(), work.end(), 0.0, [&](double sum, const PrunerWork& one) {
    return sum + PrunerSeconds(one, state.task().target.gpu, without);
  });
}

}  // namespace schedulegym
