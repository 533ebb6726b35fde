#include "experiments/cli/spec_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;

TEST(SpecListTest, IsCutAtCommasOutsideOfBracketsAndQuotes) {
  EXPECT_THAT(SplitSpecs("a,b(c=1,d=e(f=2,g=3)),h"), ElementsAre("a", "b(c=1,d=e(f=2,g=3))", "h"));
  EXPECT_THAT(SplitSpecs("a(file=\"x,)y\"),b"), ElementsAre("a(file=\"x,)y\")", "b"));
  EXPECT_THAT(SplitSpecs(""), ElementsAre(""));
  EXPECT_THAT(SplitSpecs("a,"), ElementsAre("a", ""));
}

}  // namespace
}  // namespace schedulegym
