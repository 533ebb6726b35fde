#include "env/program/workloads/workload.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(PathSpecTest, PathsMayHoldAnyCharacters) {
  EXPECT_EQ(ParsePathSpec("my nets, (2)/a.net(n=16)", ".net")->name, "my nets, (2)/a.net");
  EXPECT_EQ(ParsePathSpec("a b.net", ".net")->name, "a b.net");
  EXPECT_EQ(ParsePathSpec("resnet50(n=2)", ".net")->ToText(), "resnet50(n=2)");
  EXPECT_FALSE(ParsePathSpec("a b", ".net").ok());
  EXPECT_FALSE(ParsePathSpec("a.net(n=", ".net").ok());
}

TEST(PathSpecTest, EndsAfterItsSuffix) {
  EXPECT_EQ(PathEnd("a b.dag(n=1)", ".dag"), 7u);
  EXPECT_EQ(PathEnd("a.dag", ".dag"), 5u);
  EXPECT_EQ(PathEnd("a.dagger", ".dag"), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
