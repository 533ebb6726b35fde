#include "backends/runner/reference_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "backends/backend.h"
#include "backends/runner/measured_task.h"
#include "backends/runner/worker/measuring_lock.h"
#include "env/lower/lower.h"
#include "env/program/workloads/workload.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ScheduleState NaiveSchedule(std::shared_ptr<const Task> task) {
  return ScheduleState::Initial(std::move(task));
}

class ReferenceChecksTest : public testing::Test {
 protected:
  static PrepareRequest RequestOf(const std::string& workload) {
    const auto task = std::make_shared<const Task>(
        Task{MakeWorkload(ParseSpec(workload).value()),
             MakeTarget(ParseSpec("llvm(cores=1)").value()), workload});
    const ScheduleState naive = NaiveSchedule(task);
    PrepareRequest request = MakePrepareRequest(task, naive, NaiveSchedule, "cpu1", 5);
    const LoopProgram program = Lower(naive).value();
    const std::unique_ptr<Backend> backend = MakeBackend(task->target);
    request.reference = {backend->Translate(program, CodeForm::kObject, {}).value(),
                         ContractOf(program)};
    request.key = workload;
    return request;
  }

  void AttendOnce() {
    loop_.Wait(0.01);
    checks_.Attend();
  }
  std::vector<ReferenceVerdict> Await() {
    while (!checks_.is_idle()) AttendOnce();
    return checks_.Take();
  }

  EventLoop loop_;
  ReferenceChecks checks_{loop_, SG_WORKER};
};

TEST_F(ReferenceChecksTest, OneAfterTheOtherIsFoundRight) {
  EXPECT_TRUE(checks_.is_idle());
  checks_.Ask(RequestOf("matmul(m=20,n=30,k=40)"));
  checks_.Ask(RequestOf("softmax(n=5,m=7)"));
  EXPECT_FALSE(checks_.is_idle());
  const std::vector<ReferenceVerdict> verdicts = Await();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].key, "matmul(m=20,n=30,k=40)");
  EXPECT_EQ(verdicts[1].key, "softmax(n=5,m=7)");
  for (const ReferenceVerdict& verdict : verdicts) {
    EXPECT_EQ(verdict.fault, "");
    EXPECT_THAT(verdict.toolchain, HasSubstr("llvm"));
    EXPECT_GT(verdict.seconds, 0);
  }
  EXPECT_THAT(checks_.Take(), IsEmpty());
  // The process and its memory are gone.
  EXPECT_THAT(ChildrenOf(getpid()), IsEmpty());
}

TEST_F(ReferenceChecksTest, AWrongOneIsSaidToBeWrong) {
  PrepareRequest request = RequestOf("matmul(m=20,n=30,k=40)");
  request.reference = RequestOf("matmul(m=20,n=30,k=39)").reference;
  checks_.Ask(std::move(request));
  const std::vector<ReferenceVerdict> verdicts = Await();
  ASSERT_THAT(verdicts, SizeIs(1));
  // The missing product of a cell may be 0 by chance.
  EXPECT_THAT(verdicts[0].fault, HasSubstr("differ: C["));
}

TEST_F(ReferenceChecksTest, NothingRunsWhileItIsPaused) {
  checks_.SetPaused(true);
  checks_.Ask(RequestOf("softmax(n=5,m=7)"));
  EXPECT_THAT(ChildrenOf(getpid()), IsEmpty());
  checks_.SetPaused(false);
  const std::vector<pid_t> children = ChildrenOf(getpid());
  ASSERT_THAT(children, SizeIs(1));
  checks_.SetPaused(true);
  siginfo_t stopped = {};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(children[0]), &stopped, WSTOPPED | WNOWAIT), 0);
  EXPECT_EQ(stopped.si_code, CLD_STOPPED);
  checks_.SetPaused(false);
  EXPECT_THAT(Await(), SizeIs(1));
}

TEST_F(ReferenceChecksTest, WhatEndsItsProcessTwiceIsDropped) {
  checks_.Ask(RequestOf("matmul(m=20,n=30,k=40)"));
  checks_.Ask(RequestOf("softmax(n=5,m=7)"));
  for (int death = 0; death < 2; ++death) {
    const std::vector<pid_t> children = ChildrenOf(getpid());
    ASSERT_THAT(children, SizeIs(1));
    kill(children[0], SIGKILL);
    while (ChildrenOf(getpid()) == children) AttendOnce();
  }
  const std::vector<ReferenceVerdict> verdicts = Await();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].key, "matmul(m=20,n=30,k=40)");
  EXPECT_EQ(verdicts[0].unknown, "the process that checks it ended twice: SIGKILL");
  EXPECT_EQ(verdicts[0].fault, "");
  EXPECT_EQ(verdicts[1].key, "softmax(n=5,m=7)");
  EXPECT_EQ(verdicts[1].unknown, "");
}

TEST_F(ReferenceChecksTest, WhatIsRefusedIsDropped) {
  PrepareRequest request = RequestOf("softmax(n=5,m=7)");
  request.task.target = "llvm(cores=0)";
  checks_.Ask(std::move(request));
  const std::vector<ReferenceVerdict> verdicts = Await();
  ASSERT_THAT(verdicts, SizeIs(1));
  EXPECT_THAT(verdicts[0].unknown, HasSubstr("key 'cores' is 0"));
  EXPECT_EQ(verdicts[0].fault, "");
}

// The state of a process in one letter; "T" is a stopped one.
std::string StateOf(pid_t process) {
  std::string text;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::getline(file, text);
  const size_t name_end = text.rfind(')');
  return name_end == std::string::npos ? "" : text.substr(name_end + 2, 1);
}

class OtherProgramTest : public ReferenceChecksTest {
 protected:
  OtherProgramTest() { setenv("SCHEDULEGYM_LOCK", path_.c_str(), 1); }
  ~OtherProgramTest() override { unsetenv("SCHEDULEGYM_LOCK"); }

  // The state of the process that does the work.
  std::string StateOfWork() {
    const std::vector<pid_t> all = DescendantsOf(getpid());
    return all.size() == 2 ? StateOf(ChildrenOf(all[0]).empty() ? all[0] : all[1]) : "";
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("lock");
};

TEST_F(OtherProgramTest, NothingRunsWhileAnotherProgramTimesSomething) {
  MeasuringLock other(path_);
  std::optional<MeasuringTurn> turn(other);
  checks_.Ask(RequestOf("softmax(n=5,m=7)"));
  while (StateOfWork() != "T") AttendOnce();
  for (int looks = 0; looks < 20; ++looks) {
    AttendOnce();
    EXPECT_FALSE(checks_.is_idle());
    EXPECT_EQ(StateOfWork(), "T");
  }
  turn.reset();
  EXPECT_THAT(Await(), SizeIs(1));
}

}  // namespace
}  // namespace schedulegym
