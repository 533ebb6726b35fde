// FlatProgram: a LoopProgram resolved into arrays that a machine walks fast.
#pragma once

#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// An expression's node; arguments are positions in FlatProgram::exprs.
struct FlatExpr {
  Op op = Op::kInteger;
  DType type = DType::kIndex;
  DType argument_type = DType::kIndex;  // of the first argument
  int id = 0;
  std::vector<int> args;
  int64_t integer = 0;
  double number = 0;  // of constants of floating types
};

// A statement; `body` and `other` are positions in FlatProgram::steps, -1 for none.
struct FlatStep {
  enum class Kind : uint8_t { kFor, kVector, kLet, kIf, kAllocate, kStore, kBlock };
  Kind kind = Kind::kBlock;
  bool parallel = false;
  int id = 0;  // variable of loops and lets, else buffer
  int64_t begin = 0;
  int64_t extent = 0;
  int value = -1;  // expression: of lets, conditions of ifs, values of stores
  int body = -1;
  int other = -1;
  std::vector<int> parts;  // indices of stores, statements of blocks
};

struct FlatProgram {
  std::vector<FlatExpr> exprs;
  std::vector<FlatStep> steps;
  int root = -1;
};

// kUnsupported for loops of GPUs and for statements that a vector loop cannot have.
Result<FlatProgram> Flatten(const LoopProgram& program);

}  // namespace schedulegym
