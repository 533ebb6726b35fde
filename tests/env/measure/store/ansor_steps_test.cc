#include "env/measure/store/ansor_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr const char* kDag =
    "input A[64, 32]\n"
    "input B[32, 48]\n"
    "C[i:64, j:48] = sum(k:32) A[i, k] * B[k, j]\n"
    "D[i:64, j:48] = max(C[i, j], 0)\n";

std::string StepsAfter(std::string_view steps) {
  const auto written = AnsorStepsOf(StateAfter(kDag, steps));
  return written ? written->ToText() : written.error().message;
}

Trace TraceOf(const std::string& steps, std::optional<int> tensors = std::nullopt) {
  return TraceOfAnsorSteps(ParseJson(steps).value(), tensors).value();
}

std::string FaultOf(const std::string& steps, std::optional<int> tensors = std::nullopt) {
  const auto trace = TraceOfAnsorSteps(ParseJson(steps).value(), tensors);
  return trace ? "none" : trace.error().message;
}

// By hand, after TVM's records: the extent of a split stands before its lengths, and flags are 0
// and 1.
TEST(AnsorStepsTest, AreThoseOfTvm) {
  EXPECT_EQ(StepsAfter("split(stage=C, loop=2, lengths=[8, 4])"), R"([["SP",2,2,32,[8,4],1]])");
  EXPECT_EQ(StepsAfter("split(stage=C, loop=1, lengths=[2], inner_to_outer=false)"),
            R"([["SP",2,1,48,[2],0]])");
  EXPECT_EQ(StepsAfter("reorder(stage=C, order=[2, 0, 1])\nfuse(stage=C, loops=[1, 2])"),
            R"([["RE",2,[2,0,1]],["FU",2,[1,2]]])");
  EXPECT_EQ(StepsAfter("parallel(stage=D, loop=0)\nvectorize(stage=D, loop=1)\n"
                       "unroll(stage=C, loop=2)\n"
                       "pragma(stage=C, name=auto_unroll_max_step, value=64)"),
            R"([["AN",3,0,3],["AN",3,1,2],["AN",2,2,1],["PR",2,0,"auto_unroll_max_step$64"]])");
  EXPECT_EQ(StepsAfter("compute_at(stage=C, target=D, loop=1)\ncompute_root(stage=C)"),
            R"([["CA",2,3,1],["CR",2]])");
}

// The copy of C gets C's position, 2; C and D move on by one, whatever their ids are.
TEST(AnsorStepsTest, PositionsMoveWhereStagesAreAdded) {
  const std::string steps = StepsAfter(
      "cache_write(stage=C, scope=local)\nsplit(stage=C.local, loop=0, lengths=[4])\n"
      "follow_split(stage=C, loop=0, source=1, count=1)\n"
      "compute_at(stage=C.local, target=C, loop=0)\nparallel(stage=D, loop=0)");
  EXPECT_EQ(steps, R"([["CHW",2,"local"],["SP",2,0,64,[4],1],["FSP",3,0,1,1],["CA",2,3,0],)"
                   R"(["AN",4,0,3]])");
  const Trace trace = TraceOf(steps, 4);
  EXPECT_EQ(std::get<Split>(trace[1]).stage, StageRef{4});
  EXPECT_EQ(std::get<FollowSplit>(trace[2]).stage, StageRef{2});
  EXPECT_EQ(std::get<ComputeAt>(trace[3]), (ComputeAt{StageRef{4}, StageRef{2}, 0}));
  EXPECT_EQ(std::get<Parallel>(trace[4]).stage, StageRef{3});
}

// rfactor puts its partial results before C; C moves to 3 and its reader to 4.
TEST(AnsorStepsTest, ReadersAndPartialResultsHavePositions) {
  const std::string steps = StepsAfter(
      "split(stage=C, loop=2, lengths=[8])\nrfactor(stage=C, loop=3, axis=2)\n"
      "cache_read(stage=C, scope=global, readers=[D])");
  EXPECT_EQ(steps, R"([["SP",2,2,32,[8],1],["RF",2,3,2],["CHR",3,"global",[4]]])");
}

TEST(AnsorStepsTest, WhatAnsorLacksIsRefused) {
  EXPECT_EQ(StepsAfter("pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])"),
            "pack has no step of Ansor's");
  EXPECT_EQ(StepsAfter("reorder(stage=C, order=[1, 0, 2])\n"
                       "storage_align(stage=C, axis=0, factor=16, offset=1)"),
            "storage_align has no step of Ansor's");
}

// The last stage with a name, 3 after one was added, is tensor 2 of three.
TEST(AnsorStepsTest, TheLastStageThatIsNamedIsTheLastTensor) {
  const Trace trace = TraceOf(R"([["CHW",1,"local"],["AN",1,0,2],["AN",3,0,3]])");
  EXPECT_EQ(std::get<Vectorize>(trace[1]).stage, StageRef{3});
  EXPECT_EQ(std::get<Parallel>(trace[2]).stage, StageRef{2});
}

TEST(AnsorStepsTest, ThreadsHaveTvmsNumbers) {
  const Trace trace = TraceOf(R"([["AN",0,0,5],["AN",0,1,6],["AN",0,2,4]])");
  EXPECT_EQ(std::get<Bind>(trace[0]).thread, Annotation::kBlockX);
  EXPECT_EQ(std::get<Bind>(trace[1]).thread, Annotation::kThreadX);
  EXPECT_EQ(std::get<Bind>(trace[2]).thread, Annotation::kVthread);
}

TEST(AnsorStepsTest, FaultsAreNamed) {
  EXPECT_THAT(FaultOf(R"([["XX",1]])"), HasSubstr("unknown step 'XX'"));
  EXPECT_THAT(FaultOf("[7]"), HasSubstr("expected a step"));
  EXPECT_THAT(FaultOf("{}"), HasSubstr("expected a list of at most 4096 steps"));
  EXPECT_EQ(FaultOf(R"([["CI"]])"), "CI: found too few arguments");
  EXPECT_EQ(FaultOf(R"([["CI",1,2]])"), "CI: found 2 arguments, expected 1");
  EXPECT_THAT(FaultOf(R"([["CI",-1]])"), HasSubstr("CI: found another argument"));
  EXPECT_THAT(FaultOf(R"([["CI",256]])"), HasSubstr("found stage 256"));
  EXPECT_THAT(FaultOf(R"([["CI",1e300]])"), HasSubstr("expected an integer"));
  EXPECT_THAT(FaultOf(R"([["AN",1,0,11]])"), HasSubstr("found annotation 11"));
  EXPECT_THAT(FaultOf(R"([["CHW",1,"wmma.accumulator"]])"), HasSubstr("wmma.accumulator"));
  EXPECT_THAT(FaultOf(R"([["PR",1,0,"a, b$1"]])"), HasSubstr("auto_unroll_max_step$16"));
  EXPECT_THAT(FaultOf(R"([["CI",3]])", 3), HasSubstr("found tensor 3, expected less than 3"));
  EXPECT_EQ(FaultOf(R"([["CI",3]])", 4), "none");
}

}  // namespace
}  // namespace schedulegym
