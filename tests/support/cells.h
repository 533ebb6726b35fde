// Cells: values of any type in GuardedMemory, as doubles.
#pragma once

#include "tests/support/program_runner.h"

namespace schedulegym {

inline void SetCell(GuardedMemory& memory, DType type, int64_t at, double value) {
  if (type == DType::kF32) memory.as<float>()[at] = static_cast<float>(value);
  if (type == DType::kF64) memory.as<double>()[at] = value;
  if (type == DType::kI32) memory.as<int32_t>()[at] = static_cast<int32_t>(value);
  if (type == DType::kI8) memory.as<int8_t>()[at] = static_cast<int8_t>(value);
}

inline double GetCell(GuardedMemory& memory, DType type, int64_t at) {
  if (type == DType::kF32) return memory.as<float>()[at];
  if (type == DType::kF64) return memory.as<double>()[at];
  if (type == DType::kI32) return memory.as<int32_t>()[at];
  return memory.as<int8_t>()[at];
}

}  // namespace schedulegym
