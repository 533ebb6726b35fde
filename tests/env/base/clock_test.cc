#include "env/base/clock.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(ClockTest, NeverGoesBack) {
  const SteadyClock clock;
  double last = clock.Now();
  for (int i = 0; i < 1000; ++i) {
    const double now = clock.Now();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace schedulegym
