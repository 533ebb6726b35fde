// VectorMath: exp, log, tanh, sigmoid, erf and pow of scalars and vectors, within 4 ulp.
#pragma once

#include "backends/llvm/llvm_internal.h"
#include "backends/llvm/program_facts.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

// f32 is computed in line by polynomials; pow and everything of f64 calls glibc's libmvec, or
// libm for scalars. Without `inline_polynomials` scalars of f32 call libm too.
class VectorMath {
 public:
  VectorMath(const CpuFacts& cpu, llvm::Module& module, bool inline_polynomials)
      : cpu_(cpu), module_(module), inline_polynomials_(inline_polynomials) {}

  llvm::Value* Unary(llvm::IRBuilder<>& builder, Op op, llvm::Value* x);
  llvm::Value* Power(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* y);

 private:
  llvm::Value* Call(llvm::IRBuilder<>& builder, const char* name,
                    llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* CallVector(llvm::IRBuilder<>& builder, const char* name,
                          llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* Exp(llvm::IRBuilder<>& builder, llvm::Value* x);
  llvm::Value* Log(llvm::IRBuilder<>& builder, llvm::Value* x);
  llvm::Value* Tanh(llvm::IRBuilder<>& builder, llvm::Value* x);
  llvm::Value* Sigmoid(llvm::IRBuilder<>& builder, llvm::Value* x);
  llvm::Value* Erf(llvm::IRBuilder<>& builder, llvm::Value* x);
  llvm::Value* Scale(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* shifted);

  const CpuFacts& cpu_;
  llvm::Module& module_;
  bool inline_polynomials_;
};

}  // namespace schedulegym
