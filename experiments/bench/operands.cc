#include "experiments/bench/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "env/base/check.h"
#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

template <typename T>
void FillReals(std::span<T> values, Rng& rng) {
  for (T& value : values) value = static_cast<T>(2 * rng.Uniform() - 1);
}
template <typename T>
void FillIntegers(std::span<T> values, Rng& rng) {
  for (T& value : values) value = static_cast<T>(rng.Below(9) - 4);
}

void FillHalves(DType type, std::span<uint16_t> values, Rng& rng) {
  for (uint16_t& value : values) value = DoubleToHalf(type, 2 * rng.Uniform() - 1);
}

void Fill(const AlignedBuffer& buffer, DType type, Rng& rng) {
  switch (type) {
    case DType::kF32: return FillReals(buffer.As<float>(), rng);
    case DType::kF64: return FillReals(buffer.As<double>(), rng);
    case DType::kI32: return FillIntegers(buffer.As<int32_t>(), rng);
    case DType::kI8: return FillIntegers(buffer.As<int8_t>(), rng);
    default: return FillHalves(type, buffer.As<uint16_t>(), rng);
  }
}

template <typename T>
double Difference(const T* result, const T* expected, int64_t elements) {
  double largest = 0, value = 0;
  for (int64_t i = 0; i < elements; ++i) {
    const double distance = std::abs(static_cast<double>(result[i]) - expected[i]);
    if (!(distance <= std::numeric_limits<double>::max())) return INFINITY;
    largest = std::max(largest, distance);
    value = std::max(value, std::abs(static_cast<double>(expected[i])));
  }
  return largest == 0 ? 0 : largest / value;
}

}  // namespace

Operands::Operands(const ComputeDag& dag, Rng& rng) : num_inputs_(dag.inputs().size()) {
  for (const int id : dag.inputs()) {
    const Tensor& tensor = dag.tensor(id);
    buffers_.emplace_back(tensor.NumElements() * SizeInBytes(tensor.type));
    Fill(buffers_.back(), tensor.type, rng);
  }
  for (const int id : dag.outputs()) {
    const Tensor& tensor = dag.tensor(id);
    buffers_.emplace_back(tensor.NumElements() * SizeInBytes(tensor.type));
  }
  for (const AlignedBuffer& buffer : buffers_) arguments_.push_back(buffer.data());
}

std::span<const void* const> Operands::inputs() const {
  return {const_cast<const void* const*>(arguments_.data()), num_inputs_};
}

double RelativeDifference(DType type, const void* result, const void* expected, int64_t elements) {
  SG_CHECK(type == DType::kF32 || type == DType::kF64, "results are compared in f32 or f64");
  if (type == DType::kF64) {
    return Difference(static_cast<const double*>(result), static_cast<const double*>(expected),
                      elements);
  }
  return Difference(static_cast<const float*>(result), static_cast<const float*>(expected),
                    elements);
}

double Tolerance(DType type) { return type == DType::kF64 ? 1e-11 : 1e-4; }

}  // namespace schedulegym
