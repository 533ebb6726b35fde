#include "backends/runner/compile_pool.h"

#include <gtest/gtest.h>

#include "backends/runner/wire/task_text.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

class CompileJobsTest : public testing::Test {
 protected:
  static CompileRequest Request(const std::string& trace) {
    const Task task{DagOf("input A[64]\nC[i:64] = A[i] + 1.0\n"),
                    MakeTarget(ParseSpec("llvm(cores=1)").value()), "test"};
    return {TextOf(task), trace, 0};
  }

  std::optional<Compiled> Await(const Key& job) {
    for (int turn = 0; turn < 3000; ++turn) {
      if (auto compiled = jobs_.Take(job)) return compiled;
      loop_.Wait(0.01);
      pool_.Attend();
    }
    return std::nullopt;
  }

  EventLoop loop_;
  FakeClock clock_;
  CompilePool pool_{loop_, {.program = SG_WORKER}, clock_};
  CompileJobs jobs_{pool_};
  CompileRequest naive_ = Request("trace 1\n");
  CompileRequest split_ = Request("trace 1\nsplit(stage=C, loop=0, lengths=[8])\n");
};

TEST_F(CompileJobsTest, EqualRequestsAreOneJobUntilItIsTaken) {
  const Key job = jobs_.Submit(naive_);
  EXPECT_EQ(jobs_.Submit(naive_), job);
  EXPECT_NE(jobs_.Submit(split_), job);
  const std::optional<Compiled> compiled = Await(job);
  ASSERT_TRUE(compiled.has_value());
  EXPECT_FALSE(compiled->failure.has_value());
  EXPECT_FALSE(jobs_.Take(job).has_value());
  // A second request compiles again.
  EXPECT_EQ(jobs_.Submit(naive_), job);
  EXPECT_TRUE(Await(job).has_value());
}

TEST_F(CompileJobsTest, WhatNobodyWillAskForEnds) {
  const Key naive = jobs_.Submit(naive_);
  const Key split = jobs_.Submit(split_);
  jobs_.KeepOnly({&split, 1});
  EXPECT_TRUE(Await(split).has_value());
  EXPECT_FALSE(jobs_.Take(naive).has_value());
  // A new job gets its own answer, even if the worker has begun another.
  EXPECT_EQ(jobs_.Submit(naive_), naive);
  EXPECT_TRUE(Await(naive).has_value());
}

TEST_F(CompileJobsTest, WhatIsNoJobHasNoAnswer) { EXPECT_FALSE(jobs_.Take({1, 2}).has_value()); }

}  // namespace
}  // namespace schedulegym
