// Roofline of each statement: seconds = max(compute, traffic of each cache) + start of parallel
// loops.
//   compute = blocks * (max(arithmetic, loads + stores, chain) + spill + loop) / hertz / busy cores
// Blocks are the unrolled and vector loops. Bytes missed grow from the innermost loop out: by the
// ratio of footprints where what one iteration touches, in whole lines, fits the cache, else by the
// extent; few places of pages leave less room in the first two. Sources of the constants in
// analytical_cost.h:
//   Agner Fog, Instruction tables, Intel Skylake: 2 multiply-adds (VFMADD), 2 loads and 1 store a
//   cycle, latency 4 (VFMADD), division 5 (VDIVPS of 256 bits).
//   Chosen, without a kept measurement: hertz, the three bandwidths, function 20, loop 1.5, spill 2
//   (a store and a load), start 5 us, and the 3 registers of operands.
// Version 2 fits a coefficient to each term: cost_terms.h has machine and date.
// Cost: O(accesses * loops) a statement for each cache.
#include "env/features/analytical_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace schedulegym {
namespace {

// The innermost loops of a nest that are unrolled or vectors: straight code.
struct Block {
  double iterations = 1;
  double vectors = 1;  // instructions that do an operation once in each iteration
  int64_t lanes = 1;   // of the vector loop; 1 without one
  int vector_level = -1;
};

// How a cache finds the set of a line: by its address, or by a hash of the address as shared caches
// do.
enum Indexing { kPlaced, kHashed };

class NestCost {
 public:
  NestCost(const Target& target, const AnalyticalCostOptions& options, const LoopNest& nest)
      : target_(target), options_(options), nest_(nest) {
    for (size_t level = nest.flat_level; level < nest.loops.size(); ++level) {
      const NestLoop& loop = nest.loops[level];
      block_.iterations *= static_cast<double>(loop.extent);
      if (loop.annotation != Annotation::kVectorize) continue;
      block_.lanes = loop.extent;
      block_.vector_level = static_cast<int>(level);
    }
    block_.vectors = block_.iterations * VectorShare();
    FindFootprints();
  }

  StageCost Run() const {
    StageCost cost;
    cost.stage = nest_.stage;
    const double cores = BusyCores();
    cost.compute_seconds = ComputeCycles() / options_.hertz / cores;
    cost.l2_seconds = MissedBytes(target_.l1_bytes, kPlaced) / options_.l2_bytes_per_second / cores;
    cost.l3_seconds = MissedBytes(target_.l2_bytes, kPlaced) / options_.l3_bytes_per_second / cores;
    cost.memory_seconds = MissedBytes(target_.l3_bytes, kHashed) / options_.memory_bytes_per_second;
    cost.parallel_seconds = ParallelSeconds();
    cost.blocks = nest_.iterations / block_.iterations;
    cost.block_vectors = block_.vectors;
    cost.arithmetic_cycles = ArithmeticCycles();
    cost.access_cycles = MemoryCycles();
    cost.chain_cycles = ChainCycles();
    cost.spill_cycles = SpillCycles();
    cost.results = Instructions(nest_.accesses[0]);
    cost.keeps_results = KeepsResults();
    cost.busy_cores = cores;
    return cost;
  }

 private:
  // Instructions for each iteration of the vector loop.
  double VectorShare() const {
    if (block_.vector_level < 0) return 1;
    const auto lanes =
        static_cast<double>(std::max(1, target_.VectorLanes(nest_.accesses[0].element_bytes)));
    const auto extent = static_cast<double>(block_.lanes);
    return std::ceil(extent / lanes) / extent;
  }

  // Mean number of busy cores: if 5 iterations run on 2 cores, the last runs alone.
  double BusyCores() const {
    double iterations = 1;
    for (const NestLoop& loop : nest_.loops) {
      if (loop.annotation == Annotation::kParallel) iterations *= static_cast<double>(loop.extent);
    }
    return iterations / std::ceil(iterations / target_.cores);
  }

  // Seconds to start and end the nest's own parallel loops, over all of their runs.
  double ParallelSeconds() const {
    double runs = nest_.outer_iterations;
    for (size_t level = nest_.outer; level < nest_.loops.size(); ++level) {
      if (nest_.loops[level].annotation == Annotation::kParallel) {
        return runs * options_.parallel_seconds;
      }
      runs *= static_cast<double>(nest_.loops[level].extent);
    }
    return 0;
  }

  double ComputeCycles() const {
    const double blocks = nest_.iterations / block_.iterations;
    const double work = std::max({ArithmeticCycles(), MemoryCycles(), ChainCycles()});
    return blocks * (work + SpillCycles() + options_.loop_cycles);
  }

  double ArithmeticCycles() const {
    using Kind = OperationKind;
    const OperationCounts& counts = nest_.operations;
    const double adds = counts[Kind::kFloatAdd], multiplies = counts[Kind::kFloatMultiply];
    const double divides = counts[Kind::kFloatDivide];
    const double functions = counts[Kind::kFloatFunction] + counts[Kind::kFloatCall];
    // An addition and a multiplication are one instruction; so is any other operation on values.
    const double plain = counts.Flops() - divides - functions - std::min(adds, multiplies) +
                         counts[Kind::kBoolean] + counts[Kind::kSelect];
    return block_.vectors * (plain / options_.vectors_per_cycle + divides * options_.divide_cycles +
                             functions * options_.function_cycles);
  }

  // Load or store instructions of the access in one block.
  double Instructions(const NestAccess& access) const {
    double places = 1;
    for (size_t level = nest_.flat_level; level < nest_.loops.size(); ++level) {
      if (access.strides[level] != 0) places *= static_cast<double>(nest_.loops[level].extent);
    }
    const bool is_vector = block_.vector_level >= 0 && access.strides[block_.vector_level] == 1;
    return is_vector ? places * VectorShare() : places;
  }

  // Whether the results stay in registers from block to block: the enclosing loop does not change
  // their address.
  bool KeepsResults() const {
    return nest_.first_reduction && nest_.flat_level > 0 &&
           nest_.accesses[0].strides[nest_.flat_level - 1] == 0;
  }

  double MemoryCycles() const {
    double loads = 0, stores = 0;
    for (const NestAccess& access : nest_.accesses) {
      if (access.is_store && KeepsResults()) continue;
      if (access.is_read) loads += Instructions(access);
      if (access.is_store) stores += Instructions(access);
    }
    return loads / options_.loads_per_cycle + stores / options_.stores_per_cycle;
  }

  // Each result of a sum waits for the one before.
  double ChainCycles() const {
    if (!nest_.first_reduction) return 0;
    return options_.latency_cycles * block_.vectors / Instructions(nest_.accesses[0]);
  }

  // Cycles to load and store, for each term, the results that find no register beside the operands.
  double SpillCycles() const {
    if (!KeepsResults()) return 0;
    constexpr double kOperands = 3;  // registers of operands; chosen
    const double results = Instructions(nest_.accesses[0]);
    const double excess = results + kOperands - target_.vector_registers;
    return std::max(0.0, excess) * options_.spill_cycles * block_.vectors / results;
  }

  void FindFootprints() {
    footprints_.reserve(nest_.accesses.size() * (nest_.loops.size() + 1));
    for (size_t level = 0; level <= nest_.loops.size(); ++level) {
      double sum = 0;
      for (const NestAccess& access : nest_.accesses) {
        footprints_.push_back(LinesTouched(access, level));
        sum += footprints_.back();
      }
      working_sets_.push_back(sum);
    }
  }

  double Footprint(size_t access, size_t level) const {
    return footprints_[level * nest_.accesses.size() + access];
  }

  // Bytes of cache that the access' lines need to stay while the loops from that level on run.
  // Lines at the same few offsets of many pages map to few sets, so that they need more; results in
  // registers need nothing of their own.
  double Room(size_t access, size_t level, Indexing indexing) const {
    const bool in_registers = access == 0 && KeepsResults();
    if (indexing == kHashed || in_registers || level >= nest_.loops.size()) {
      return working_sets_[level];
    }
    const auto layers = static_cast<double>(nest_.accesses[access].page_layers[level]);
    return std::max(working_sets_[level], layers * kPageBytes);
  }

  // Bytes of all lines that the access touches.
  double LinesTouched(const NestAccess& access, size_t level) const {
    const auto element = static_cast<double>(access.element_bytes);
    if (level >= nest_.loops.size()) return static_cast<double>(target_.line_bytes);
    const auto run = static_cast<double>(access.runs[level]) * element;
    const double runs = static_cast<double>(access.touched[level]) * element / run;
    return runs * std::max(run, static_cast<double>(target_.line_bytes));
  }

  // Bytes that a cache of this size reads from the next level, over the whole run.
  double MissedBytes(int64_t cache_bytes, Indexing indexing) const {
    const auto size = static_cast<double>(cache_bytes);
    double bytes = 0;
    for (size_t access = 0; access < nest_.accesses.size(); ++access)
      bytes += Missed(access, size, indexing);
    return bytes;
  }

  double Missed(size_t access, double size, Indexing indexing) const {
    if (target_.warm && Room(access, 0, indexing) <= size) return 0;
    const size_t depth = nest_.loops.size();
    const auto home = static_cast<size_t>(nest_.accesses[access].home);
    // A buffer that is local to one iteration has the same addresses in each iteration.
    if (home > 0 && Footprint(access, home) <= size) return 0;
    double missed = Footprint(access, depth);
    for (size_t level = depth; level-- > 0;) {
      // Lines of one iteration are still in the cache in the next.
      const bool stays = Room(access, level + 1, indexing) <= size && level >= home;
      missed *= stays ? Footprint(access, level) / Footprint(access, level + 1)
                      : static_cast<double>(nest_.loops[level].extent);
    }
    return missed;
  }

  const Target& target_;
  const AnalyticalCostOptions& options_;
  const LoopNest& nest_;
  Block block_;
  std::vector<double> footprints_;    // by level and access: of the loops from that level on
  std::vector<double> working_sets_;  // by level: of all accesses
};

}  // namespace

double StageCost::Seconds() const {
  return std::max({compute_seconds, l2_seconds, l3_seconds, memory_seconds}) + parallel_seconds;
}

double AnalyticalCost::Seconds() const {
  return std::accumulate(stages.begin(), stages.end(), 0.0,
                         [](double sum, const StageCost& stage) { return sum + stage.Seconds(); });
}

AnalyticalCost EstimateCost(const ScheduleState& state, const AnalyticalCostOptions& options) {
  return EstimateCost(state.task().target, FindLoopNests(state), options);
}

AnalyticalCost EstimateCost(const Target& target, const LoopNests& nests,
                            const AnalyticalCostOptions& options) {
  AnalyticalCost cost;
  for (const LoopNest& nest : nests.nests) {
    if (nest.is_prepared) continue;
    cost.stages.push_back(NestCost(target, options, nest).Run());
  }
  return cost;
}

}  // namespace schedulegym
