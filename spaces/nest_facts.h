// NestFacts: what tiling must know of a stage: dimensions, reads, register tiles, work.
#pragma once

#include <cstdint>
#include <vector>

#include "env/schedule/state.h"
#include "spaces/schedule_builder.h"

namespace schedulegym {

// An axis of a stage, or one of two parts of an axis that reads divide: of o in X[o // 16 * 8 + c]
// the parts are o // 16 and o % 16.
struct NestDimension {
  enum class Part : uint8_t { kWhole, kOuter, kInner };
  int axis = 0;
  Part part = Part::kWhole;
  int64_t extent = 1;
  int64_t stride = 1;  // steps of the axis in one of the dimension
  bool reduction = false;
  // An inner part that decides, with the reduction's loops, whether a term counts at all: unrolled
  // with them, what does not count vanishes.
  bool decides = false;
};

// A read, or the write of the stage itself (stage -1).
struct Operand {
  int stage = -1;
  std::vector<int64_t> strides;  // by dimension: elements that the address moves by one step
  // By index: the axis that alone makes it up or, of weights, i of `o * extent of i + i`; else -1.
  std::vector<int> axis_of;
};

// What tiling must know of a stage: its dimensions and how its reads move along them.
struct NestFacts {
  int stage = 0;
  DType type = DType::kF32;
  std::vector<NestDimension> dimensions;  // spatial first, in order of axes
  std::vector<Operand> operands;          // distinct reads
  Operand output;
  bool has_conditions = false;  // terms of the reduction that may not count
  double steps = 1;             // iterations over the whole tensor

  // Dimensions, rising.
  std::vector<int> spatial;  // without those that decide
  std::vector<int> deciding;
  std::vector<int> reductions;

  const std::vector<int>& Spatial() const { return spatial; }
  const std::vector<int>& Deciding() const { return deciding; }
  const std::vector<int>& Reductions() const { return reductions; }
  int64_t Points(bool reduction) const;  // product of the extents
};

// Of the stage as it stands, inlined producers included. Without `parity`, axes whose parts decide
// whether terms count are left whole.
NestFacts AnalyzeNest(const ScheduleState& state, int stage, bool parity = true);

// Whether the stage reads each element of the largest tensor that it reads more than a few times.
bool ReadsAgain(const ScheduleState& state, const NestFacts& facts);

// Bytes of a stage's tensor.
int64_t TensorBytes(const StageOp& op);
// A tensor that stays the same from call to call.
bool IsWeightStage(const ScheduleState& state, int stage);

// The block of results that a reduction keeps in registers.
struct RegisterTile {
  int vector = -1;            // dimension along which vectors lie, -1 for scalars
  int64_t lanes = 1;          // of one vector
  std::vector<int64_t> size;  // by dimension: steps; along `vector`: vectors

  bool operator==(const RegisterTile&) const = default;

  // Registers that hold results.
  int64_t Vectors() const;
};

// Reductions whose loops are unrolled inside the innermost one that is not: short ones, from the
// innermost outward, up to `most_steps` copies.
std::vector<int> UnrolledReductions(const NestFacts& facts, int64_t most_steps);

// Whether a copy of the operand's tensor can be laid out along the dimension.
bool CanPack(const ScheduleState& state, const NestFacts& facts, const Operand& operand,
             int dimension);

// Below so many seconds of one core a nest stays serial.
inline constexpr double kWorthThreads = 8e-6;

// Of one core, from arithmetic and memory traffic of a stage computed whole; rough.
double EstimateSeconds(const ScheduleState& state, int stage);

// How many of the first loops, of these extents, to fuse so that the cores are busy alike.
int BalancedPrefix(const std::vector<int64_t>& extents, int cores);

// Fuses the first loops of a stage at the root, as far as they are spatial and plain and leave
// `keep` loops, and makes them parallel; nothing where the work is small.
void ParallelizeOuter(ScheduleBuilder& builder, int stage, int keep);

}  // namespace schedulegym
