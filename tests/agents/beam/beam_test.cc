#include "agents/beam/beam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/decisions/agent_search.h"

namespace schedulegym {
namespace {

TEST(BeamTest, KeepsWhatEverySearchKeeps) {
  ExpectAllThatHolds("beam(width=4, passes=2, round=16)");
  ExpectAllThatHolds("beam(reward=measured, width=3)");
}

TEST(BeamTest, BadOptionsSayWhatIsExpected) {
  EXPECT_EQ(RefusalOf("beam(width=0)"), "agent beam: width=0, expected 1 to 100000");
  EXPECT_EQ(RefusalOf("beam(passes=0)"), "agent beam: passes=0, expected 1 to 1000");
  EXPECT_THAT(RefusalOf("beam(reward=measured, passes=2)"), testing::HasSubstr("passes"));
  EXPECT_THAT(RefusalOf("beam(order=sideways)"), testing::HasSubstr("structure"));
}

}  // namespace
}  // namespace schedulegym
