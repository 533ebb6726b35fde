// RegisterTile: the block of results that a reduction keeps in registers.
#pragma once

#include <cstdint>
#include <vector>

#include "spaces/nest_facts.h"

namespace schedulegym {

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

}  // namespace schedulegym
