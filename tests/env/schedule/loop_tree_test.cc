#include "env/schedule/loop_structure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "env/schedule/state.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Extents = std::vector<int64_t>;

// Stage C after the steps.
Stage StageAfter(std::string_view dag, std::string_view steps) {
  const ScheduleState state = StateAfter(dag, steps);
  return state.stage(state.Find("C"));
}
Stage MatrixStage(std::string_view steps) {
  return StageAfter("input A[6, 8]\nC[i:6, j:8] = A[i, j] + 1\n", steps);
}

int64_t ConstantOf(const Expr& expr) {
  EXPECT_EQ(expr->op, Op::kInteger);
  return expr->integer;
}

// 100 in parts of 32, each in 4 parts of 8.
TEST(SplitTest, CountsFromTheInside) {
  const SplitRelation split{0, 1, {4, 8}, false};
  EXPECT_EQ(SplitStrides(split, 100), (Extents{32, 8, 1}));
  EXPECT_EQ(SplitExtents(split, 100), (Extents{4, 4, 8}));
  EXPECT_EQ(SplitExtents(split, 64), (Extents{2, 4, 8}));
}

// 100 in 4 parts, each in 8: the innermost loop has ceil(100 / 32) = 4.
TEST(SplitTest, CountsFromTheOutside) {
  const SplitRelation split{0, 1, {4, 8}, true};
  EXPECT_EQ(SplitStrides(split, 100), (Extents{32, 4, 1}));
  EXPECT_EQ(SplitExtents(split, 100), (Extents{4, 8, 4}));
  // An extent of 9 needs lengths of one: 2 outer parts, the second nearly empty.
  EXPECT_EQ(SplitExtents(split, 9), (Extents{2, 8, 1}));
}

// No part is longer than the extent.
TEST(SplitTest, TakesWhatThereIs) {
  EXPECT_EQ(SplitExtents({0, 1, {4, 8}, false}, 20), (Extents{1, 3, 8}));
  EXPECT_EQ(SplitExtents({0, 1, {4, 8}, false}, 5), (Extents{1, 1, 5}));
  EXPECT_EQ(SplitExtents({0, 1, {4, 8}, false}, 1), (Extents{1, 1, 1}));
}

TEST(NodeExtentsTest, FollowsSplitsAndFusions) {
  const Stage stage = MatrixStage(
      "split(stage=C, loop=1, lengths=[4])\nfuse(stage=C, loops=[0, 1])\n"
      "split(stage=C, loop=0, lengths=[5])");
  // i, j, j.0, j.1, i@j.0, its two parts.
  EXPECT_EQ(NodeExtents(stage, Extents{6, 8}), (Extents{6, 8, 2, 4, 12, 3, 5}));
  // In a region of 2 by 3, j.0 has one value.
  EXPECT_EQ(NodeExtents(stage, Extents{2, 3}), (Extents{2, 3, 1, 3, 2, 1, 2}));
}

// All loops together reach each element once, however the loops were made.
TEST(ResolveNodeValuesTest, MeetsEachElementOnce) {
  for (const char* steps :
       {"", "fuse(stage=C, loops=[0, 1])", "reorder(stage=C, order=[1, 0])",
        "split(stage=C, loop=1, lengths=[2, 2])", "split(stage=C, loop=0, lengths=[3])",
        "fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[3, 4])",
        "split(stage=C, loop=1, lengths=[4])\nfuse(stage=C, loops=[0, 1])\n"
        "split(stage=C, loop=0, lengths=[2, 3], inner_to_outer=false)"}) {
    const Stage stage = MatrixStage(steps);
    const Extents extents = NodeExtents(stage, Extents{6, 8});
    int64_t points = 1;
    for (const StageLoop& loop : stage.loops) points *= extents[loop.node];
    EXPECT_EQ(points, 48) << steps;
    std::vector<int> seen(48);
    for (int64_t point = 0; point < points; ++point) {
      std::vector<Expr> values(stage.nodes.size());
      int64_t rest = point;
      for (size_t i = stage.loops.size(); i-- > 0;) {
        const int node = stage.loops[i].node;
        values[node] = IndexConstant(rest % extents[node]);
        rest /= extents[node];
      }
      ResolveNodeValues(stage, extents, values);
      ++seen[ConstantOf(values[0]) * 8 + ConstantOf(values[1])];
    }
    EXPECT_EQ(seen, std::vector<int>(48, 1)) << steps;
  }
}

TEST(ResolveNodeValuesTest, LeavesUnknownWhatIsNotGiven) {
  const Stage stage = MatrixStage("split(stage=C, loop=1, lengths=[4])");
  std::vector<Expr> values(stage.nodes.size());
  values[0] = IndexConstant(5);
  values[stage.loops[1].node] = IndexConstant(1);
  ResolveNodeValues(stage, NodeExtents(stage, Extents{6, 8}), values);
  EXPECT_EQ(values[1], nullptr);
  EXPECT_EQ(ConstantOf(values[0]), 5);
}

// From an axis's first value to its last, with all fixed loops at 0.
TEST(AxisSpansTest, AgreesWithEnumeration) {
  for (const char* steps :
       {"", "reorder(stage=C, order=[1, 0])", "split(stage=C, loop=1, lengths=[2, 2])",
        "split(stage=C, loop=1, lengths=[4])\nreorder(stage=C, order=[2, 0, 1])",
        "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[1, 2, 0])",
        "fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[4])",
        "fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[16])"}) {
    const Stage stage = MatrixStage(steps);
    const Extents extents = NodeExtents(stage, Extents{6, 8});
    for (int fixed = -1; fixed < static_cast<int>(stage.loops.size()); ++fixed) {
      int64_t points = 1, last[2] = {0, 0};
      for (size_t i = fixed + 1; i < stage.loops.size(); ++i)
        points *= extents[stage.loops[i].node];
      for (int64_t point = 0; point < points; ++point) {
        std::vector<Expr> values(stage.nodes.size());
        int64_t rest = point;
        for (int i = static_cast<int>(stage.loops.size()); i-- > 0;) {
          const int node = stage.loops[i].node;
          values[node] = IndexConstant(i > fixed ? rest % extents[node] : 0);
          if (i > fixed) rest /= extents[node];
        }
        ResolveNodeValues(stage, extents, values);
        for (int axis = 0; axis < 2; ++axis)
          last[axis] = std::max(last[axis], ConstantOf(values[axis]));
      }
      EXPECT_EQ(AxisSpans(stage, extents, fixed), (Extents{last[0] + 1, last[1] + 1}))
          << steps << " after " << fixed;
    }
  }
}

// 3 parts of 4 are 12 values, but there are 10.
TEST(AxisSpansTest, EndsWithTheAxis) {
  const Stage stage =
      StageAfter("input A[10]\nC[i:10] = A[i] + 1\n", "split(stage=C, loop=0, lengths=[4])");
  const Extents extents = NodeExtents(stage, Extents{10});
  EXPECT_EQ(AxisSpans(stage, extents, -1), (Extents{10}));
  EXPECT_EQ(AxisSpans(stage, extents, 0), (Extents{4}));
}

// i = i.0 * 2 + i.1, j = j.0 * 4 + j.1.
TEST(AxisGrainsTest, KnowsWhatFixedLoopsStepBy) {
  const auto grains = [](const std::string& more, int fixed) {
    const Stage stage = MatrixStage(
        "split(stage=C, loop=1, lengths=[4])\nsplit(stage=C, loop=0, lengths=[2])\n" + more);
    return AxisGrains(stage, NodeExtents(stage, Extents{6, 8}), fixed);
  };
  EXPECT_EQ(grains("", -1), (Extents{0, 0}));
  EXPECT_EQ(grains("", 0), (Extents{2, 0}));
  EXPECT_EQ(grains("", 1), (Extents{1, 0}));
  EXPECT_EQ(grains("", 2), (Extents{1, 4}));
  EXPECT_EQ(grains("", 3), (Extents{1, 1}));
  EXPECT_EQ(grains("reorder(stage=C, order=[2, 1, 0, 3])", 0), (Extents{0, 4}));
  EXPECT_EQ(grains("reorder(stage=C, order=[2, 1, 0, 3])", 1), (Extents{1, 4}));
}

// Steps of 4, 16 and 12 through rows of 8.
TEST(AxisGrainsTest, FollowsFusions) {
  const auto grains = [](const std::string& length) {
    const Stage stage = MatrixStage(
        "fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[" + length + "])");
    return AxisGrains(stage, NodeExtents(stage, Extents{6, 8}), 0);
  };
  EXPECT_EQ(grains("4"), (Extents{1, 4}));
  EXPECT_EQ(grains("16"), (Extents{2, 0}));
  EXPECT_EQ(grains("12"), (Extents{1, 4}));
  EXPECT_EQ(grains("48"), (Extents{0, 0}));  // one part: its loop stands at 0
}

TEST(NameLoopsTest, NumbersTheLoopsOfAnAxis) {
  EXPECT_EQ(NameLoops(MatrixStage("")), (LoopNames{"i", "j"}));
  EXPECT_EQ(NameLoops(MatrixStage("split(stage=C, loop=1, lengths=[2, 2])")),
            (LoopNames{"i", "j.0", "j.1", "j.2"}));
  EXPECT_EQ(NameLoops(MatrixStage("fuse(stage=C, loops=[0, 1])")), (LoopNames{"i@j"}));
}

// Names depend on the present order of loops, not on the steps that made them.
TEST(NameLoopsTest, ForgetsHowLoopsWereMade) {
  const LoopNames expected = {"j.0", "i", "j.1", "j.2"};
  EXPECT_EQ(NameLoops(MatrixStage("split(stage=C, loop=1, lengths=[2, 2])\n"
                                  "reorder(stage=C, order=[1, 0, 2, 3])")),
            expected);
  EXPECT_EQ(NameLoops(MatrixStage("split(stage=C, loop=1, lengths=[4])\n"
                                  "split(stage=C, loop=2, lengths=[2])\n"
                                  "reorder(stage=C, order=[3, 0, 2, 1])")),
            expected);
  EXPECT_EQ(NameLoops(MatrixStage("split(stage=C, loop=1, lengths=[4])\n"
                                  "fuse(stage=C, loops=[0, 1])\n"
                                  "split(stage=C, loop=0, lengths=[3])")),
            (LoopNames{"i@j.0", "i@j.1", "j"}));
}

}  // namespace
}  // namespace schedulegym
