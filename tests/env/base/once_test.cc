#include "env/base/once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace schedulegym {
namespace {

TEST(OnceTest, AsksOnce) {
  Once<std::string> once;
  EXPECT_FALSE(once.is_made());
  EXPECT_EQ(once.Get([] { return std::string("first"); }), "first");
  EXPECT_TRUE(once.is_made());
  EXPECT_EQ(once.Get([] { return std::string("second"); }), "first");
}

TEST(OnceTest, ACopyHasNothingMade) {
  Once<int> once;
  once.Get([] { return 1; });
  Once<int> copy = once;
  EXPECT_FALSE(copy.is_made());
  EXPECT_EQ(copy.Get([] { return 2; }), 2);
  EXPECT_EQ(once.Get([] { return 3; }), 1);
}

TEST(OnceTest, KeepsNothingOfWhatThrows) {
  Once<int> once;
  EXPECT_THROW(once.Get([]() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_FALSE(once.is_made());
  EXPECT_EQ(once.Get([] { return 2; }), 2);
}

TEST(OnceTest, AsksOnceForAllThreads) {
  Once<int> once;
  std::atomic<int> asked = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(once.Get([&] { return ++asked; }), 1); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace schedulegym
