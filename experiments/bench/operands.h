// Operands: memory for a computation's inputs and outputs, filled for a benchmark, and how results
// are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/timing/timing_memory.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

// Floating inputs are uniform in [-1, 1), so that nothing underflows; integers in [-4, 4].
class Operands {
 public:
  Operands(const ComputeDag& dag, Rng& rng);

  // In signature order: inputs and weights, then outputs.
  std::span<void* const> arguments() const { return arguments_; }
  std::span<const void* const> inputs() const;
  // The first.
  const void* output() const { return arguments_[num_inputs_]; }
  int64_t output_bytes() const { return buffers_[num_inputs_].bytes(); }

 private:
  std::vector<AlignedBuffer> buffers_;
  std::vector<void*> arguments_;
  size_t num_inputs_ = 0;
};

// Largest absolute difference of two results over the largest absolute value of the second; of
// kF32 or kF64. Not a number counts as infinitely far.
double RelativeDifference(DType type, const void* result, const void* expected, int64_t elements);

// Of RelativeDifference between two right results: they sum thousands of terms in different orders.
double Tolerance(DType type);

}  // namespace schedulegym
