#include "env/ipc/frame.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace schedulegym {
namespace {

class FrameChannelTest : public testing::Test {
 protected:
  FrameChannelTest() : FrameChannelTest(MakeSocketPair(false)) {}

  FrameChannel left_, right_;

 private:
  explicit FrameChannelTest(std::pair<Descriptor, Descriptor> ends)
      : left_(std::move(ends.first)), right_(std::move(ends.second)) {}
};

ino_t FileOf(int descriptor) {
  struct stat facts {};
  EXPECT_EQ(fstat(descriptor, &facts), 0);
  return facts.st_ino;
}

TEST_F(FrameChannelTest, FramesArrive) {
  EXPECT_FALSE(right_.Poll().has_value());
  EXPECT_FALSE(right_.is_closed());
  EXPECT_TRUE(left_.Send({1, 2, "three"}));
  EXPECT_EQ(right_.Receive(), (Frame{1, 2, "three"}));
  EXPECT_TRUE(right_.Send({4, 5, ""}));
  EXPECT_EQ(left_.Poll(), (Frame{4, 5, ""}));
}

TEST_F(FrameChannelTest, SeveralAtOnceComeOneByOne) {
  for (uint64_t id = 0; id < 3; ++id) left_.Send({1, id, "x"});
  for (uint64_t id = 0; id < 3; ++id) EXPECT_EQ(right_.Poll(), (Frame{1, id, "x"}));
}

TEST_F(FrameChannelTest, LargeFramesPassASmallSocket) {
  const Frame frame{1, 2, std::string(10 << 20, 'x')};
  std::thread sender([&] { EXPECT_TRUE(left_.Send(frame)); });
  EXPECT_EQ(right_.Receive(), frame);
  sender.join();
}

TEST_F(FrameChannelTest, DescriptorsTravelWithFrames) {
  const Descriptor one(memfd_create("one", MFD_CLOEXEC)), two(memfd_create("two", MFD_CLOEXEC));
  const std::array<int, 2> files = {one.number(), two.number()};
  EXPECT_TRUE(left_.Send({1, 2, "with files"}, files));
  EXPECT_TRUE(right_.Receive().has_value());
  const std::vector<Descriptor> received = right_.TakeDescriptors(2);
  ASSERT_EQ(received.size(), 2u);
  EXPECT_EQ(FileOf(received[0].number()), FileOf(one.number()));
  EXPECT_EQ(FileOf(received[1].number()), FileOf(two.number()));
  EXPECT_EQ(fcntl(received[0].number(), F_GETFD), FD_CLOEXEC);
  EXPECT_TRUE(right_.TakeDescriptors(1).empty());
}

// One read returns a long frame's end and the next frame, with the descriptors of both.
TEST_F(FrameChannelTest, DescriptorsOfTheNextFrameAreLeft) {
  const Descriptor one(memfd_create("one", MFD_CLOEXEC)), two(memfd_create("two", MFD_CLOEXEC));
  const std::array<int, 1> first = {one.number()}, second = {two.number()};
  EXPECT_TRUE(left_.Send({1, 1, std::string(40'000, 'x')}, first));
  EXPECT_TRUE(left_.Send({1, 2, std::string(40'000, 'y')}, second));
  for (const Descriptor* file : {&one, &two}) {
    EXPECT_TRUE(right_.Receive().has_value());
    const std::vector<Descriptor> received = right_.TakeDescriptors(1);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_EQ(FileOf(received[0].number()), FileOf(file->number()));
  }
}

TEST_F(FrameChannelTest, TheEndOfTheOtherSideIsSeen) {
  left_.Send({1, 2, "last"});
  left_ = FrameChannel(Descriptor());
  EXPECT_EQ(right_.Receive(), (Frame{1, 2, "last"}));
  EXPECT_FALSE(right_.Receive().has_value());
  EXPECT_TRUE(right_.is_closed());
  EXPECT_FALSE(right_.Send({1, 2, "nobody"}));
}

TEST_F(FrameChannelTest, OneThatSpeaksNoFramesIsGone) {
  ASSERT_EQ(write(left_.descriptor(), "GET / HTTP/1.1\r\n", 16), 16);
  EXPECT_FALSE(right_.Receive().has_value());
  EXPECT_TRUE(right_.is_closed());
}

}  // namespace
}  // namespace schedulegym
