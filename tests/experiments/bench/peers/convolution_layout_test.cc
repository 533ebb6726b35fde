#include "experiments/bench/peers/convolution_layout.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(ConvolutionLayoutTest, RowMajorIsDense) {
  EXPECT_EQ(RowMajor({2, 3, 5}), (StridedShape{{2, 3, 5}, {15, 5, 1}}));
}

TEST(ConvolutionLayoutTest, ChannelsLastKeepsTheOrderOfAxes) {
  // [batch 2, channels 3, 4 x 5] in memory [2, 4, 5, 3].
  EXPECT_EQ(ChannelsLast({2, 3, 4, 5}), (StridedShape{{2, 3, 4, 5}, {60, 1, 15, 3}}));
}

TEST(ConvolutionLayoutTest, WeightsEndInOutputChannels) {
  const ConvolutionLayout layout =
      LayoutOf({.images = 1, .size = {8, 8}, .channels_in = 4, .channels_out = 6, .kernel = 3});
  // Memory [3, 3, 4, 6].
  EXPECT_EQ(layout.weights, (StridedShape{{6, 4, 3, 3}, {1, 6, 72, 24}}));
  EXPECT_FALSE(layout.is_rewritten);
}

TEST(ConvolutionLayoutTest, GroupsSplitTheOutputChannels) {
  const ConvolutionLayout layout = LayoutOf(
      {.images = 1, .size = {8}, .channels_in = 4, .channels_out = 6, .kernel = 3, .groups = 2});
  // Memory [3, 2, 6]; a channel is 3 * group + its index within the group.
  EXPECT_EQ(layout.weights, (StridedShape{{2, 3, 2, 3}, {3, 1, 6, 12}}));
}

TEST(ConvolutionLayoutTest, CapsulesBecomeImagesAndChannels) {
  const ConvolutionLayout layout = LayoutOf({.images = 2,
                                             .size = {5, 6},
                                             .channels_in = 3,
                                             .channels_out = 7,
                                             .kernel = 2,
                                             .capsule = true});
  ASSERT_TRUE(layout.is_rewritten);
  EXPECT_EQ(layout.source, ChannelsLast({8, 12, 5, 6}));
  EXPECT_EQ(layout.target, ChannelsLast({8, 28, 4, 5}));
  // [2, 5, 6, 3, i, t]: i is an image of 5 * 6 * 12 values, t a channel.
  EXPECT_EQ(layout.rewrite_source.from, RowMajor({2, 5, 6, 3, 4, 4}));
  EXPECT_EQ(layout.rewrite_source.to,
            (StridedShape{{2, 5, 6, 3, 4, 4}, {1440, 72, 12, 4, 360, 1}}));
  // [taps 4, 3, 7, t, j] to [4, (3, t), (7, j)].
  EXPECT_EQ(layout.rewrite_weights.to, (StridedShape{{4, 3, 7, 4, 4}, {336, 112, 4, 28, 1}}));
}

}  // namespace
}  // namespace schedulegym
