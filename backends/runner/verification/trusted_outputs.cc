// Expected outputs by a schedule that is trusted: the naive one, or above a limit of flops the
// reference schedule. Then 64 cells (the corners, the others drawn) are computed again by the
// oracle (env/measure/verification/oracle.h), within 1e6 terms; where error bounds were computed,
// too, they are compared to 1e-3. A difference is a fault of the build, not the candidate's. Cost:
// one run of the schedule and 64 reductions.
#include "backends/runner/verification/trusted_outputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backends/runner/verification/prepared_kernel.h"
#include "env/base/check.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/measure/timing/outlier_check.h"
#include "env/measure/verification/oracle.h"
#include "env/measure/verification/verify.h"
#include "env/program/analysis.h"
#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

// Cells that are evaluated from the definitions, and the limit of their cost: about 0.1 s.
constexpr int kCells = 64;
constexpr int64_t kTerms = 1'000'000;

Result<std::vector<AlignedBuffer>> RunTrusted(const Task& task, std::span<void* const> inputs,
                                              const ReferenceBackend& means) {
  const auto shared = std::make_shared<const Task>(task);
  const bool naive = means.AreNaive(task.dag);
  const ScheduleState state = naive ? ScheduleState::Initial(shared) : means.reference(shared);
  const Result<LoopProgram> program = Lower(state);
  if (!program) return program.error();
  std::vector<AlignedBuffer> outputs;
  std::vector<void*> arguments(inputs.begin(), inputs.end());
  for (int output : task.dag.outputs()) {
    const Tensor& tensor = task.dag.tensor(output);
    outputs.emplace_back(tensor.NumElements() * SizeInBytes(tensor.type));
    Poison(tensor, outputs.back().data());
    arguments.push_back(outputs.back().data());
  }
  const auto kernel =
      PreparedKernel::Make(means.backend, *program, arguments, CompileOptions{.optimize = !naive});
  if (!kernel) return kernel.error();
  if (auto ran = kernel->Call(); !ran) return ran.error();
  return outputs;
}

double NumberAt(const Tensor& tensor, const AlignedBuffer& memory, int64_t flat) {
  switch (tensor.type) {
    case DType::kF32: return memory.As<float>()[flat];
    case DType::kF64: return memory.As<double>()[flat];
    case DType::kI32: return memory.As<int32_t>()[flat];
    case DType::kI8: return memory.As<int8_t>()[flat];
    case DType::kF16:
    case DType::kBF16: return HalfToFloat(tensor.type, memory.As<uint16_t>()[flat]);
    default: break;
  }
  SG_CHECK(false, "no output holds this type");
}

std::vector<int64_t> IndexOf(const Tensor& tensor, int64_t flat) {
  std::vector<int64_t> index(tensor.shape.size());
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = flat % tensor.shape[i];
    flat /= tensor.shape[i];
  }
  return index;
}

// Allowed difference between a cell, by position, and the oracle's value.
using Tolerance = std::function<double(int output, int64_t flat, double value)>;

// Compares corners and random cells of the given outputs with the oracle.
class SpotCheck {
 public:
  SpotCheck(const ComputeDag& dag, std::span<void* const> inputs)
      : dag_(dag), oracle_(dag, {inputs.begin(), inputs.end()}) {}

  void Run(const std::vector<AlignedBuffer>& memory, const std::vector<int>& outputs,
           const Tolerance& tolerance, Rng& rng) {
    for (int cell = 0; cell < kCells; ++cell) {
      for (int output : outputs) {
        const int64_t elements = dag_.tensor(dag_.outputs()[output]).NumElements();
        int64_t flat = rng.Below(elements);
        if (cell < 2) flat = cell == 0 ? elements - 1 : 0;
        if (!Agrees(memory[output], output, flat, tolerance)) return;
      }
    }
  }

 private:
  // Returns false when the effort is used up.
  bool Agrees(const AlignedBuffer& memory, int output, int64_t flat, const Tolerance& tolerance) {
    const int id = dag_.outputs()[output];
    const Tensor& tensor = dag_.tensor(id);
    const auto cell = oracle_.Cell(id, IndexOf(tensor, flat), kTerms - oracle_.terms());
    if (!cell) return false;
    const double expected =
        IsFloating(tensor.type) ? cell->number : static_cast<double>(cell->integer);
    const double found = NumberAt(tensor, memory, flat);
    const bool same = found == expected || (std::isnan(found) && std::isnan(expected));
    SG_CHECK(same || std::abs(found - expected) <= tolerance(output, flat, expected),
             "the trusted kernel computes " + tensor.name + IndexText(tensor, flat) + " = " +
                 FormatDouble(found) + ", expected " + FormatDouble(expected));
    return true;
  }

  const ComputeDag& dag_;
  Oracle oracle_;
};

// Share of a bound (which has three good digits) by which values may differ.
constexpr double kShareOfBound = 1e-3;

const Tensor& OutputOf(const ComputeDag& dag, size_t position) {
  return dag.tensor(dag.outputs()[position]);
}

std::span<const double> BoundsOf(const RealOutputs& real, size_t output) {
  if (!real.bounds[output]) return {};
  return real.bounds[output]->As<double>();
}

// Of an integer output.
std::vector<double> Doubles(DType type, const AlignedBuffer& values) {
  const auto copy = [](auto cells) { return std::vector<double>(cells.begin(), cells.end()); };
  return type == DType::kI32 ? copy(values.As<int32_t>()) : copy(values.As<int8_t>());
}

// Compares integers exactly, or within their bounds where an inexact value decides them.
std::optional<std::string> CompareWholes(const Tensor& tensor, const void* found,
                                         const AlignedBuffer& expected,
                                         std::span<const double> bounds) {
  if (bounds.empty()) return CompareExact(tensor, found, expected.data());
  return CompareBounded(tensor, found, Doubles(tensor.type, expected), bounds);
}

// The output with the largest share of cells that `count` counts.
template <typename Count>
CellShare Most(const ComputeDag& dag, const RealOutputs& real, const Count& count) {
  CellShare most;
  for (size_t i = 0; i < real.values.size(); ++i) {
    const CellShare found = {i, count(i), OutputOf(dag, i).NumElements()};
    if (found.share() > most.share()) most = found;
  }
  return most;
}

int64_t UnboundedCells(std::span<const double> values, std::span<const double> bounds) {
  int64_t unbounded = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_bounded =
        std::isfinite(values[i]) && (bounds.empty() || std::isfinite(bounds[i]));
    unbounded += is_bounded ? 0 : 1;
  }
  return unbounded;
}

bool AreAlike(double found, double trusted, double tolerance) {
  if (std::isfinite(trusted)) return std::abs(found - trusted) <= tolerance;
  return std::isnan(trusted) ? std::isnan(found) : found == trusted;
}

// Of one floating output.
std::optional<std::string> DifferenceOf(const Tensor& tensor, size_t output,
                                        const RealOutputs& found, const RealOutputs& trusted) {
  const auto values = found.values[output].As<double>();
  const auto right = trusted.values[output].As<double>();
  const auto bounds = BoundsOf(found, output), right_bounds = BoundsOf(trusted, output);
  if (bounds.size() != right_bounds.size()) return tensor.name + " has bounds, expected none";
  // In f64 both sides round as coarsely as the values they check.
  const double share = tensor.type == DType::kF64 ? 1 : kShareOfBound;
  const auto cell = [&](size_t i) {
    return tensor.name + IndexText(tensor, static_cast<int64_t>(i));
  };
  for (size_t i = 0; i < right.size(); ++i) {
    const double bound = right_bounds.empty() ? 0 : right_bounds[i];
    // The last bit of a divisor may decide whether there is a bound, so cells without one are
    // skipped.
    if (!std::isfinite(bound)) continue;
    if (!AreAlike(values[i], right[i], share * bound)) {
      return cell(i) + " is " + FormatDouble(values[i]) + ", expected " + FormatDouble(right[i]);
    }
    if (!bounds.empty() && !AreAlike(bounds[i], bound, kShareOfBound * bound)) {
      return "the bound of " + cell(i) + " is " + FormatDouble(bounds[i]) + ", expected " +
             FormatDouble(bound);
    }
  }
  return std::nullopt;
}

}  // namespace

bool ReferenceBackend::AreNaive(const ComputeDag& dag) const {
  return CountFlops(dag) <= most_naive_flops;
}

Result<std::vector<AlignedBuffer>> ExactOutputs(const Task& task, std::span<void* const> inputs,
                                                const std::vector<int>& exact,
                                                const ReferenceBackend& means, Rng& rng) {
  Result<std::vector<AlignedBuffer>> outputs = RunTrusted(task, inputs, means);
  if (!outputs) return outputs;
  // Exact values are equal in double precision; those that were rounded once differ by one
  // rounding.
  const auto tolerance = [&](int output, int64_t, double value) {
    const DType type = task.dag.tensor(task.dag.outputs()[output]).type;
    return IsFloating(type) ? FinalRounding(type, value) : 0.0;
  };
  SpotCheck(task.dag, inputs).Run(*outputs, exact, tolerance, rng);
  return outputs;
}

Result<RealOutputs> BoundedOutputs(const Task& task, const ErrorDag& error_dag,
                                   std::span<void* const> inputs, const ReferenceBackend& means,
                                   Rng& rng) {
  const Task error_task{error_dag.dag, task.target, task.name};
  Result<std::vector<AlignedBuffer>> outputs = RunTrusted(error_task, inputs, means);
  if (!outputs) return outputs.error();
  // Bounds have three good digits; values are far better than the bound that they serve, integers
  // the same but for theirs.
  const auto values = static_cast<int>(error_dag.bounds.size());
  const auto tolerance = [&](int output, int64_t flat, double value) {
    if (output >= values) return 1e-3 * std::abs(value);
    const Tensor& tensor = task.dag.tensor(task.dag.outputs()[output]);
    const std::optional<int> bound = error_dag.bounds[output];
    const double tolerated = bound ? (*outputs)[*bound].As<double>()[flat] : 0;
    return IsFloating(tensor.type) ? tolerated + 1e-9 * std::abs(value) : tolerated;
  };
  std::vector<int> all;
  for (size_t i = 0; i < outputs->size(); ++i) all.push_back(static_cast<int>(i));
  SpotCheck(error_dag.dag, inputs).Run(*outputs, all, tolerance, rng);
  RealOutputs real;
  for (const std::optional<int>& bound : error_dag.bounds) {
    real.values.push_back(std::move((*outputs)[real.values.size()]));
    real.bounds.emplace_back();
    if (bound) real.bounds.back() = std::move((*outputs)[*bound]);
  }
  return real;
}

bool AllFinite(const ComputeDag& dag, const RealOutputs& real) {
  for (size_t i = 0; i < real.values.size(); ++i) {
    if (!IsFloating(OutputOf(dag, i).type)) continue;
    const auto values = real.values[i].As<double>();
    const bool are_finite =
        std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
    if (!are_finite) return false;
  }
  return true;
}

CellShare MostZeros(const ComputeDag& dag, const RealOutputs& real) {
  return Most(dag, real, [&](size_t i) {
    const Tensor& tensor = OutputOf(dag, i);
    const DType type = IsFloating(tensor.type) ? DType::kF64 : tensor.type;
    return CountZeros(type, real.values[i].data(), tensor.NumElements());
  });
}

CellShare MostUnbounded(const ComputeDag& dag, const RealOutputs& real) {
  return Most(dag, real, [&](size_t i) {
    const auto bounds = BoundsOf(real, i);
    if (!IsFloating(OutputOf(dag, i).type)) return UnboundedCells(bounds, bounds);
    return UnboundedCells(real.values[i].As<double>(), bounds);
  });
}

std::optional<std::string> CompareReals(const ComputeDag& dag, const RealOutputs& expected,
                                        std::span<void* const> outputs) {
  for (size_t i = 0; i < expected.values.size(); ++i) {
    const Tensor& tensor = OutputOf(dag, i);
    auto difference =
        IsFloating(tensor.type)
            ? CompareBounded(tensor, outputs[i], expected.values[i].As<double>(),
                             BoundsOf(expected, i))
            : CompareWholes(tensor, outputs[i], expected.values[i], BoundsOf(expected, i));
    if (difference) return difference;
  }
  return std::nullopt;
}

std::optional<std::string> DifferenceBetween(const ComputeDag& dag, const RealOutputs& found,
                                             const RealOutputs& trusted) {
  for (size_t i = 0; i < trusted.values.size(); ++i) {
    const Tensor& tensor = OutputOf(dag, i);
    auto difference = IsFloating(tensor.type)
                          ? DifferenceOf(tensor, i, found, trusted)
                          : CompareWholes(tensor, found.values[i].data(), trusted.values[i],
                                          BoundsOf(trusted, i));
    if (difference) return difference;
  }
  return std::nullopt;
}

}  // namespace schedulegym
