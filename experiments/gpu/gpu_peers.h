// GpuPeers: NVIDIA's own kernels, from the libraries that this machine has.
#pragma once

#include <cstdint>

#include "backends/device/cuda_device.h"

namespace schedulegym {

// Each gives seconds in f32 without TF32: the median of several calls with cold caches. Throws
// MachineError without the library, with where it looked.

// C = A B, row by row. Opens SCHEDULEGYM_CUBLAS where it is set, else libcublas.so.13 and .12.
Result<double> TimeCublas(CudaDevice& device, int64_t m, int64_t n, int64_t k);

// A convolution of images [n, ci, h, w], in cuDNN's own layout, with as many output rows as the
// stride and the padding give.
struct PeerConvolution {
  int64_t images = 1, height = 1, width = 1, channels_in = 1, channels_out = 1, kernel = 1,
          stride = 1, padding = 0;
};
// By the algorithm that cuDNN itself expects to be the fastest. Opens SCHEDULEGYM_CUDNN where it is
// set, else libcudnn.so.9.
Result<double> TimeCudnn(CudaDevice& device, const PeerConvolution& convolution);

}  // namespace schedulegym
