#include "agents/network/slot_search.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(SlotSchedulerTest, NamesWhatWasChosenOnce) {
  SlotScheduler scheduler;
  EXPECT_EQ(scheduler.Next({}), std::nullopt);
  scheduler.Choose(1);
  EXPECT_EQ(scheduler.Next({}), 1);
  EXPECT_EQ(scheduler.Next({}), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
