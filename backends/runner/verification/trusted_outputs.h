// Trusted outputs: the outputs of a computation on given inputs, by the simplest means that finish.
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

// Outputs of a computation on real inputs, and the error bounds of a correct kernel.
struct RealOutputs {
  // By output, a cell for each of its cells: f64 where the output is floating, else its own type.
  std::vector<AlignedBuffer> values;
  // f64; nullopt if the value is exact.
  std::vector<std::optional<AlignedBuffer>> bounds;
};

// Number of cells of a kind, in the output with the largest share of them.
struct CellShare {
  size_t output = 0;
  int64_t cells = 0;
  int64_t all = 1;

  double share() const { return static_cast<double>(cells) / static_cast<double>(all); }
};

bool AllFinite(const ComputeDag& dag, const RealOutputs& real);
CellShare MostZeros(const ComputeDag& dag, const RealOutputs& real);
// Cells whose bound or value is infinite or NaN, which can hardly be checked.
CellShare MostUnbounded(const ComputeDag& dag, const RealOutputs& real);

// Returns the first wrong cell of a kernel's outputs, in one line; nullopt if all may be right.
std::optional<std::string> CompareReals(const ComputeDag& dag, const RealOutputs& expected,
                                        std::span<void* const> outputs);

// Returns the first difference between two versions of the same outputs by more than a thousandth
// of a bound, for f64 by more than the bound, in one line; nullopt if all cells agree.
std::optional<std::string> DifferenceBetween(const ComputeDag& dag, const RealOutputs& found,
                                             const RealOutputs& trusted);

using ReferenceFunction = std::function<ScheduleState(std::shared_ptr<const Task>)>;

// Limit of the naive program's operations for each candidate: about a tenth of a second.
inline constexpr double kMostNaiveFlops = 1e8;
inline constexpr double kAlwaysNaive = std::numeric_limits<double>::infinity();

// Means to compute trusted outputs.
struct ReferenceBackend {
  const Backend& backend;
  // Schedule of computations with more operations than `most_naive_flops`. Others take the naive
  // schedule compiled without transformations, at one to four operations a nanosecond.
  const ReferenceFunction& reference;
  double most_naive_flops = kMostNaiveFlops;

  bool AreNaive(const ComputeDag& dag) const;
};

// Returns one buffer for each output. Also evaluates as many cells as a fixed effort allows
// straight from the definitions; throws std::logic_error on a difference, which is a bug. `exact`:
// positions of the outputs whose cells must be equal; other outputs are not checked.
Result<std::vector<AlignedBuffer>> ExactOutputs(const Task& task, std::span<void* const> inputs,
                                                const std::vector<int>& exact,
                                                const ReferenceBackend& means, Rng& rng);

// Outputs for real inputs. `error_dag` is of the task's computation.
Result<RealOutputs> BoundedOutputs(const Task& task, const ErrorDag& error_dag,
                                   std::span<void* const> inputs, const ReferenceBackend& means,
                                   Rng& rng);

}  // namespace schedulegym
