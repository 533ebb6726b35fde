#include "backends/runner/workplace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/runner/measured_task.h"
#include "backends/runner/shape_gate.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class WorkplaceTest : public testing::Test {
 protected:
  static std::unique_ptr<Workplace> Place(int checkers, const std::string& program = SG_WORKER) {
    WorkplaceOptions options;
    options.program = program;
    options.checkers = checkers;
    static const SteadyClock clock;
    return std::make_unique<Workplace>(options, "cpu1", clock);
  }

  // A shape is prepared without timing.
  void KnowShape(Workplace& place) const {
    PrepareRequest request = shape().prepare;
    request.reference = place.Compile(shape().reference).value().code;
    request.protocol = "cpu1";
    place.Know(std::move(request));
  }

  const GatedShape& shape() const { return gate_.shapes()[0]; }
  std::string key() const { return shape().prepare.key; }

  ShapeGate gate_{Task{MakeWorkload(ParseSpec("matmul(m=64,n=64,k=64)").value()),
                       MakeTarget(ParseSpec("llvm(cores=1)").value()), "matmul(m=64,n=64,k=64)"}};
};

TEST_F(WorkplaceTest, PreparesWhatItKnowsAndSaysWhatWasFound) {
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

TEST_F(WorkplaceTest, StationsPrepareWhenTheyAreFirstWanted) {
  const auto place = Place(2);
  KnowShape(*place);
  EXPECT_EQ(place->FreeStation(key()), nullptr);
  Station* station = nullptr;
  while (station == nullptr) {
    place->Wait();
    station = place->FreeStation(key());
  }
  EXPECT_TRUE(station->Has(key()));
  // One that is asked is not free; the other one is, sooner or later.
  station->Ask(MessageType::kVerify, Encode(VerifyRequest{"unknown", {}}));
  Station* other = nullptr;
  while (other == nullptr || other == station) {
    place->Wait();
    if (station->has_answer()) station->Take();
    if (!station->is_idle()) continue;
    station->Ask(MessageType::kVerify, Encode(VerifyRequest{"unknown", {}}));
    other = place->FreeStation(key());
  }
  EXPECT_TRUE(other->Has(key()));
}

TEST_F(WorkplaceTest, TheFirstStationIsAskedOnlyOfWhatItHas) {
  const auto place = Place(1);
  const std::string question = Encode(VerifyRequest{key(), {}});
  EXPECT_FALSE(place->AskFirst(key(), MessageType::kVerify, question).has_value());
  KnowShape(*place);
  place->Prepare(key());
  const auto answer = place->AskFirst(key(), MessageType::kVerify, question);
  ASSERT_TRUE(answer.has_value());
  EXPECT_FALSE(answer->is_gone) << answer->message;
}

TEST_F(WorkplaceTest, NothingIsWaitedForOnceItIsOver) {
  const auto place = Place(1);
  const auto now = [] { return true; };
  EXPECT_FALSE(place->Compile(shape().reference, now).has_value());
  KnowShape(*place);
  EXPECT_FALSE(place->Prepare(key(), now));
  // Whoever waits longer has it.
  EXPECT_TRUE(place->Prepare(key()));
  const std::string question = Encode(VerifyRequest{key(), {}});
  EXPECT_FALSE(place->AskFirst(key(), MessageType::kVerify, question, now).has_value());
  // What the checker had prepared went with it.
  EXPECT_FALSE(place->AskFirst(key(), MessageType::kVerify, question).has_value());
  EXPECT_TRUE(place->Prepare(key()));
}

TEST_F(WorkplaceTest, WhatNobodyKnowsIsABugToPrepare) {
  EXPECT_THROW(Place(1)->FreeStation("nothing"), std::logic_error);
}

TEST_F(WorkplaceTest, CheckersThatDoNotStartAreTheMachines) {
  const auto place = Place(1, "/bin/false");
  place->Know(shape().prepare);
  EXPECT_THROW(place->Prepare(key()), MachineError);
}

}  // namespace
}  // namespace schedulegym
