// Trusted outputs: what a computation gives on given inputs, by the simplest means that finish.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "env/base/rng.h"
#include "env/measure/timing/timing_memory.h"
#include "env/measure/verification/error_dag.h"
#include "env/program/compute_dag.h"
#include "env/program/task.h"
#include "env/schedule/state.h"

namespace schedulegym {

// What a computation gives on real inputs, and how far a right kernel may lie from it.
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

using ReferenceFunction = std::function<ScheduleState(std::shared_ptr<const Task>)>;

// So many operations the naive program does for each candidate's sake: about a tenth of a second.
inline constexpr double kMostNaiveFlops = 1e8;
inline constexpr double kAlwaysNaive = std::numeric_limits<double>::infinity();

// How trusted outputs are made.
struct ReferenceBackend {
  const Backend& backend;
  // Of computations with more operations than `most_naive_flops`; others take the naive schedule
  // compiled without transformations, at one to four operations a nanosecond.
  const ReferenceFunction& reference;
  double most_naive_flops = kMostNaiveFlops;

  bool AreNaive(const ComputeDag& dag) const;
};

// One buffer for each output. Some cells are evaluated straight from the definitions besides, all
// that a fixed effort allows; a difference is a bug and throws std::logic_error. `exact`: positions
// of the outputs in which the cells must be equal; in others they are not looked at.
Result<std::vector<AlignedBuffer>> ExactOutputs(const Task& task, std::span<void* const> inputs,
                                                const std::vector<int>& exact,
                                                const ReferenceBackend& means, Rng& rng);

// What real inputs give. `error_dag` is of the task's computation.
Result<RealOutputs> BoundedOutputs(const Task& task, const ErrorDag& error_dag,
                                   std::span<void* const> inputs, const ReferenceBackend& means,
                                   Rng& rng);

}  // namespace schedulegym
