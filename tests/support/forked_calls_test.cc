#include "tests/support/forked_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace schedulegym {
namespace {

TEST(ForkedCallsTest, OutlivesWhatHangsOrDies) {
  int calls = 0;
  ForkedCalls forked(
      [&](int number) {
        if (number == 1) pause();
        if (number == 2) std::abort();
        return number == 3 ? "" : std::to_string(number) + " of " + std::to_string(++calls);
      },
      1);
  EXPECT_EQ(forked.Call(5), "5 of 1");
  EXPECT_EQ(forked.Call(6), "6 of 2");
  EXPECT_EQ(forked.Call(1), std::nullopt);
  EXPECT_EQ(forked.Call(7), "7 of 1") << "a new child";
  EXPECT_EQ(forked.Call(2), std::nullopt);
  EXPECT_EQ(forked.Call(3), "");
  EXPECT_EQ(calls, 0);
}

TEST(ForkedCallsTest, CutsLongAnswers) {
  ForkedCalls forked([](int number) { return std::string(number, 'x'); }, 5);
  EXPECT_EQ(forked.Call(100'000), std::string(8000, 'x'));
}

}  // namespace
}  // namespace schedulegym
