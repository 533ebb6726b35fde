#include "env/ipc/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace schedulegym {
namespace {

bool IsOpen(int number) { return fcntl(number, F_GETFD) >= 0; }

TEST(DescriptorTest, ClosesWithItsOwner) {
  int number = -1;
  {
    const Descriptor owner(open("/dev/null", O_RDONLY | O_CLOEXEC));
    number = owner.number();
    EXPECT_TRUE(owner.is_open());
    EXPECT_TRUE(IsOpen(number));
  }
  EXPECT_FALSE(IsOpen(number));
}

TEST(DescriptorTest, MovesToANewOwner) {
  Descriptor first(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = first.number();
  Descriptor second(std::move(first));
  EXPECT_EQ(second.number(), number);
  Descriptor third(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int replaced = third.number();
  third = std::move(second);
  EXPECT_EQ(third.number(), number);
  EXPECT_FALSE(IsOpen(replaced));
  EXPECT_TRUE(IsOpen(number));
  EXPECT_EQ(third.Release(), number);
  EXPECT_FALSE(third.is_open());
  EXPECT_TRUE(IsOpen(number));
  Descriptor(number).Close();
  EXPECT_FALSE(IsOpen(number));
}

TEST(DescriptorTest, SocketsKeepBordersWhereAsked) {
  for (bool keeps : {false, true}) {
    auto [left, right] = MakeSocketPair(keeps);
    EXPECT_EQ(fcntl(left.number(), F_GETFD), FD_CLOEXEC);
    ASSERT_EQ(write(left.number(), "ab", 2), 2);
    ASSERT_EQ(write(left.number(), "cd", 2), 2);
    std::array<char, 8> bytes;
    EXPECT_EQ(read(right.number(), bytes.data(), bytes.size()), keeps ? 2 : 4);
  }
}

TEST(DescriptorTest, APipeLeadsFromItsSecondEndToItsFirst) {
  auto [from, to] = MakePipe();
  EXPECT_EQ(fcntl(from.number(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(fcntl(to.number(), F_GETFD), FD_CLOEXEC);
  ASSERT_EQ(write(to.number(), "ab", 2), 2);
  std::array<char, 8> bytes;
  EXPECT_EQ(read(from.number(), bytes.data(), bytes.size()), 2);
}

}  // namespace
}  // namespace schedulegym
