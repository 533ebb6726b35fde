// Tests of a search with references that are verified in full during it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/tuner/tuner.h"
#include "tests/agents/tuner/tuner_fixture.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class VerifiedReferenceTest : public TunerFixture {
 protected:
  VerifiedReferenceTest() { options_.toolchain = "llvm 1"; }

  void FindRight(int extent) {
    measurer_.deferred_results.verified = {{TaskKey(*VectorTask(extent)), "llvm 1", 0.5, 0}};
  }
};

TEST_F(VerifiedReferenceTest, OneThatIsFoundRightIsKept) {
  measurer_.script = [&](int trial) {
    if (trial == 2) FindRight(97);
    return Success(1);
  };
  measurer_.finish = [] { return false; };
  const auto done = Run();
  EXPECT_TRUE(done[0].verified);
  EXPECT_EQ(measurer_.awaited, 0);
  const auto verified = store_->Verified(TaskKey(*VectorTask(97)));
  ASSERT_EQ(verified.size(), 1u);
  EXPECT_EQ(verified[0].toolchain, "llvm 1");
  EXPECT_GT(verified[0].when, 0);
  // The next search does not request it.
  EXPECT_THAT(measurer_.noted, IsEmpty());
  witness_.trials.clear();
  EXPECT_TRUE(Run()[0].verified);
  EXPECT_THAT(measurer_.noted, ElementsAre(TaskKey(*VectorTask(97))));
}

TEST_F(VerifiedReferenceTest, OfAnotherToolchainItCountsForNothing) {
  FindRight(97);
  EXPECT_TRUE(Run()[0].verified);
  options_.toolchain = "llvm 2";
  witness_.trials.clear();
  EXPECT_FALSE(Run()[0].verified);
  EXPECT_THAT(measurer_.noted, IsEmpty());
}

TEST_F(VerifiedReferenceTest, TheEndWaitsATenthOfTheTimeForIt) {
  measurer_.finish = [] { return false; };
  const auto done = Run();
  EXPECT_FALSE(done[0].verified);
  EXPECT_NEAR(measurer_.awaited, 2, 1e-9);
  EXPECT_NEAR(done[0].elapsed, 22, 1e-9);
}

TEST_F(VerifiedReferenceTest, WhatComesInTimeIsToldAtTheEnd) {
  measurer_.finish = [&] {
    FindRight(97);
    return true;
  };
  EXPECT_TRUE(Run()[0].verified);
  EXPECT_LT(measurer_.awaited, 0.2);
}

TEST_F(VerifiedReferenceTest, NobodyWaitsBeyondTheSeconds) {
  options_.request.seconds = 10;
  measurer_.finish = [] { return false; };
  EXPECT_FALSE(Run()[0].verified);
  EXPECT_EQ(measurer_.awaited, 0);
}

}  // namespace
}  // namespace schedulegym
