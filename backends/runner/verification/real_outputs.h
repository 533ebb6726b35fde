// RealOutputs: what a computation gives on real inputs, and how far a right kernel may lie from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/measure/timing/aligned_buffer.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

struct RealOutputs {
  // By output, a cell for each of its cells: f64 where the output is floating, else its own type.
  std::vector<AlignedBuffer> values;
  // f64; none where the value is exact.
  std::vector<std::optional<AlignedBuffer>> bounds;
};

// Some cells of the output that has most of them.
struct CellShare {
  size_t output = 0;
  int64_t cells = 0;
  int64_t all = 1;

  double share() const { return static_cast<double>(cells) / static_cast<double>(all); }
};

bool AllFinite(const ComputeDag& dag, const RealOutputs& real);
CellShare MostZeros(const ComputeDag& dag, const RealOutputs& real);
// Where the bound or the value itself is infinite or no number: of such a cell little can be said.
CellShare MostUnbounded(const ComputeDag& dag, const RealOutputs& real);

// The first cell of a kernel's outputs that is wrong, in one line; nothing when all may be right.
std::optional<std::string> CompareReals(const ComputeDag& dag, const RealOutputs& expected,
                                        std::span<void* const> outputs);

// Where two makers of the same outputs disagree by more than a thousandth of a bound, for f64 by
// more than the bound; in one line, and nothing where they agree in every cell.
std::optional<std::string> DifferenceBetween(const ComputeDag& dag, const RealOutputs& found,
                                             const RealOutputs& trusted);

}  // namespace schedulegym
