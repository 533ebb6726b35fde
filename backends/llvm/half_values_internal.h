// HalfValues: f16 and bf16 in generated code, as floats in registers and 16 bits in memory.
#pragma once

#include "backends/llvm/llvm_internal.h"
#include "env/program/expressions/half.h"

namespace schedulegym {

// Scalars or vectors. Memory holds integers of 16 bits.
llvm::Value* FloatFromBits(llvm::IRBuilder<>& builder, DType type, llvm::Value* bits);
// Rounded to nearest even, as FloatToHalf does.
llvm::Value* BitsFromFloat(llvm::IRBuilder<>& builder, DType type, llvm::Value* value);
// The nearest half, as a float.
llvm::Value* RoundToHalf(llvm::IRBuilder<>& builder, DType type, llvm::Value* value);
// A double as a float whose rounding to a half is that of the double.
llvm::Value* RoundToOdd(llvm::IRBuilder<>& builder, llvm::Value* value);

}  // namespace schedulegym
