#include "experiments/bench/peers/convolution_layout.h"

#include <functional>
#include <numeric>
#include <utility>

namespace schedulegym {
namespace {

using Extents = std::vector<int64_t>;

// Side of the square matrices that capsules are made of.
constexpr int64_t kSide = 4;

Extents Concatenate(Extents first, const Extents& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Weights are stored as [kernel..., channels in of a group, channels out], groups slowest within
// the latter.
StridedShape Weights(const Convolution& shape, int64_t channels_in, int64_t channels_out) {
  const size_t rank = shape.size.size();
  const int64_t in = channels_in / shape.groups, out = channels_out / shape.groups;
  const StridedShape kernel =
      RowMajor(Concatenate(Extents(rank, shape.kernel), {in, channels_out}));
  StridedShape weights;
  if (shape.groups > 1) weights = {{shape.groups}, {out}};
  weights.shape = Concatenate(Concatenate(weights.shape, {out, in}), Extents(rank, shape.kernel));
  weights.strides = Concatenate(weights.strides, {1, channels_out});
  weights.strides.insert(weights.strides.end(), kernel.strides.begin(),
                         kernel.strides.begin() + rank);
  return weights;
}

// [images, space..., channels, row, column], with rows among the images and columns among the
// channels of a tensor with channels last.
Rewrite RewriteMatrices(int64_t images, const Extents& space, int64_t channels) {
  const Extents shape = Concatenate(Concatenate({images}, space), {channels, kSide, kSide});
  const StridedShape flat =
      RowMajor(Concatenate(Concatenate({images * kSide}, space), {channels * kSide}));
  const int64_t image = flat.strides[0];
  Extents strides = {kSide * image};
  strides.insert(strides.end(), flat.strides.begin() + 1, flat.strides.end() - 1);
  return {RowMajor(shape), {shape, Concatenate(strides, {kSide, image, 1})}};
}

// [taps, channels in, channels out, t, j] to [taps, (channels in, t), (channels out, j)].
Rewrite RewriteWeights(const Convolution& shape) {
  int64_t taps = 1;
  for (size_t i = 0; i < shape.size.size(); ++i) taps *= shape.kernel;
  const int64_t in = shape.channels_in, out = shape.channels_out;
  const Extents extents = {taps, in, out, kSide, kSide};
  const int64_t row = out * kSide;
  return {RowMajor(extents), {extents, {in * kSide * row, kSide * row, kSide, row, 1}}};
}

}  // namespace

StridedShape RowMajor(Extents shape) {
  Extents strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return {std::move(shape), std::move(strides)};
}

StridedShape ChannelsLast(Extents shape) {
  Extents strides(shape.size(), 1);
  int64_t stride = shape[1];
  for (size_t i = shape.size(); i-- > 2; stride *= shape[i]) strides[i] = stride;
  strides[0] = stride;
  return {std::move(shape), std::move(strides)};
}

ConvolutionLayout LayoutOf(const Convolution& shape) {
  const int64_t factor = shape.capsule ? kSide : 1;
  const int64_t images = shape.images * factor;
  const int64_t in = shape.channels_in * factor, out = shape.channels_out * factor;
  ConvolutionLayout layout;
  layout.source = ChannelsLast(Concatenate({images, in}, shape.size));
  layout.weights = Weights(shape, in, out);
  layout.target = ChannelsLast(Concatenate({images, out}, shape.OutputSize()));
  layout.is_rewritten = shape.capsule;
  if (!shape.capsule) return layout;
  layout.rewrite_source = RewriteMatrices(shape.images, shape.size, shape.channels_in);
  layout.rewrite_weights = RewriteWeights(shape);
  layout.rewrite_target = RewriteMatrices(shape.images, shape.OutputSize(), shape.channels_out);
  return layout;
}

}  // namespace schedulegym
