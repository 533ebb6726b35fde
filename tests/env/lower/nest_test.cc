#include "env/lower/nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/env/lower/lowered.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// The nest of stage C over its first `extents` of each axis, from element 0 on.
class NestTest : public testing::Test {
 protected:
  Nest NestOf(std::string_view dag, std::string_view steps, std::vector<int64_t> extents) {
    state_.emplace(StateAfter(dag, steps));
    const int id = state_->Find("C");
    const Stage& stage = state_->stage(id);
    return MakeNest(id, stage, std::move(extents),
                    std::vector<Expr>(stage.effective->spatial, IndexConstant(0)));
  }
  Nest CopyNest(std::string_view steps, int64_t extent = 10) {
    return NestOf("input A[10]\nC[i:10] = A[i] + 1\n", steps, {extent});
  }
  // Computes the values of splits and fusions from those of the loops.
  static void Resolve(Nest& nest) {
    ResolveValues(nest, [](int, Expr value) { return value; });
  }
  static int64_t ExtentOf(const Nest& nest, int position) {
    return nest.extent[nest.LoopNode(position)];
  }

  std::optional<ScheduleState> state_;
};

using Guards = std::vector<std::pair<int, int64_t>>;

// 10 in parts of 4: three of them, the last of another length.
TEST_F(NestTest, LeavesOpenWhatDoesNotDivide) {
  Nest nest = CopyNest("split(stage=C, loop=0, lengths=[4])");
  EXPECT_EQ(ExtentOf(nest, 0), 3);
  EXPECT_EQ(ExtentOf(nest, 1), -1);
  EXPECT_EQ(OpenMainCount(nest, nest.LoopNode(0)), 2);
  EXPECT_EQ(OpenMainCount(nest, nest.LoopNode(1)), std::nullopt);
  Nest tail = nest;
  nest.part[nest.LoopNode(0)] = Part::kMain;
  PropagateExtents(nest);
  EXPECT_EQ(ExtentOf(nest, 1), 4);
  tail.part[tail.LoopNode(0)] = Part::kTail;
  PropagateExtents(tail);
  EXPECT_EQ(ExtentOf(tail, 1), 2);
}

TEST_F(NestTest, KnowsWhatDivides) {
  const Nest nest = CopyNest("split(stage=C, loop=0, lengths=[5])");
  EXPECT_EQ(ExtentOf(nest, 0), 2);
  EXPECT_EQ(ExtentOf(nest, 1), 5);
  EXPECT_EQ(OpenMainCount(nest, nest.LoopNode(0)), std::nullopt);
}

// In 4 parts from the outside, each but the last has ceil(10 / 4) = 3.
TEST_F(NestTest, SplitsFromTheOutside) {
  Nest nest = CopyNest("split(stage=C, loop=0, lengths=[4], inner_to_outer=false)");
  EXPECT_EQ(ExtentOf(nest, 0), 4);
  EXPECT_EQ(OpenMainCount(nest, nest.LoopNode(0)), 3);
  nest.part[nest.LoopNode(0)] = Part::kTail;
  PropagateExtents(nest);
  EXPECT_EQ(ExtentOf(nest, 1), 1);
}

// A region of 3 has one part, which is 3 long; 7 has a part of 4 and one of 3.
TEST_F(NestTest, SplitsTheRegion) {
  const Nest small = CopyNest("split(stage=C, loop=0, lengths=[4])", 3);
  EXPECT_EQ(ExtentOf(small, 0), 1);
  EXPECT_EQ(ExtentOf(small, 1), 3);
  Nest odd = CopyNest("split(stage=C, loop=0, lengths=[4])", 7);
  EXPECT_EQ(OpenMainCount(odd, odd.LoopNode(0)), 1);
  odd.part[odd.LoopNode(0)] = Part::kTail;
  PropagateExtents(odd);
  EXPECT_EQ(ExtentOf(odd, 1), 3);
}

// The inner loop is outside: no part is known there, so a condition must remove the excess.
TEST_F(NestTest, GuardsWhatMustBeKnown) {
  Nest nest = CopyNest("split(stage=C, loop=0, lengths=[4])\nreorder(stage=C, order=[1, 0])");
  EXPECT_EQ(ExtentOf(nest, 0), -1);
  ForceExtent(nest, nest.LoopNode(0));
  EXPECT_EQ(ExtentOf(nest, 0), 4);
  EXPECT_EQ(nest.guards, (Guards{{0, 10}}));
  ForceExtent(nest, nest.LoopNode(0));
  EXPECT_EQ(nest.guards.size(), 1u);
}

TEST_F(NestTest, FindsAPartOnceItsLoopIsBound) {
  Nest nest = CopyNest("split(stage=C, loop=0, lengths=[4])");
  EXPECT_FALSE(FindOpenPart(nest));
  nest.value[nest.LoopNode(0)] = Variable(0);
  const auto open = FindOpenPart(nest);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->child, nest.LoopNode(0));
  EXPECT_EQ(open->main_count, 2);
  EXPECT_TRUE(nest.guards.empty());
}

// The inner part is already bound, so main part and tail can no longer have two lengths.
TEST_F(NestTest, GuardsPartsThatAreBoundWithin) {
  Nest nest = CopyNest("split(stage=C, loop=0, lengths=[4])");
  nest.value[nest.LoopNode(1)] = Variable(0);
  EXPECT_FALSE(FindOpenPart(nest));
  EXPECT_EQ(nest.guards, (Guards{{0, 10}}));
  EXPECT_EQ(ExtentOf(nest, 1), 4);
}

// i@j = i * 5 + j.
TEST_F(NestTest, ResolvesFusions) {
  Nest nest =
      NestOf("input A[3, 5]\nC[i:3, j:5] = A[i, j] + 1\n", "fuse(stage=C, loops=[0, 1])", {3, 5});
  EXPECT_EQ(ExtentOf(nest, 0), 15);
  EXPECT_EQ(nest.AxisValue(0), nullptr);
  nest.value[nest.LoopNode(0)] = Variable(0);
  Resolve(nest);
  for (int64_t f = 0; f < 15; ++f) {
    EXPECT_EQ(Evaluate(nest.AxisValue(0), {f}), f / 5);
    EXPECT_EQ(Evaluate(nest.AxisValue(1), {f}), f % 5);
  }
}

TEST_F(NestTest, AddsTheRegionsBase) {
  Nest nest = CopyNest("split(stage=C, loop=0, lengths=[2])", 6);
  nest.base = {IndexConstant(3)};
  nest.value[nest.LoopNode(0)] = Variable(0);
  Resolve(nest);
  EXPECT_EQ(nest.AxisValue(0), nullptr);  // the inner loop has no value
  nest.value[nest.LoopNode(1)] = Variable(1);
  Resolve(nest);
  EXPECT_EQ(Evaluate(nest.AxisValue(0), {2, 1}), 3 + 2 * 2 + 1);
}

TEST_F(NestTest, TellsReductionsAndVectors) {
  Nest nest = NestOf("input A[4, 8]\nC[j:8] = sum(k:4) A[k, j]\n",
                     "reorder(stage=C, order=[1, 0])\nvectorize(stage=C, loop=1)", {8, 4});
  EXPECT_TRUE(nest.IsReduction(0));
  EXPECT_FALSE(nest.IsReduction(1));
  nest.value[nest.LoopNode(1)] = Variable(0);
  EXPECT_TRUE(nest.IsInVector(1));
  nest.value[nest.LoopNode(1)] = IndexConstant(0);
  EXPECT_FALSE(nest.IsInVector(1));  // the only lane is known
}

// From the inside: 4, then 4 * 3 = 12; with 2 more it would be 24.
TEST_F(NestTest, UnrollsFromTheInside) {
  const auto unrolled = [&](const std::string& limit, const std::string& more = "") {
    const Nest nest = NestOf(
        "input A[2, 3, 4]\nC[i:2, j:3, k:4] = A[i, j, k] + 1\n",
        "pragma(stage=C, name=auto_unroll_max_step, value=" + limit + ")\n" + more, {2, 3, 4});
    int count = 0;
    for (Annotation annotation : nest.annotation) count += annotation == Annotation::kUnroll;
    return count;
  };
  EXPECT_EQ(unrolled("0"), 0);
  EXPECT_EQ(unrolled("3"), 0);
  EXPECT_EQ(unrolled("4"), 1);
  EXPECT_EQ(unrolled("12"), 2);
  EXPECT_EQ(unrolled("23"), 2);
  EXPECT_EQ(unrolled("24"), 3);
  EXPECT_EQ(unrolled("6", "vectorize(stage=C, loop=2)"), 2);  // a vector is one step
  EXPECT_EQ(unrolled("24", "parallel(stage=C, loop=1)"), 1);  // stops at a parallel loop
}

// For a fixed i.0: 4 values from i.0 * 4 on.
TEST_F(NestTest, RangesOverUnboundLoops) {
  Nest nest =
      NestOf("input A[12]\nC[i:12] = A[i] + 1\n", "split(stage=C, loop=0, lengths=[4])", {12});
  nest.value[nest.LoopNode(0)] = Variable(0);
  const NodeRange range = NodeRanges(nest)[0];
  EXPECT_EQ(range.span, 4);
  EXPECT_EQ(Evaluate(range.base, {2}), 8);
  // If the inner loop is bound instead: every fourth value, up to 8 further.
  Nest other = NestOf("input A[12]\nC[i:12] = A[i] + 1\n",
                      "split(stage=C, loop=0, lengths=[4])\nreorder(stage=C, order=[1, 0])", {12});
  other.value[other.LoopNode(0)] = Variable(0);
  const NodeRange strided = NodeRanges(other)[0];
  EXPECT_EQ(strided.span, 9);
  EXPECT_EQ(Evaluate(strided.base, {3}), 3);
}

// 21 in parts of 2 * 4, the last one of 5: open loops within it have at most 5 values.
TEST_F(NestTest, RangesEndWithTails) {
  Nest nest =
      NestOf("input A[21]\nC[i:21] = A[i] + 1\n", "split(stage=C, loop=0, lengths=[2, 4])", {21});
  nest.value[nest.LoopNode(0)] = IndexConstant(2);
  nest.part[nest.LoopNode(0)] = Part::kTail;
  PropagateExtents(nest);
  EXPECT_EQ(ExtentOf(nest, 1), 2);
  EXPECT_EQ(ExtentOf(nest, 2), -1);
  const NodeRange range = NodeRanges(nest)[0];
  EXPECT_EQ(Evaluate(range.base, {}), 16);
  EXPECT_EQ(range.span, 5);
}

// Every range holds exactly the values of an axis for a fixed outermost loop, or more if a fusion
// is split unevenly.
TEST_F(NestTest, RangesCoverEnumeration) {
  struct Case {
    const char* steps;
    int64_t (*outer)(int64_t i, int64_t j);  // value of the outermost loop
    bool exact;
  };
  const Case cases[] = {
      {"fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[3])",
       [](int64_t i, int64_t j) { return (i * 6 + j) / 3; }, true},
      {"fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[12])",
       [](int64_t i, int64_t j) { return (i * 6 + j) / 12; }, true},
      {"fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[8])",
       [](int64_t i, int64_t j) { return (i * 6 + j) / 8; }, false},
      {"split(stage=C, loop=1, lengths=[2])\nfuse(stage=C, loops=[0, 1])",
       [](int64_t i, int64_t j) { return i * 3 + j / 2; }, true},
      {"split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[0, 2, 1])",
       [](int64_t i, int64_t) { return i / 2; }, true},
  };
  for (const Case& tried : cases) {
    Nest nest = NestOf("input A[4, 6]\nC[i:4, j:6] = A[i, j] + 1\n", tried.steps, {4, 6});
    nest.value[nest.LoopNode(0)] = Variable(0);
    Resolve(nest);
    const std::vector<NodeRange> ranges = NodeRanges(nest);
    for (int64_t value = 0; value < ExtentOf(nest, 0); ++value) {
      std::array<Range, 2> taken = {Range{99, -1}, Range{99, -1}};
      for (int64_t element = 0; element < 24; ++element) {
        const int64_t axes[] = {element / 6, element % 6};
        if (tried.outer(axes[0], axes[1]) != value) continue;
        for (int a = 0; a < 2; ++a) {
          taken[a] = {std::min(taken[a].low, axes[a]), std::max(taken[a].high, axes[a])};
        }
      }
      for (int a = 0; a < 2; ++a) {
        const int64_t base = Evaluate(ranges[a].base, {value});
        const Range range{base, base + ranges[a].span - 1};
        EXPECT_LE(range.low, taken[a].low) << tried.steps;
        EXPECT_GE(range.high, taken[a].high) << tried.steps;
        if (!tried.exact) continue;
        EXPECT_EQ(range, taken[a]) << tried.steps;
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
