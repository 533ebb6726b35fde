#include "backends/runner/verification/trusted_outputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backends/runner/verification/prepared_kernel.h"
#include "env/base/check.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/measure/verification/oracle.h"
#include "env/measure/verification/verify.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// Cells that are evaluated straight from the definitions, and what they may cost: about 0.1 s.
constexpr int kCells = 64;
constexpr int64_t kTerms = 1'000'000;

Result<std::vector<AlignedBuffer>> RunTrusted(const Task& task, std::span<void* const> inputs,
                                              const TrustedMeans& means) {
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

// How far a cell of an output, by position, may lie from the oracle's value.
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
  // False when the effort is used up.
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

}  // namespace

bool TrustedMeans::AreNaive(const ComputeDag& dag) const {
  return CountFlops(dag) <= most_naive_flops;
}

Result<std::vector<AlignedBuffer>> ExactOutputs(const Task& task, std::span<void* const> inputs,
                                                const std::vector<int>& exact,
                                                const TrustedMeans& means, Rng& rng) {
  Result<std::vector<AlignedBuffer>> outputs = RunTrusted(task, inputs, means);
  if (!outputs) return outputs;
  // Exact values are equal in double precision; those rounded once differ by that rounding.
  const auto tolerance = [&](int output, int64_t, double value) {
    const DType type = task.dag.tensor(task.dag.outputs()[output]).type;
    return IsFloating(type) ? FinalRounding(type, value) : 0.0;
  };
  SpotCheck(task.dag, inputs).Run(*outputs, exact, tolerance, rng);
  return outputs;
}

Result<RealOutputs> BoundedOutputs(const Task& task, const ErrorDag& error_dag,
                                   std::span<void* const> inputs, const TrustedMeans& means,
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

}  // namespace schedulegym
