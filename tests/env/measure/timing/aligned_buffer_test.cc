#include "env/measure/timing/timing_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace schedulegym {
namespace {

TEST(AlignedBufferTest, IsAlignedZeroedAndOfItsSize) {
  for (int64_t bytes : {0, 1, 63, 64, 65, 4096, 100001}) {
    AlignedBuffer buffer(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_EQ(buffer.bytes(), bytes);
    for (char value : buffer.As<char>()) ASSERT_EQ(value, 0);
    std::memset(buffer.data(), 1, static_cast<size_t>(bytes));
    EXPECT_TRUE(buffer.BordersIntact());
  }
  EXPECT_EQ(AlignedBuffer(40).As<double>().size(), 5u);
}

TEST(AlignedBufferTest, SeesWritesBesideIt) {
  AlignedBuffer buffer(100);
  char* data = static_cast<char*>(buffer.data());
  for (int offset : {-64, -1, 100, 127, 191}) {
    const char before = data[offset];
    data[offset] = 0;
    EXPECT_FALSE(buffer.BordersIntact()) << offset;
    data[offset] = before;
    EXPECT_TRUE(buffer.BordersIntact());
  }
}

TEST(AlignedBufferTest, RestoringKeepsTheContents) {
  AlignedBuffer buffer(100);
  char* data = static_cast<char*>(buffer.data());
  data[99] = 7;
  data[100] = 7;
  buffer.RestoreBorders();
  EXPECT_TRUE(buffer.BordersIntact());
  EXPECT_EQ(data[99], 7);
}

TEST(AlignedBufferTest, AnEmptyHandleHasNothing) {
  AlignedBuffer buffer;
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_TRUE(buffer.BordersIntact());
  buffer.RestoreBorders();
  AlignedBuffer other(8);
  void* data = other.data();
  buffer = std::move(other);
  EXPECT_EQ(buffer.data(), data);
}

}  // namespace
}  // namespace schedulegym
