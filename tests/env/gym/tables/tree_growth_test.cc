#include "env/gym/tables/tree_growth.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

GrownTree Grown(int64_t rows, int breadth, uint64_t seed = 1) {
  Rng rng(seed);
  return GrowTree(TaskOf(kTableMatmul), {rows, breadth}, rng);
}

TEST(TreeGrowthTest, EveryRowIsItsParentAndAStep) {
  const GrownTree tree = Grown(120, 3);
  ASSERT_EQ(tree.states.size(), 120u);
  EXPECT_EQ(tree.states[0].trace_size(), 0);
  std::set<std::string> traces = {tree.states[0].TraceText()};
  for (size_t i = 1; i < tree.states.size(); ++i) {
    const ScheduleState& parent = tree.states[tree.rows.parents[i]];
    ASSERT_LT(tree.rows.parents[i], static_cast<int>(i));
    EXPECT_EQ(tree.states[i].TraceText(), parent.TraceText() + tree.rows.steps[i] + "\n");
    EXPECT_TRUE(traces.insert(tree.states[i].TraceText()).second);
  }
}

TEST(TreeGrowthTest, PlacesHaveFewWaysOnAndTheTreeIsDeep) {
  const GrownTree tree = Grown(120, 2);
  std::map<int, int> children;
  for (int parent : tree.rows.parents) ++children[parent];
  for (const auto& [parent, count] : children) EXPECT_LE(count, 2) << parent;
  EXPECT_GE(tree.states.back().trace_size(), 5);
}

TEST(TreeGrowthTest, TheSeedDecides) {
  EXPECT_EQ(Grown(60, 3).rows.steps, Grown(60, 3).rows.steps);
  EXPECT_NE(Grown(60, 3).rows.steps, Grown(60, 3, 2).rows.steps);
}

}  // namespace
}  // namespace schedulegym
