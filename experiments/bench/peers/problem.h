// PeerProblem: a workload that comes along, reduced to the shapes that vendor libraries ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "env/base/spec.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

// What follows a product or a convolution, in this order: plus a bias by output channel, a scale
// and a shift by channel, plus a tensor of the output's shape, then the activation.
enum class FusedActivation : uint8_t { kNone, kRelu, kRelu6, kGelu, kGeluTanh, kTanh };
struct Epilogue {
  bool bias = false, scale_shift = false, residual = false;
  FusedActivation activation = FusedActivation::kNone;

  bool operator==(const Epilogue&) const = default;
};

// C[z, i, j] = sum(r) A[z, i, r] * B[z, r, j].
struct MatrixProduct {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
};

// Convolutions of every kind, channels last: input [images, size..., channels_in], weight
// [kernel..., channels_in / groups, channels_out]. Depthwise has as many groups as channels.
struct Convolution {
  int64_t images = 1;
  std::vector<int64_t> size;  // spatial extents of the input: one, two or three
  int64_t channels_in = 1, channels_out = 1;
  int64_t kernel = 1, stride = 1, padding = 0, dilation = 1, groups = 1;
  bool transposed = false;
  // Each pixel holds channels of 4 x 4 matrices, see operator `capsule`. The extents above then
  // count matrices.
  bool capsule = false;
  Epilogue epilogue;

  std::vector<int64_t> OutputSize() const;
};

// A matrix product of one batch with bias by column.
struct LinearLayer {
  MatrixProduct product;
  Epilogue epilogue;
};

// Channels last: the largest value of each window, or, over all of the input, the mean.
struct Pooling {
  int64_t images = 1;
  std::vector<int64_t> size;  // spatial extents of the input: two or three
  int64_t channels = 1;
  std::vector<int64_t> kernel;
  int64_t stride = 1, padding = 0;
  bool is_mean = false;

  std::vector<int64_t> OutputSize() const;
};

// Square root of the sum of squares, for each of `batch` rows.
struct RowNorm {
  int64_t batch = 1, elements = 1;
};

struct RowSoftmax {
  int64_t rows = 1, columns = 1;
};

// softmax(Q K^T) by head: Q and K [batch, length, heads, size], output [batch, heads, length,
// length].
struct HeadScores {
  int64_t batch = 1, length = 1, heads = 1, size = 1;
};

struct PeerProblem {
  std::variant<MatrixProduct, Convolution, LinearLayer, Pooling, RowNorm, RowSoftmax, HeadScores>
      shape;
  DType type = DType::kF32;
  std::vector<int64_t> input_elements;  // by position in the workload's signature
  int64_t output_elements = 0;
};

// Nothing for workloads that no vendor library offers as such. `workload` is taken to be legal: its
// own factory checks it.
std::optional<PeerProblem> ProblemOf(const Spec& workload);

}  // namespace schedulegym
