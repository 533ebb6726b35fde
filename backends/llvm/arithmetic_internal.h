// Arithmetic: the operators of expressions on scalars and vectors, as expr.h defines them.
#pragma once

#include <cstdint>

#include "backends/llvm/llvm_internal.h"
#include "backends/llvm/vector_math_internal.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

// Every quotient and square root is correctly rounded, whatever operands lanes share: verification
// compares their bits. Integers wrap. Where a divisor is 0, / // and % give 0. A conversion of a
// float that an integer type cannot hold gives the nearest value of that type, and 0 for NaN. min
// and max are minimumNumber and maximumNumber of IEEE 754-2019: the other argument where one is
// NaN. Which zero they give of +0 and -0 is open. On x86-64, whose own instructions give the second
// argument, that is free where one argument is a constant or the cell of a reduction, and two
// instructions more elsewhere.
class Arithmetic {
 public:
  Arithmetic(const CpuFacts& cpu, llvm::Module& module, bool optimize)
      : math_(cpu, module, optimize) {}

  llvm::Value* Unary(llvm::IRBuilder<>& builder, Op op, DType type, llvm::Value* x);
  // Both of one type; of comparisons the type of the operands.
  llvm::Value* Binary(llvm::IRBuilder<>& builder, Op op, DType type, llvm::Value* a,
                      llvm::Value* b);
  // What a reduction's cell, which is never NaN since it begins at the identity, becomes with a
  // value: op of both.
  llvm::Value* CombineInto(llvm::IRBuilder<>& builder, Op op, DType type, llvm::Value* cell,
                           llvm::Value* value);
  llvm::Value* Cast(llvm::IRBuilder<>& builder, DType from, DType to, llvm::Value* x);

 private:
  VectorMath math_;
};

// Which lanes of vectors a value is for, and helpers on vectors.
struct LaneSet {
  int width = 1;                 // 1: scalars
  int active = 1;                // the first of them count
  llvm::Value* mask = nullptr;   // of those that may touch memory, if fewer than the active ones
  llvm::Value* guard = nullptr;  // i1; memory may be touched only where it is true

  bool whole() const { return active == width && mask == nullptr; }
};

// Of a value in a register: f16 and bf16 are floats there.
llvm::Type* ElementType(llvm::LLVMContext& context, DType type);
// Of an element of memory.
llvm::Type* MemoryType(llvm::LLVMContext& context, DType type);
// 0, step, 2 * step, ...
llvm::Constant* Ramp(llvm::Type* integer, int width, int64_t step);

}  // namespace schedulegym
