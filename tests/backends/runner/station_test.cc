#include "backends/runner/checker_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "backends/runner/shape_gate.h"
#include "env/ipc/encoding.h"
#include "env/program/workloads/workload.h"
#include "tests/env/measure/fake_clock.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class StationTest : public testing::Test {
 protected:
  bool AttendOnce() {
    loop_.Wait(0.01);
    return station_.Attend([](const TimingNotice&) {});
  }
  CheckerAnswer Await() {
    while (!AttendOnce()) {
    }
    return station_.Take();
  }
  void AskSomething() { station_.Ask(MessageType::kVerify, Encode(VerifyRequest{"nothing", {}})); }

  EventLoop loop_;
  FakeClock clock_;
  Station station_{loop_, SG_WORKER, clock_, /*most_seconds=*/10};
};

TEST_F(StationTest, OneQuestionAtATime) {
  EXPECT_TRUE(station_.is_idle());
  AskSomething();
  EXPECT_FALSE(station_.is_idle());
  EXPECT_THROW(AskSomething(), std::logic_error);
  while (!AttendOnce()) {
  }
  EXPECT_TRUE(station_.has_answer());
  EXPECT_FALSE(station_.is_idle());
  EXPECT_EQ(station_.Take().refusal, "forgotten");
  EXPECT_TRUE(station_.is_idle());
}

// Without code for the naive program: the answer is a refusal, and nothing is prepared.
TEST_F(StationTest, WhatWasRefusedIsNotPrepared) {
  PrepareRequest request;
  request.key = "mine";
  station_.AskToPrepare(request);
  while (!AttendOnce()) {
  }
  EXPECT_EQ(station_.preparing(), "mine");
  EXPECT_NE(station_.Take().refusal, "");
  EXPECT_FALSE(station_.preparing().has_value());
  EXPECT_FALSE(station_.Has("mine"));
}

TEST_F(StationTest, ASilentCheckerIsEndedAndReplaced) {
  AskSomething();
  Await();
  const std::vector<pid_t> checkers = ChildrenOf(getpid());
  ASSERT_EQ(checkers.size(), 1u);
  kill(checkers[0], SIGSTOP);
  AskSomething();
  EXPECT_FALSE(AttendOnce());
  clock_.Advance(9);
  EXPECT_FALSE(AttendOnce());
  clock_.Advance(2);
  const CheckerAnswer answer = Await();
  EXPECT_TRUE(answer.is_gone);
  EXPECT_THAT(answer.message, HasSubstr("said nothing for 10.0 s"));
  EXPECT_FALSE(IsRunning(checkers[0]));
  AskSomething();
  EXPECT_EQ(Await().refusal, "forgotten");
}

TEST_F(StationTest, WhatIsGivenUpIsAnsweredByNobody) {
  AskSomething();
  const std::vector<pid_t> checkers = ChildrenOf(getpid());
  ASSERT_EQ(checkers.size(), 1u);
  station_.GiveUp();
  EXPECT_FALSE(IsRunning(checkers[0]));
  EXPECT_TRUE(station_.is_idle());
  // Nor is one that has answered already, which stays.
  AskSomething();
  while (!AttendOnce()) {
  }
  const std::vector<pid_t> others = ChildrenOf(getpid());
  station_.GiveUp();
  EXPECT_TRUE(station_.is_idle());
  EXPECT_EQ(ChildrenOf(getpid()), others);
}

}  // namespace
}  // namespace schedulegym
