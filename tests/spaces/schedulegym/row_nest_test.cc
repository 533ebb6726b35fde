#include "spaces/schedulegym/row_nest.h"

#include <gtest/gtest.h>

#include <set>

#include "spaces/schedulegym/decision_provider.h"
#include "spaces/schedulegym/partial_sums.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

RowGroup RowsOf(const ScheduleState& state, const std::string& anchor) {
  return FindRows(state, state.Find(anchor), std::vector<bool>(state.size()));
}

std::set<std::string> Members(const ScheduleState& state, const RowGroup& group) {
  std::set<std::string> names;
  for (int member : group.members) names.insert(state.stage(member).op->name);
  return names;
}

ScheduleState StateOf(const std::string& workload, int cores = 2) {
  return ScheduleState::Initial(WorkloadTask(workload, Avx2Target(cores)));
}

TEST(RowNestTest, FindsTheRowsOfASoftmax) {
  const ScheduleState state = StateOf("softmax(n=64,m=128)");
  const RowGroup group = RowsOf(state, "Y");
  EXPECT_EQ(group.rows, 1);
  EXPECT_EQ(Members(state, group), (std::set<std::string>{"M", "E", "S"}));
  EXPECT_EQ(group.depth, (std::vector<int>{1, 1, 1}));
}

// The product's rows join those of the softmax; U, read by all rows of a head, joins the head.
TEST(RowNestTest, TakesTheProductAlong) {
  const ScheduleState state = StateOf("tbs(l=16,heads=3,size=8)");
  const RowGroup group = RowsOf(state, "Y");
  EXPECT_EQ(group.rows, 3);
  EXPECT_EQ(Members(state, group), (std::set<std::string>{"M", "E", "D", "S", "T", "U"}));
  for (size_t i = 0; i < group.members.size(); ++i) {
    const bool is_u = state.stage(group.members[i]).op->name == "U";
    EXPECT_EQ(group.depth[i], is_u ? 2 : 3);
  }
}

TEST(RowNestTest, FindsNoneWithoutARowReduction) {
  EXPECT_TRUE(RowsOf(StateOf("conv_layer(h=8,w=8,ci=16,co=16,k=3,p=1)"), "Z").members.empty());
  EXPECT_TRUE(RowsOf(StateOf("mlp(t=16,d=16,hidden=16)"), "Y").members.empty());
}

// Each weight is read once, and its neighbours belong to neighbouring results. The same holds for
// an image's channels, which are the last axis.
TEST(RowNestTest, LeavesSumsAlongVectorsApart) {
  const ScheduleState product = StateOf("linear(m=1,n=1000,k=2048)");
  EXPECT_TRUE(RowsOf(product, "Y").members.empty());
  const ScheduleState mean = StateOf("average_pool2d(n=1,h=7,w=7,c=2048)");
  EXPECT_TRUE(RowsOf(mean, "Y").members.empty());
}

// The lanes of an image's channels are heavy work, so that their sum is not computed row by row.
TEST(RowNestTest, LeavesHeavyPartialsToTheirSum) {
  const ScheduleState state = ScheduledDag(
      "input X[20, 16]\nweight W[3, 16, 3]\nY[x:18, o:3] = sum(r:3, c:16) X[x + r, c] * W[r, c, "
      "o]\n",
      "trace 1\nsplit(stage=Y, loop=3, lengths=[8])\nrfactor(stage=Y, loop=4, axis=2)\n");
  ASSERT_GE(state.Find("Y.rf"), 0);
  EXPECT_TRUE(RowsOf(state, "Y").members.empty());
}

// A single long row would keep all cores but one idle.
TEST(RowNestTest, LeavesFewLongRowsApart) {
  EXPECT_TRUE(RowsOf(StateOf("norm(n=2048,m=2048)"), "Y").members.empty());
  const ScheduleState small = StateOf("norm(n=8,m=8)");
  EXPECT_EQ(Members(small, RowsOf(small, "Y")), (std::set<std::string>{"S"}));
}

TEST(RowNestTest, LeavesWhatHasItsPlace) {
  const ScheduleState state = StateOf("softmax(n=64,m=128)");
  std::vector<bool> done(state.size());
  done[state.Find("E")] = true;
  const RowGroup group = FindRows(state, state.Find("Y"), done);
  EXPECT_EQ(Members(state, group), (std::set<std::string>{"S"}));
}

// All members are computed in the loop over rows, which cores share.
TEST(RowNestTest, ComputesMembersAtTheRow) {
  ScheduleBuilder builder(StateOf("softmax(n=512,m=128)"));
  HeuristicDecisionProvider decisions;
  KeepPartialSums(builder, decisions);
  const int anchor = builder.state().Find("Y");
  const RowGroup group =
      FindRows(builder.state(), anchor, std::vector<bool>(builder.state().size()));
  ApplyRows(builder, group, decisions);
  const ScheduleState state = builder.Finish().value();
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "Y.0");
  for (int member : group.members) {
    EXPECT_EQ(state.stage(member).target, anchor);
    EXPECT_EQ(state.stage(anchor).FindLoop(state.stage(member).target_node), 0);
  }
}

// The product is computed for several rows at once, the rows of its register tile.
TEST(RowNestTest, ComputesSeveralRowsOfAProductAtOnce) {
  ScheduleBuilder builder(StateOf("attention(heads=4,t=64,d=32)"));
  HeuristicDecisionProvider decisions;
  for (const char* name : {"N"}) builder.Try(ComputeInline{{builder.state().Find(name)}});
  KeepPartialSums(builder, decisions);
  const int anchor = builder.state().Find("Y");
  const RowGroup group =
      FindRows(builder.state(), anchor, std::vector<bool>(builder.state().size()));
  EXPECT_EQ(group.rows, 2);
  ApplyRows(builder, group, decisions);
  const ScheduleState state = builder.Finish().value();
  const Stage& product = state.stage(state.Find("S"));
  ASSERT_EQ(product.location, Location::kAt);
  const Stage& output = state.stage(anchor);
  const int64_t rows = 64 / output.nodes[product.target_node].extent;
  EXPECT_GE(rows, 4);
}

}  // namespace
}  // namespace schedulegym
