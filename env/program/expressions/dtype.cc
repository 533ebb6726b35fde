#include "env/program/expressions/dtype.h"

namespace schedulegym {
namespace {

constexpr DType kTensorTypes[] = {DType::kF32, DType::kF64, DType::kI32,
                                  DType::kI8,  DType::kF16, DType::kBF16};

}  // namespace

const char* DTypeName(DType type) {
  switch (type) {
    case DType::kF32: return "f32";
    case DType::kF64: return "f64";
    case DType::kI32: return "i32";
    case DType::kI8: return "i8";
    case DType::kF16: return "f16";
    case DType::kBF16: return "bf16";
    case DType::kIndex: return "index";
    case DType::kBool: return "bool";
  }
  return "unknown";
}

std::optional<DType> ParseDType(std::string_view name) {
  for (DType type : kTensorTypes) {
    if (name == DTypeName(type)) return type;
  }
  return std::nullopt;
}

int64_t SizeInBytes(DType type) {
  switch (type) {
    case DType::kF64:
    case DType::kIndex: return 8;
    case DType::kF32:
    case DType::kI32: return 4;
    case DType::kF16:
    case DType::kBF16: return 2;
    case DType::kI8:
    case DType::kBool: return 1;
  }
  return 0;
}

bool IsFloating(DType type) {
  return type == DType::kF32 || type == DType::kF64 || type == DType::kF16 || type == DType::kBF16;
}

DType AccumulatorType(DType type) {
  return type == DType::kF16 || type == DType::kBF16 ? DType::kF32 : type;
}

}  // namespace schedulegym
