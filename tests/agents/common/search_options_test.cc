#include "agents/common/fresh_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

SpecReader ReaderOf(const std::string& text) { return {ParseSpec(text).value(), "agent"}; }

TEST(SearchOptionsTest, RetriesAreAThousandUnlessGiven) {
  SpecReader none = ReaderOf("hill"), some = ReaderOf("hill(retries=7)");
  EXPECT_EQ(ReadRetries(none, "agent hill"), 1000);
  EXPECT_EQ(ReadRetries(some, "agent hill"), 7);
  SpecReader bad = ReaderOf("hill(retries=0)");
  EXPECT_EQ(InputFaultOf([&] { ReadRetries(bad, "agent hill"); }),
            "agent hill: retries=0, expected at least 1");
}

TEST(SearchOptionsTest, SharesLieBetweenNoneAndAll) {
  SpecReader none = ReaderOf("local"), all = ReaderOf("local(walk=1)");
  EXPECT_EQ(ReadShare(none, "agent local", "walk", 0.3), 0.3);
  EXPECT_EQ(ReadShare(all, "agent local", "walk", 0.3), 1);
  SpecReader bad = ReaderOf("local(walk=1.5)");
  EXPECT_EQ(InputFaultOf([&] { ReadShare(bad, "agent local", "walk", 0.3); }),
            "agent local: walk=1.5, expected 0 to 1");
}

}  // namespace
}  // namespace schedulegym
