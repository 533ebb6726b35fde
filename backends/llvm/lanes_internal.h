// LaneSet: which lanes of vectors a value is for, and helpers on vectors.
#pragma once

#include <cstdint>

#include "backends/llvm/llvm_internal.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

struct LaneSet {
  int width = 1;                 // 1: scalars
  int active = 1;                // the first of them count
  llvm::Value* mask = nullptr;   // of those that may touch memory, if fewer than the active ones
  llvm::Value* guard = nullptr;  // i1; memory may be touched only where it is true

  bool whole() const { return active == width && mask == nullptr; }
};

llvm::Type* ElementType(llvm::LLVMContext& context, DType type);
// 0, step, 2 * step, ...
llvm::Constant* Ramp(llvm::Type* integer, int width, int64_t step);

}  // namespace schedulegym
