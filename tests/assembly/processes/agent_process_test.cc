#include "assembly/processes/agent_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>

#include "env/base/fault.h"
#include "env/ipc/line_channel.h"

namespace schedulegym {
namespace {

class AgentProcessTest : public testing::Test {
 protected:
  AgentProcess PeerOf(const std::string& command, bool is_ours = false,
                      std::optional<double> seconds = {}) {
    return {{"the agent", is_ours},
            std::make_unique<WorkerProcess>(ShellCommand{command}),
            clock_,
            StopToken(&stop_),
            seconds};
  }

  SteadyClock clock_;
  std::atomic<bool> stop_ = false;
};

TEST_F(AgentProcessTest, WhatItSaysIsHeard) {
  AgentProcess peer = PeerOf("echo hello");
  LineChannel channel(peer.process().TakePipes());
  EXPECT_EQ(peer.Await(channel, {.seconds = 100}), "hello");
  EXPECT_EQ(peer.Await(channel, {.seconds = 100}), std::nullopt);
  EXPECT_FALSE(peer.is_given_up());
}

TEST_F(AgentProcessTest, AnEndNamesItsLastWords) {
  AgentProcess peer = PeerOf("echo first >&2; echo last >&2; exit 3");
  LineChannel channel(peer.process().TakePipes());
  EXPECT_EQ(peer.Await(channel, {.seconds = 100}), std::nullopt);
  try {
    peer.FailEnded();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "the agent ended: last");
  }
}

TEST_F(AgentProcessTest, WhoseFaultItIsDependsOnWhoseItIs) {
  EXPECT_THROW(PeerOf("true").Fail(": no"), InputError);
  EXPECT_THROW(PeerOf("true", true).Fail(": no"), MachineError);
}

TEST_F(AgentProcessTest, OneThatIsBusyEndsWithTheSearch) {
  AgentProcess peer = PeerOf("exec sleep 1000");
  LineChannel channel(peer.process().TakePipes());
  stop_ = true;
  EXPECT_THROW(peer.Await(channel, {.seconds = 100}), Interrupted);
  EXPECT_TRUE(peer.is_given_up());
  EXPECT_NE(kill(peer.process().pid(), 0), 0) << "nobody is left";
}

TEST_F(AgentProcessTest, OneThatStopsThinkingIsStillThere) {
  AgentProcess peer = PeerOf("trap 'echo late' USR1; echo ready; while :; do sleep 0.01; done");
  LineChannel channel(peer.process().TakePipes());
  EXPECT_EQ(peer.Await(channel), "ready");
  stop_ = true;
  EXPECT_THROW(peer.Await(channel), Interrupted);
  EXPECT_FALSE(peer.is_given_up());
  EXPECT_EQ(kill(peer.process().pid(), 0), 0);
}

TEST_F(AgentProcessTest, OneThatTakesTooMuchIsEnded) {
  AgentProcess peer(
      {.name = "the agent", .excess = [](pid_t) { return "threads: found 9, expected at most 8"; }},
      std::make_unique<WorkerProcess>(ShellCommand{"exec sleep 1000"}), clock_, {});
  LineChannel channel(peer.process().TakePipes());
  try {
    peer.Await(channel);
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "the agent takes too much: threads: found 9, expected at most 8");
  }
  EXPECT_TRUE(peer.is_given_up());
}

TEST_F(AgentProcessTest, OneThatIsBusyEndsWithTheSearchsSeconds) {
  AgentProcess peer = PeerOf("exec sleep 1000", false, 0.05);
  LineChannel channel(peer.process().TakePipes());
  peer.BeginRun();
  peer.BeginRun();
  EXPECT_THROW(peer.Await(channel, {.seconds = 100}), Interrupted);
  EXPECT_TRUE(peer.is_given_up());
}

TEST_F(AgentProcessTest, SilenceHasAnEnd) {
  AgentProcess peer = PeerOf("exec sleep 1000", false, 1000);
  LineChannel channel(peer.process().TakePipes());
  try {
    peer.Await(channel, {.seconds = 0.05});
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_STREQ(fault.what(), "the agent said nothing for 0.05 seconds");
  }
  EXPECT_TRUE(peer.is_given_up());
}

// Advances by two seconds at each call.
class HastyClock : public Clock {
 public:
  double Now() const override { return now_ += 2; }

 private:
  mutable double now_ = 0;
};

// The shell keeps the pipe open although its program no longer writes to it.
TEST_F(AgentProcessTest, OneThatIsSilentIsNamedOnce) {
  const HastyClock clock;
  AgentProcess peer(
      {.name = "the agent"},
      std::make_unique<WorkerProcess>(ShellCommand{"sh -c 'exec 1>&-'; exec sleep 1000"}), clock,
      {});
  std::vector<std::string> said;
  peer.OnSilence([&](const std::string& line) { said.push_back(line); });
  LineChannel channel(peer.process().TakePipes());
  EXPECT_THROW(peer.Await(channel, {.seconds = 100}), InputError);
  EXPECT_THAT(
      said, testing::ElementsAre("the agent has not answered for 10.0 seconds, it may take 100.0"));
}

}  // namespace
}  // namespace schedulegym
