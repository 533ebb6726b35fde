#include "backends/runner/verification/real_outputs.h"

#include <algorithm>
#include <cmath>

#include "env/base/text.h"
#include "env/measure/timing/suspicion.h"
#include "env/measure/verification/verify.h"

namespace schedulegym {
namespace {

// Of bounds, which have three good digits, and of what values may lie apart.
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

// Integers beside what they should be, off by their bounds where an inexact value decides them.
std::optional<std::string> CompareWholes(const Tensor& tensor, const void* found,
                                         const AlignedBuffer& expected,
                                         std::span<const double> bounds) {
  if (bounds.empty()) return CompareExact(tensor, found, expected.data());
  return CompareBounded(tensor, found, Doubles(tensor.type, expected), bounds);
}

// The output with the largest share of what `count` counts.
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
  // In f64 both makers round as coarsely as what they judge.
  const double share = tensor.type == DType::kF64 ? 1 : kShareOfBound;
  const auto cell = [&](size_t i) {
    return tensor.name + IndexText(tensor, static_cast<int64_t>(i));
  };
  for (size_t i = 0; i < right.size(); ++i) {
    const double bound = right_bounds.empty() ? 0 : right_bounds[i];
    // Whether there is a bound may hang on the last bit of a divisor; what it bounds says nothing.
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
