// CublasPeer: NVIDIA's matrix product, from the library that this machine has.
#pragma once

#include <cstdint>

#include "backends/device/cuda_device.h"

namespace schedulegym {

// Seconds of C = A B in f32, row by row, without TF32: the median of several calls with cold
// caches. Opens SCHEDULEGYM_CUBLAS where it is set, else libcublas.so.13 and .12. Throws
// MachineError without a library, with where it looked.
Result<double> TimeCublas(CudaDevice& device, int64_t m, int64_t n, int64_t k);

}  // namespace schedulegym
