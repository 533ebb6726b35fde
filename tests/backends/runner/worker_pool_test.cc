#include "backends/runner/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/runner/edge_shape_check.h"
#include "backends/runner/measured_task.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class WorkerPoolTest : public testing::Test {
 protected:
  static std::unique_ptr<WorkerPool> Place(int checkers, const std::string& program = SG_WORKER) {
    WorkerPoolOptions options;
    options.program = program;
    options.checkers = checkers;
    static const SteadyClock clock;
    return std::make_unique<WorkerPool>(options, "cpu1", clock);
  }

  // A shape is prepared without timing.
  void KnowShape(WorkerPool& place) const {
    PrepareRequest request = shape().prepare;
    request.reference = place.Compile(shape().reference).value().code;
    request.protocol = "cpu1";
    place.Know(std::move(request));
  }

  const EdgeShape& shape() const { return gate_.shapes()[0]; }
  std::string key() const { return shape().prepare.key; }

  EdgeShapeCheck gate_{Task{MakeWorkload(ParseSpec("matmul(m=64,n=64,k=64)").value()),
                            MakeTarget(ParseSpec("llvm(cores=1)").value()),
                            "matmul(m=64,n=64,k=64)"}};
};

TEST_F(WorkerPoolTest, PreparesWhatItKnowsAndSaysWhatWasFound) {
  const auto place = Place(1);
  EXPECT_FALSE(place->Knows(key()));
  EXPECT_EQ(place->session()->toolchain, "");
  KnowShape(*place);
  EXPECT_TRUE(place->Knows(key()));
  EXPECT_EQ(place->Find(key()), nullptr);
  const auto before = place->session();
  place->Prepare(key());
  ASSERT_NE(place->Find(key()), nullptr);
  EXPECT_THAT(place->Find(key())->toolchain, HasSubstr("llvm"));
  EXPECT_THAT(place->session()->toolchain, HasSubstr("llvm"));
  EXPECT_EQ(place->session()->protocol, "cpu1");
  EXPECT_EQ(before->toolchain, "");
}

TEST_F(WorkerPoolTest, StationsPrepareWhenTheyAreFirstWanted) {
  const auto place = Place(2);
  KnowShape(*place);
  EXPECT_EQ(place->FreeWorkerSession(key()), nullptr);
  WorkerSession* worker_session = nullptr;
  while (worker_session == nullptr) {
    place->Wait();
    worker_session = place->FreeWorkerSession(key());
  }
  EXPECT_TRUE(worker_session->Has(key()));
  // A session with a request is not free; the other one becomes free in time.
  worker_session->Ask(MessageType::kVerify, Encode(VerifyRequest{"unknown", {}}));
  WorkerSession* other = nullptr;
  while (other == nullptr || other == worker_session) {
    place->Wait();
    if (worker_session->has_answer()) worker_session->Take();
    if (!worker_session->is_idle()) continue;
    worker_session->Ask(MessageType::kVerify, Encode(VerifyRequest{"unknown", {}}));
    other = place->FreeWorkerSession(key());
  }
  EXPECT_TRUE(other->Has(key()));
}

TEST_F(WorkerPoolTest, TheFirstStationIsAskedOnlyOfWhatItHas) {
  const auto place = Place(1);
  const std::string question = Encode(VerifyRequest{key(), {}});
  EXPECT_FALSE(place->AskFirst(key(), MessageType::kVerify, question).has_value());
  KnowShape(*place);
  place->Prepare(key());
  const auto answer = place->AskFirst(key(), MessageType::kVerify, question);
  ASSERT_TRUE(answer.has_value());
  EXPECT_FALSE(answer->is_gone) << answer->message;
}

TEST_F(WorkerPoolTest, NothingIsWaitedForOnceItIsOver) {
  const auto place = Place(1);
  const auto now = [] { return true; };
  EXPECT_FALSE(place->Compile(shape().reference, now).has_value());
  KnowShape(*place);
  EXPECT_FALSE(place->Prepare(key(), now));
  // A longer wait succeeds.
  EXPECT_TRUE(place->Prepare(key()));
  const std::string question = Encode(VerifyRequest{key(), {}});
  EXPECT_FALSE(place->AskFirst(key(), MessageType::kVerify, question, now).has_value());
  // The checker was ended, with the tasks that it had prepared.
  EXPECT_FALSE(place->AskFirst(key(), MessageType::kVerify, question).has_value());
  EXPECT_TRUE(place->Prepare(key()));
}

TEST_F(WorkerPoolTest, WhatNobodyKnowsIsABugToPrepare) {
  EXPECT_THROW(Place(1)->FreeWorkerSession("nothing"), std::logic_error);
}

TEST_F(WorkerPoolTest, CheckersThatDoNotStartAreTheMachines) {
  const auto place = Place(1, "/bin/false");
  place->Know(shape().prepare);
  EXPECT_THROW(place->Prepare(key()), MachineError);
}

}  // namespace
}  // namespace schedulegym
