#include "env/base/stop_token.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(StopTokenTest, SaysWhatItsFlagSays) {
  std::atomic<bool> flag = false;
  const StopToken stop(&flag);
  EXPECT_FALSE(stop.IsSet());
  EXPECT_NO_THROW(stop.Check());
  flag = true;
  EXPECT_TRUE(stop.IsSet());
  EXPECT_THROW(stop.Check(), Interrupted);
}

TEST(StopTokenTest, WithoutAFlagItIsNeverSet) {
  EXPECT_FALSE(StopToken().IsSet());
  EXPECT_NO_THROW(StopToken(nullptr).Check());
}

}  // namespace
}  // namespace schedulegym
