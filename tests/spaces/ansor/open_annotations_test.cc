#include "spaces/ansor/derive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/search/knob_space.h"
#include "spaces/ansor/ansor_rules.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Each annotation as "STAGE KIND CHOICES".
std::vector<std::string> Listed(const OpenSketch& sketch) {
  std::vector<std::string> listed;
  for (const OpenAnnotation& open : sketch.annotations) {
    listed.push_back(sketch.state.stage(open.stage).op->name + " " + KnobKindName(open.kind) + " " +
                     std::to_string(open.choices.size()));
  }
  return listed;
}

std::vector<OpenSketch> Derive(const std::string& workload) {
  return DeriveSketches(WorkloadTask(workload, Avx2Target(2)), AnsorRules());
}

TEST(OpenAnnotationsTest, OfTilesAreUnrollVectorAndParallel) {
  // i0 j0 i1 j1 k0 ...: up to four parallel loops.
  EXPECT_THAT(Listed(Derive("matmul(m=64,n=64,k=64)")[0]),
              ElementsAre("C unroll 4", "C vector 2", "C parallel 5"));
}

TEST(OpenAnnotationsTest, ParallelLoopsEndWhereAStageStands) {
  // C: i0 j0 | i1 j1, the cache at j0.
  EXPECT_THAT(Listed(Derive("matmul(m=64,n=64,k=64)")[1]),
              ElementsAre("C.local unroll 4", "C.local vector 2", "C vector 2", "C parallel 3"));
}

TEST(OpenAnnotationsTest, StagesThatAreNotTiledMayMove) {
  const auto sketch = DeriveSketches(
      DagTask("input X[8, 16]\nA[i:8, j:16] = exp(X[i, j])\nB[i:8, j:16] = A[i, j] * 2\n",
              Avx2Target(2)),
      AnsorRules())[0];
  // At the root or at either loop of B; each has one loop besides the vectorised one.
  EXPECT_THAT(Listed(sketch), ElementsAre("A location 3", "A vector 2", "B vector 2",
                                          "A parallel 2", "B parallel 2"));
}

// Threads of a block: 32, 64, 128 and 256 of 900, also for a sum whose threads do not share it.
TEST(OpenAnnotationsTest, BlocksOfUntiledStagesHaveThreads) {
  const Target target = MakeTarget(ParseSpec("opencl(threads=256)").value());
  const auto listed = [&](const std::string& dag, int64_t most_warps = kMostWarps) {
    const auto task = DagTask(dag, target);
    return Listed(DeriveSketches(task, AnsorRules(), kMostVector, most_warps).back());
  };
  const std::string map = "input X[30, 30]\nA[i:30, j:30] = exp(X[i, j])\n";
  EXPECT_THAT(listed(map), ElementsAre("A parallel 4"));
  EXPECT_THAT(listed(map, 2), ElementsAre("A parallel 2"));
  EXPECT_THAT(listed(map, 1), ElementsAre());
  EXPECT_THAT(listed("input X[900, 50]\nA[i:900] = sum(k:50) X[i, k]\n"),
              ElementsAre("A unroll 5", "A parallel 4"));
  EXPECT_THAT(
      listed("input X[64, 64]\ninput Y[64, 64]\nA[i:64, j:64] = sum(k:64) X[i, k] * Y[k, j]\n"),
      ElementsAre("X.shared vector 3", "Y.shared vector 3", "A.local unroll 5"));
}

// A loop whose length no tile decides is vectorised where a draw would do so.
TEST(OpenAnnotationsTest, VectorsAreAsLongAsDrawnOnes) {
  const auto listed = [](const std::string& length, int64_t most = kMostVector) {
    const std::string dag = "input X[8, " + length + "]\nA[i:8, j:" + length + "] = exp(X[i, j])\n";
    return Listed(DeriveSketches(DagTask(dag, Avx2Target(2)), AnsorRules(), most)[0]);
  };
  EXPECT_THAT(listed("16"), ElementsAre("A vector 2", "A parallel 2"));
  EXPECT_THAT(listed("17"), ElementsAre("A parallel 2"));
  EXPECT_THAT(listed("17", 17), ElementsAre("A vector 2", "A parallel 2"));
  for (const OpenSketch& sketch : Derive("softmax(n=1024,m=1024)")) {
    const std::vector<std::string> all = Listed(sketch);
    for (const std::string& one : all) {
      const std::string stage = one.substr(0, one.find(' '));
      if (one.find("vector") == std::string::npos || stage == "M.rf" || stage == "S.rf") continue;
      EXPECT_THAT(all, testing::Contains(testing::StartsWith(stage + " location"))) << one;
    }
  }
}

// A's 32 elements are one within B's inner loop; B has 32 wherever A is computed.
TEST(OpenAnnotationsTest, VectorsOfStagesThatMayMoveAreOfferedWhereverTheyBegin) {
  const auto sketch = DeriveSketches(
      DagTask("input X[8, 32]\nA[i:8, j:32] = exp(X[i, j])\nB[i:8, j:32] = A[i, j] * 2\n",
              Avx2Target(2)),
      AnsorRules())[0];
  EXPECT_THAT(Listed(sketch),
              ElementsAre("A location 3", "A vector 2", "A parallel 2", "B parallel 2"));
}

// The sketch itself is the origin; each single choice is legal.
TEST(OpenAnnotationsTest, EachAloneIsLegal) {
  for (const char* workload :
       {"matmul(m=32,n=32,k=32)", "softmax(n=16,m=64)", "conv2d(h=14,w=14,ci=8,co=8,k=3,p=1)",
        "norm(n=64,m=64)", "tbs(l=16,heads=2,size=8)", "layernorm(n=16,m=64)"}) {
    for (const OpenSketch& sketch : Derive(workload)) {
      const KnobSpace space = *SketchOf(sketch).knobs;
      EXPECT_EQ(space.At(space.Origin())->TraceText(), sketch.state.TraceText());
      for (int i = 0; i < space.dimensions(); ++i) {
        for (int value = 1; value < space.size_of(i); ++value) {
          KnobPoint point = space.Origin();
          point[i] = value;
          const auto state = space.At(point);
          EXPECT_TRUE(state.ok()) << workload << ", " << space.knob(i).name << " " << value << ": "
                                  << (state ? "" : state.error().message) << "\n"
                                  << ToText(sketch);
        }
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
