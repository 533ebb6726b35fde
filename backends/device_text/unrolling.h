// Unrolling: which loops of a kernel's text a compiler is told to unroll, or not to.
#pragma once

#include <cstdint>
#include <map>

#include "env/lower/loop_program.h"

namespace schedulegym {

enum class Unrolling : uint8_t {
  kFully,   // "#pragma unroll"
  kByFour,  // "#pragma unroll 4"
  kNever,   // "#pragma unroll 1"
};

// By variable; loops that are left to the compiler are not in it. Loops that move an index of an
// array that a thread keeps are always unrolled: only constant indices are registers. Others are
// unrolled as the program says, up to 1024 stores in straight code. Of loops that stay loops,
// those of at most 64 stores are left to the compiler, and those around at most 16 are kByFour, so
// that loads overlap.
std::map<int, Unrolling> PlanUnrolling(const LoopProgram& program, const Statement& kernel);

}  // namespace schedulegym
