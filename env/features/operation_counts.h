// OperationCounts: how often a statement does each kind of operation.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "env/features/axis_forms.h"

namespace schedulegym {

enum class OperationKind : uint8_t {
  kFloatMultiplyAdd,
  kFloatAdd,  // and subtract
  kFloatMultiply,
  kFloatDivide,
  kFloatCompare,  // and min, max
  kFloatFunction,
  kFloatCall,
  kIntegerMultiplyAdd,
  kIntegerAdd,
  kIntegerMultiply,
  kIntegerDivide,  // and modulo
  kIntegerCompare,
  kIntegerFunction,
  kIntegerCall,
  kBoolean,
  kSelect,
};
inline constexpr int kOperationKinds = 16;

struct OperationCounts {
  std::array<double, kOperationKinds> counts{};

  double& operator[](OperationKind kind) { return counts[static_cast<size_t>(kind)]; }
  double operator[](OperationKind kind) const { return counts[static_cast<size_t>(kind)]; }
  OperationCounts& operator+=(const OperationCounts& other);
  // Of all floating kinds.
  double Flops() const;
};

// Of a linear form over loops and atoms: a multiplication for each factor but 1, an addition for
// each term but the first.
OperationCounts CountLinear(std::span<const int64_t> row, int64_t constant);
// Of an expression over axes, without the indices of its reads; each axis costs what its form does.
OperationCounts CountValue(const Expr& value, const AxisForms& forms);
// Of combining a value with a reduction's cell.
OperationCounts CountCombination(Combiner combiner, DType type);

}  // namespace schedulegym
