#include "env/features/ansor_features.h"

#include <gtest/gtest.h>

#include <set>

namespace schedulegym {
namespace {

TEST(AnsorLayoutTest, NamesStandWhereGroupsBegin) {
  const std::vector<std::string> names = AnsorFeatureNames();
  ASSERT_EQ(names.size(), static_cast<size_t>(AnsorLayout::kWidth));
  EXPECT_EQ(names[AnsorLayout::kOperations], "float_multiply_add");
  EXPECT_EQ(names[AnsorLayout::kOperations + 15], "select");
  EXPECT_EQ(names[AnsorLayout::kVectorized + AnsorAnnotationLayout::kCount], "vector.count");
  EXPECT_EQ(names[AnsorLayout::kUnrolled + AnsorAnnotationLayout::kInnermost], "unroll.innermost");
  EXPECT_EQ(names[AnsorLayout::kParallel + AnsorAnnotationLayout::kPosition +
                  AnsorAnnotationLayout::kMixed],
            "parallel.at_mixed");
  EXPECT_EQ(names[AnsorLayout::kGpu], "gpu.is_gpu");
  const int last = AnsorLayout::kBuffers + 4 * AnsorBufferLayout::kWidth;
  EXPECT_EQ(names[last + AnsorBufferLayout::kAccess], "buffer4.is_read");
  EXPECT_EQ(names[last + AnsorBufferLayout::kBytes], "buffer4.bytes");
  EXPECT_EQ(names[last + AnsorBufferLayout::kUniqueLines], "buffer4.unique_lines");
  EXPECT_EQ(names[last + AnsorBufferLayout::kReuse], "buffer4.reuse_in_loop");
  EXPECT_EQ(names[last + AnsorBufferLayout::kReuseCount], "buffer4.reuse_count");
  EXPECT_EQ(names[last + AnsorBufferLayout::kPerReuse], "buffer4.bytes_per_reuse");
  EXPECT_EQ(names[last + AnsorBufferLayout::kStride], "buffer4.stride");
  EXPECT_EQ(names[AnsorLayout::kIntensity], "intensity0");
  EXPECT_EQ(names[AnsorLayout::kAllocation + AnsorAllocationLayout::kInner], "allocation.inner");
  EXPECT_EQ(names[AnsorLayout::kOuterScope + AnsorScopeLayout::kUnrollStep], "scope.unroll_step");
}

TEST(AnsorLayoutTest, NamesDiffer) {
  const std::vector<std::string> names = AnsorFeatureNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace schedulegym
