#include "agents/beam/guided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/decisions/agent_search.h"

namespace schedulegym {
namespace {

TEST(GuidedTest, KeepsWhatEverySearchKeeps) {
  ExpectAllThatHolds("guided(samples=8)");
  ExpectAllThatHolds("guided(samples=8, depth=2, k=5)");
}

TEST(GuidedTest, BadOptionsSayWhatIsExpected) {
  EXPECT_EQ(RefusalOf("guided(samples=0)"), "agent guided: samples=0, expected 1 to 1000000");
  EXPECT_EQ(RefusalOf("guided(k=0)"), "agent guided: k=0, expected 1 to 100000");
  EXPECT_EQ(RefusalOf("guided(depth=-1)"), "agent guided: depth=-1, expected 0 to 1000");
}

}  // namespace
}  // namespace schedulegym
