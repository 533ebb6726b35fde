#include "backends/runner/compile_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/schedule/state.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/fake_clock.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class CompilePoolTest : public testing::Test {
 protected:
  CompilePoolTest() { options_.program = SG_WORKER; }

  void Start() { pool_ = std::make_unique<CompilePool>(loop_, options_, clock_); }

  void Submit(uint64_t id, const std::string& trace = "trace 1\n",
              const std::string& dag = "input A[64]\nC[i:64] = A[i] + 1.0\n") {
    const Task task{DagOf(dag), MakeTarget(ParseSpec("llvm(cores=1)").value()), "test"};
    pool_->Submit(id, {TextOf(task), trace, 0});
  }

  Compiled Await(uint64_t id) {
    for (int turns = 0; turns < 3000; ++turns) {
      if (std::optional<Compiled> compiled = pool_->Take(id)) return *std::move(compiled);
      loop_.Wait(0.01);
      pool_->Attend();
    }
    ADD_FAILURE() << "no answer to job " << id;
    return {};
  }

  Outcome OutcomeOf(uint64_t id) {
    const Compiled compiled = Await(id);
    return compiled.failure ? compiled.failure->outcome : Outcome::kOk;
  }

  static std::vector<pid_t> Workers() { return ChildrenOf(getpid()); }

  EventLoop loop_;
  FakeClock clock_;
  CompilePoolOptions options_;
  std::unique_ptr<CompilePool> pool_;
};

TEST_F(CompilePoolTest, JobsAreAnsweredWithCode) {
  Start();
  Submit(1);
  const Compiled compiled = Await(1);
  EXPECT_FALSE(compiled.failure.has_value());
  EXPECT_EQ(compiled.code.object.substr(1, 3), "ELF");
  EXPECT_EQ(compiled.code.contract.parameters.size(), 2u);
  EXPECT_TRUE(compiled.code.contract.parameters[1].is_output);
  EXPECT_GT(compiled.seconds, 0);
  EXPECT_FALSE(pool_->Take(1).has_value());
}

TEST_F(CompilePoolTest, ManyJobsAreSharedByWorkers) {
  options_.workers = 2;
  Start();
  for (uint64_t id = 1; id <= 12; ++id) Submit(id);
  EXPECT_EQ(Workers().size(), 2u);
  for (uint64_t id = 12; id >= 1; --id) EXPECT_EQ(OutcomeOf(id), Outcome::kOk);
}

TEST_F(CompilePoolTest, TracesThatAreNoneAreInvalid) {
  Start();
  Submit(1, "trace 1\nsplit(stage=Nobody, loop=0, lengths=[2])\n");
  const Compiled compiled = Await(1);
  ASSERT_TRUE(compiled.failure.has_value());
  EXPECT_EQ(compiled.failure->outcome, Outcome::kInvalidSchedule);
  EXPECT_THAT(compiled.failure->message, HasSubstr("Nobody"));
}

TEST_F(CompilePoolTest, TheJobAtWhichAWorkerDiesIsToBlameAndNoOther) {
  Start();
  Submit(1);
  EXPECT_EQ(OutcomeOf(1), Outcome::kOk);
  const std::vector<pid_t> workers = Workers();
  ASSERT_EQ(workers.size(), 1u);
  kill(workers[0], SIGSTOP);
  for (uint64_t id = 2; id <= 4; ++id) Submit(id);
  kill(workers[0], SIGKILL);
  const Compiled crashed = Await(2);
  ASSERT_TRUE(crashed.failure.has_value());
  EXPECT_EQ(crashed.failure->outcome, Outcome::kCompileCrash);
  EXPECT_THAT(crashed.failure->message, HasSubstr("SIGKILL"));
  EXPECT_EQ(OutcomeOf(3), Outcome::kOk);
  EXPECT_EQ(OutcomeOf(4), Outcome::kOk);
}

TEST_F(CompilePoolTest, TheJobThatTakesTooLongIsToBlameAndNoOther) {
  options_.most_seconds = 7;
  Start();
  Submit(1);
  EXPECT_EQ(OutcomeOf(1), Outcome::kOk);
  kill(Workers().at(0), SIGSTOP);
  Submit(2);
  Submit(3);
  EXPECT_EQ(pool_->NextDeadline(), 7);
  clock_.Advance(6);
  pool_->Attend();
  EXPECT_FALSE(pool_->Take(2).has_value());
  EXPECT_EQ(pool_->NextDeadline(), 1);
  clock_.Advance(2);
  EXPECT_EQ(pool_->NextDeadline(), 0);
  pool_->Attend();
  EXPECT_EQ(OutcomeOf(2), Outcome::kCompileTimeout);
  EXPECT_EQ(OutcomeOf(3), Outcome::kOk);
}

TEST_F(CompilePoolTest, PausesDoNotCount) {
  options_.most_seconds = 7;
  Start();
  Submit(1);
  EXPECT_EQ(OutcomeOf(1), Outcome::kOk);
  pool_->SetPaused(true);
  Submit(2);
  clock_.Advance(100);
  pool_->Attend();
  EXPECT_FALSE(pool_->Take(2).has_value());
  EXPECT_EQ(pool_->NextDeadline(), 7);
  pool_->SetPaused(false);
  EXPECT_EQ(OutcomeOf(2), Outcome::kOk);
}

TEST_F(CompilePoolTest, WorkersAreReplacedAfterSoManyJobs) {
  options_.most_jobs = 2;
  Start();
  Submit(1);
  const pid_t first = Workers().at(0);
  Submit(2);
  EXPECT_EQ(OutcomeOf(1), Outcome::kOk);
  EXPECT_EQ(OutcomeOf(2), Outcome::kOk);
  pool_->Attend();
  Submit(3);
  EXPECT_EQ(OutcomeOf(3), Outcome::kOk);
  ASSERT_EQ(Workers().size(), 1u);
  EXPECT_NE(Workers()[0], first);
}

TEST_F(CompilePoolTest, WorkersAreReplacedWhenTheyAreLarge) {
  options_.most_resident_bytes = 1;
  Start();
  Submit(1);
  EXPECT_EQ(OutcomeOf(1), Outcome::kOk);
  pool_->Attend();
  EXPECT_TRUE(Workers().empty());
  Submit(2);
  EXPECT_EQ(OutcomeOf(2), Outcome::kOk);
}

TEST_F(CompilePoolTest, NothingIsLeftOfIt) {
  options_.workers = 2;
  Start();
  Submit(1);
  Submit(2);
  pool_->SetPaused(true);
  pool_.reset();
  EXPECT_TRUE(Workers().empty());
}

TEST_F(CompilePoolTest, WorkersThatDoNotStartAreTheMachines) {
  options_.program = "/bin/false";
  Start();
  Submit(1);
  EXPECT_EQ(OutcomeOf(1), Outcome::kCompileCrash);
}

}  // namespace
}  // namespace schedulegym
