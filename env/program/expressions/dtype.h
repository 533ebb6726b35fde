// DType: the element types of tensors and expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace schedulegym {

enum class DType : uint8_t {
  kF32,
  kF64,
  kI32,
  kI8,
  kF16,
  kBF16,
  kIndex,  // 64-bit integers of loops and indices; never a tensor's type
  kBool,   // conditions; never a tensor's type
};

// "f32", "i8", "index", ...
const char* DTypeName(DType type);
// Parses the name of one of the six tensor types; nullopt for other names.
std::optional<DType> ParseDType(std::string_view name);
int64_t SizeInBytes(DType type);
bool IsFloating(DType type);
// The type in which reductions of `type` accumulate: f32 for f16 and bf16, else itself.
DType AccumulatorType(DType type);

}  // namespace schedulegym
