#include "backends/runner/checker_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "backends/runner/edge_shape_check.h"
#include "env/ipc/encoding.h"
#include "env/program/workloads/workload.h"
#include "tests/env/measure/fake_clock.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class WorkerSessionTest : public testing::Test {
 protected:
  bool AttendOnce() {
    loop_.Wait(0.01);
    return worker_session_.Attend([](const TimingNotice&) {});
  }
  CheckerAnswer Await() {
    while (!AttendOnce()) {
    }
    return worker_session_.Take();
  }
  void AskSomething() {
    worker_session_.Ask(MessageType::kVerify, Encode(VerifyRequest{"nothing", {}}));
  }

  EventLoop loop_;
  FakeClock clock_;
  WorkerSession worker_session_{loop_, SG_WORKER, clock_, /*most_seconds=*/10};
};

TEST_F(WorkerSessionTest, OneQuestionAtATime) {
  EXPECT_TRUE(worker_session_.is_idle());
  AskSomething();
  EXPECT_FALSE(worker_session_.is_idle());
  EXPECT_THROW(AskSomething(), std::logic_error);
  while (!AttendOnce()) {
  }
  EXPECT_TRUE(worker_session_.has_answer());
  EXPECT_FALSE(worker_session_.is_idle());
  EXPECT_EQ(worker_session_.Take().refusal, "forgotten");
  EXPECT_TRUE(worker_session_.is_idle());
}

// The request has no code for the naive program: it is refused, and nothing is prepared.
TEST_F(WorkerSessionTest, WhatWasRefusedIsNotPrepared) {
  PrepareRequest request;
  request.key = "mine";
  worker_session_.AskToPrepare(request);
  while (!AttendOnce()) {
  }
  EXPECT_EQ(worker_session_.preparing(), "mine");
  EXPECT_NE(worker_session_.Take().refusal, "");
  EXPECT_FALSE(worker_session_.preparing().has_value());
  EXPECT_FALSE(worker_session_.Has("mine"));
}

TEST_F(WorkerSessionTest, ASilentCheckerIsEndedAndReplaced) {
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

TEST_F(WorkerSessionTest, WhatIsGivenUpIsAnsweredByNobody) {
  AskSomething();
  const std::vector<pid_t> checkers = ChildrenOf(getpid());
  ASSERT_EQ(checkers.size(), 1u);
  worker_session_.GiveUp();
  EXPECT_FALSE(IsRunning(checkers[0]));
  EXPECT_TRUE(worker_session_.is_idle());
  // An answer that has arrived is dropped, too; this checker stays.
  AskSomething();
  while (!AttendOnce()) {
  }
  const std::vector<pid_t> others = ChildrenOf(getpid());
  worker_session_.GiveUp();
  EXPECT_TRUE(worker_session_.is_idle());
  EXPECT_EQ(ChildrenOf(getpid()), others);
}

}  // namespace
}  // namespace schedulegym
