#include "agents/learned/policy/tensor_views.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(TensorViewsTest, ABatchIsSeenWhereItLies) {
  RowBatch batch(3, 2);
  const at::Tensor view = ViewOf(batch);
  EXPECT_EQ(view.size(0), 2);
  EXPECT_EQ(view.size(1), 3);
  batch[1][2] = 5;
  EXPECT_EQ(view[1][2].item<float>(), 5);
  EXPECT_EQ(view.data_ptr<float>(), batch.values().data());
}

TEST(TensorViewsTest, MasksAndValuesKeepTheirTypes) {
  MaskBatch mask(2, 1);
  mask[0][1] = 1;
  EXPECT_EQ(ViewOf(mask).scalar_type(), at::kByte);
  EXPECT_EQ(ViewOf(mask).sum().item<int64_t>(), 1);
  Batch<int64_t> values(1, 1);
  values[0][0] = int64_t{1} << 40;
  EXPECT_EQ(ViewOf(values)[0][0].item<int64_t>(), int64_t{1} << 40);
}

TEST(TensorViewsTest, NumbersComeBackRowAfterRow) {
  RowBatch batch(2, 2);
  batch[0][1] = 1;
  batch[1][0] = 2;
  EXPECT_EQ(NumbersOf(ViewOf(batch)), (std::vector<float>{0, 1, 2, 0}));
  EXPECT_EQ(NumbersOf(ViewOf(batch).t()), (std::vector<float>{0, 2, 1, 0}));
  const std::vector<float> some = {3, 4};
  EXPECT_EQ(NumbersOf(ViewOf(some)), some);
}

}  // namespace
}  // namespace schedulegym
