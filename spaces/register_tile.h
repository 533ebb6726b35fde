// RegisterTile: the block of results that a reduction keeps in registers, and what it should cost.
#pragma once

#include <cstdint>
#include <vector>

#include "env/program/target.h"
#include "spaces/nest_facts.h"

namespace schedulegym {

// What of a core the cost model knows.
struct CoreModel {
  int lanes = 4;
  int registers = 16;

  // Of elements of this type.
  static CoreModel Of(const Target& target, DType type);
};

struct RegisterTile {
  int vector = -1;            // dimension along which vectors lie, -1 for scalars
  int64_t lanes = 1;          // of one vector
  std::vector<int64_t> size;  // by dimension: steps; along `vector`: vectors
  int64_t Vectors() const;    // registers that hold results
};

// Which reads are, or can be made, contiguous along a dimension: those of weights at no cost.
struct PackingCosts {
  bool pack_weights = true;
  bool pack_inputs = true;
};

// Reductions whose loops are unrolled inside the innermost one that is not: short ones, from the
// innermost outward, up to `most_steps` copies.
std::vector<int> UnrolledReductions(const NestFacts& facts, int64_t most_steps);

class RegisterTileCost {
 public:
  RegisterTileCost(const ScheduleState& state, const NestFacts& facts, const CoreModel& core,
                   std::vector<int> unrolled);

  // Cycles of one core for the whole nest, results in registers; packing of inputs included.
  double Cycles(const RegisterTile& tile) const;
  // The cheapest tile whose results fit `registers`; `fixed` are most steps of each dimension (0
  // for free).
  RegisterTile Best() const;

 private:
  double StepCycles(const RegisterTile& tile, const std::vector<int64_t>& size) const;
  double LoadCycles(const Operand& operand, const RegisterTile& tile,
                    const std::vector<int64_t>& size) const;
  double PackCycles(const RegisterTile& tile) const;
  void TryVector(int vector, RegisterTile& best, double& least) const;

  const ScheduleState& state_;
  const NestFacts& facts_;
  CoreModel core_;
  std::vector<int> unrolled_;
};

// Whether a copy of the operand's tensor can be laid out along the dimension.
bool CanPack(const ScheduleState& state, const NestFacts& facts, const Operand& operand,
             int dimension);

}  // namespace schedulegym
