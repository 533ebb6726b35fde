#include "backends/runner/confinement/confined_program.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace schedulegym {
namespace {

rlimit LimitNow(__rlimit_resource resource) {
  rlimit now = {};
  getrlimit(resource, &now);
  return now;
}

TEST(LimitResourceTest, WhatIsTighterStays) {
  ASSERT_TRUE(LimitResource(RLIMIT_CPU, 100000, 5));
  EXPECT_EQ(LimitNow(RLIMIT_CPU).rlim_cur, 100000u);
  EXPECT_EQ(LimitNow(RLIMIT_CPU).rlim_max, 100005u);
  ASSERT_TRUE(LimitResource(RLIMIT_CPU, 200000));
  EXPECT_EQ(LimitNow(RLIMIT_CPU).rlim_cur, 100005u);
  EXPECT_EQ(LimitNow(RLIMIT_CPU).rlim_max, 100005u);
  EXPECT_FALSE(LimitResource(-1, 1));
}

}  // namespace
}  // namespace schedulegym
