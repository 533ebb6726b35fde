// NestFacts: facts about a stage for tiling: dimensions, reads, register tiles, work.
#pragma once

#include <cstdint>
#include <vector>

#include "env/schedule/state.h"
#include "spaces/schedule_builder.h"

namespace schedulegym {

// An axis of a stage, or one of two parts of an axis that reads divide: for o in
// X[o // 16 * 8 + c] the parts are o // 16 and o % 16.
struct NestDimension {
  enum class Part : uint8_t { kWhole, kOuter, kInner };
  int axis = 0;
  Part part = Part::kWhole;
  int64_t extent = 1;
  int64_t stride = 1;  // steps of the axis in one step of the dimension
  bool reduction = false;
  // Deciding: an inner part that determines, with the reduction's loops, whether a term counts. If
  // it is unrolled with them, terms that do not count vanish.
  bool decides = false;
};

// A read, or the write of the stage itself (stage -1).
struct Operand {
  int stage = -1;
  std::vector<int64_t> strides;  // by dimension: elements that the address moves by one step
  // By index: the axis that equals it or, for weights, i in `o * extent of i + i`; else -1.
  std::vector<int> axis_of;
};

// Facts about a stage for tiling: its dimensions, and the strides of its reads along them.
struct NestFacts {
  int stage = 0;
  DType type = DType::kF32;
  std::vector<NestDimension> dimensions;  // spatial first, in order of axes
  std::vector<Operand> operands;          // distinct reads
  Operand output;
  bool has_conditions = false;  // some terms of the reduction may not count
  double steps = 1;             // iterations over the whole tensor

  // Dimensions, in ascending order.
  std::vector<int> spatial;  // without deciding ones
  std::vector<int> deciding;
  std::vector<int> reductions;

  const std::vector<int>& Spatial() const { return spatial; }
  const std::vector<int>& Deciding() const { return deciding; }
  const std::vector<int>& Reductions() const { return reductions; }
  int64_t Points(bool reduction) const;  // product of the extents
};

// Analyzes the current stage, including inlined producers. Without `parity`, axes with deciding
// parts stay whole.
NestFacts AnalyzeNest(const ScheduleState& state, int stage, bool parity = true);

// Returns whether the stage reads each element of its largest input more than a few times.
bool ReadsAgain(const ScheduleState& state, const NestFacts& facts);

// Bytes of a stage's tensor.
int64_t TensorBytes(const StageOp& op);
// True if the stage is a weight: a tensor that is constant between calls.
bool IsWeightStage(const ScheduleState& state, int stage);

// The block of results that a reduction keeps in registers.
struct RegisterTile {
  int vector = -1;            // dimension along which vectors lie, -1 for scalars
  int64_t lanes = 1;          // of one vector
  std::vector<int64_t> size;  // by dimension: steps; along `vector`: number of vectors

  bool operator==(const RegisterTile&) const = default;

  // Registers that hold results.
  int64_t Vectors() const;
};

// Reductions whose loops are unrolled inside the innermost loop that is not unrolled: short ones,
// from the innermost outward, up to `most_steps` copies.
std::vector<int> UnrolledReductions(const NestFacts& facts, int64_t most_steps);

// Returns whether a copy of the operand's tensor can be laid out along the dimension.
bool CanPack(const ScheduleState& state, const NestFacts& facts, const Operand& operand,
             int dimension);

// A nest that takes fewer seconds of one core stays serial.
inline constexpr double kWorthThreads = 8e-6;

// Roughly estimates seconds of one core from arithmetic and memory traffic of a whole stage.
double EstimateSeconds(const ScheduleState& state, int stage);

// Returns how many of the first loops, with these extents, to fuse to balance the cores' load.
int BalancedPrefix(const std::vector<int64_t>& extents, int cores);

// Fuses the first loops of a stage at the root and makes them parallel. They must be spatial and
// without annotation, and leave `keep` loops. Does nothing if the work is small.
void ParallelizeOuter(ScheduleBuilder& builder, int stage, int keep);

}  // namespace schedulegym
