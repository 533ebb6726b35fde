// Arithmetic: the operators of expressions on scalars and vectors, as expr.h defines them.
#pragma once

#include "backends/llvm/llvm_internal.h"
#include "backends/llvm/vector_math_internal.h"

namespace schedulegym {

// Integers wrap. Where a divisor is 0, / // and % give 0. A conversion of a float that an integer
// type cannot hold gives the nearest value of that type, and 0 for NaN. min and max choose the
// first argument where the comparison with the second holds, so a NaN gives the second.
class Arithmetic {
 public:
  Arithmetic(const CpuFacts& cpu, llvm::Module& module, bool optimize)
      : cpu_(cpu), math_(cpu, module, optimize) {}

  llvm::Value* Unary(llvm::IRBuilder<>& builder, Op op, DType type, llvm::Value* x);
  // Both of one type; of comparisons the type of the operands.
  llvm::Value* Binary(llvm::IRBuilder<>& builder, Op op, DType type, llvm::Value* a,
                      llvm::Value* b);
  // A vector by a scalar, both floating, with one division for all lanes: quotients of constants
  // are those of Binary but for some that are not normal, others lie within 1.5 ulp.
  llvm::Value* DivideByOne(llvm::IRBuilder<>& builder, llvm::Value* vector, llvm::Value* scalar);
  llvm::Value* Cast(llvm::IRBuilder<>& builder, DType from, DType to, llvm::Value* x);

 private:
  const CpuFacts& cpu_;
  VectorMath math_;
};

}  // namespace schedulegym
