// ConvolutionLayout: a convolution's operands in the order of axes that vendor libraries use, and
// how they lie in memory as the workload writes them.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/bench/peers/peer.h"

namespace schedulegym {

// Element (i, j, ...) is at i * strides[0] + j * strides[1] + ... elements.
struct StridedShape {
  std::vector<int64_t> shape, strides;

  bool operator==(const StridedShape&) const = default;
};

// Dense, the last axis fastest.
StridedShape RowMajor(std::vector<int64_t> shape);
// [batch, channels, space...] whose memory is [batch, space..., channels].
StridedShape ChannelsLast(std::vector<int64_t> shape);

// One operand twice: as the workload writes it, and as a plain convolution would; axes correspond.
// Copying element by element from one to the other changes the layout.
struct Rewrite {
  StridedShape from, to;
};

struct ConvolutionLayout {
  // Source and target [batch, channels, space...]; weights [groups if more than one, channels out,
  // channels in, kernel...].
  StridedShape source, weights, target;
  // Capsules are a convolution over four times as many images and channels: matrix row i of an
  // input pixel is an image, its column t a channel, and output column j a channel. Their operands
  // are rewritten into the layouts above, and the target back.
  bool is_rewritten = false;
  Rewrite rewrite_source, rewrite_weights, rewrite_target;
};

ConvolutionLayout LayoutOf(const Convolution& shape);

}  // namespace schedulegym
