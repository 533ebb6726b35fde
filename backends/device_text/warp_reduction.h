// WarpReduction: a loop that combines cells of shared memory, shared by the lanes of a warp.
#pragma once

#include <map>
#include <string>

#include "backends/device_text/device_program.h"
#include "backends/device_text/dialect.h"

namespace schedulegym {

// for t in 0 .. count { ... to = to (op) from[..., t, ...] }, which every thread runs whole. With
// shuffles a lane reads count / lanes cells, and each lane gets the combination of all.
struct WarpReduction {
  Op op = Op::kAdd;  // kAdd, kMultiply, kMin, kMax
  DType type = DType::kF32;
  int from = 0;          // a buffer of shared memory
  size_t dimension = 0;  // of it, whose index is the loop's variable
  int64_t count = 1;     // cells
  int64_t lanes = 1;     // a power of two from 4 to 32, which divides the block's extent along x
};

// By variable of the loop. Lanes that share a reduction reach it together, and read the same cells:
// no condition around it, and no other index of `from`, depends on threadIdx.x. `to` is local.
std::map<int, WarpReduction> FindWarpReductions(const LoopProgram& program,
                                                const KernelBody& kernel);

// "warp_sum<32, 8>(FIRST, STRIDE)"
std::string WarpCall(const WarpReduction& reduction, const std::string& first, int64_t stride);

// The definition of what is called for an operator and a type.
std::string WarpFunctionText(const DeviceDialect& dialect, Op op, DType type);

}  // namespace schedulegym
