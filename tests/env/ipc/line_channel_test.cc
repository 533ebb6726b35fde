#include "env/ipc/line_channel.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <memory>

namespace schedulegym {
namespace {

// Returns the next line; nullopt if the other side closes, or sends nothing for 20 s.
std::optional<std::string> Await(LineChannel& channel) {
  for (int slice = 0; slice < 1000; ++slice) {
    std::optional<std::string> line = channel.Poll();
    if (line || channel.is_closed()) return line;
    channel.Wait(20);
  }
  return std::nullopt;
}

class LineChannelTest : public testing::Test {
 protected:
  LineChannel& Start(const std::string& command) {
    process_ = std::make_unique<WorkerProcess>(ShellCommand{command});
    channel_ = std::make_unique<LineChannel>(process_->TakePipes());
    return *channel_;
  }

  std::unique_ptr<WorkerProcess> process_;
  std::unique_ptr<LineChannel> channel_;
};

TEST_F(LineChannelTest, LinesComeBackOneByOne) {
  LineChannel& channel = Start("exec cat");
  EXPECT_FALSE(channel.Poll().has_value());
  channel.Send("one");
  channel.Send("");
  channel.Send("three");
  EXPECT_EQ(Await(channel), "one");
  EXPECT_EQ(Await(channel), "");
  EXPECT_EQ(Await(channel), "three");
  EXPECT_FALSE(channel.is_closed());
}

// Neither side waits until the other has read.
TEST_F(LineChannelTest, LongLinesPassSmallPipes) {
  LineChannel& channel = Start("exec cat");
  const std::string line(3 << 20, 'x');
  channel.Send(line);
  EXPECT_EQ(Await(channel), line);
}

TEST_F(LineChannelTest, WhatComesBeforeTheEndIsHeard) {
  LineChannel& channel = Start("echo one; printf two");
  EXPECT_EQ(Await(channel), "one");
  EXPECT_EQ(Await(channel), "two") << "without a newline";
  EXPECT_EQ(Await(channel), std::nullopt);
  EXPECT_TRUE(channel.is_closed());
}

// A process with closed stdin may still have answered; no signal ends this process.
TEST_F(LineChannelTest, WritingToNobodyIsNoFault) {
  LineChannel& channel = Start("exec 0<&-; echo answer; sleep 0.1; echo late");
  EXPECT_EQ(Await(channel), "answer");
  for (int i = 0; i < 3; ++i) channel.Send(std::string(1 << 20, 'x'));
  EXPECT_EQ(Await(channel), "late");
  EXPECT_EQ(Await(channel), std::nullopt);
}

// The line is not buffered.
TEST_F(LineChannelTest, ALineThatIsTooLongClosesIt) {
  LineChannel& channel = Start("exec cat /dev/zero");
  EXPECT_EQ(Await(channel), std::nullopt);
  EXPECT_TRUE(channel.is_too_long());
  EXPECT_EQ(channel.Poll(), std::nullopt);
}

TEST_F(LineChannelTest, ItsStandardFilesAreRealPipes) {
  LineChannel& channel = Start("cat /dev/stdin > /dev/stdout");
  channel.Send("through names");
  EXPECT_EQ(Await(channel), "through names");
}

}  // namespace
}  // namespace schedulegym
