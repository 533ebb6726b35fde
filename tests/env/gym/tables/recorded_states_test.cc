#include "env/gym/tables/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/schedule/loop_structure.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(RecordedStatesTest, EachRowIsFoundByItsSchedule) {
  const auto task = TaskOf(kTableMatmul);
  for (const auto& table : {MadeGrid(task, 60), MadeTree(task, 40)}) {
    const RecordedStates states(table);
    std::set<Key> distinct;
    for (int64_t row = 0; row < table->size(); ++row) {
      const auto state = ReplayText(task, table->TraceText(row).value());
      ASSERT_TRUE(state);
      EXPECT_EQ(StateKey(states.state(row)), StateKey(*state));
      const std::optional<int64_t> found = states.Find(*state);
      ASSERT_TRUE(found);
      EXPECT_EQ(StateKey(states.state(*found)), StateKey(*state));
      EXPECT_LE(*found, row);
      distinct.insert(StateKey(*state));
    }
    EXPECT_EQ(states.rows().size(), distinct.size());
    for (int64_t row : states.rows()) EXPECT_EQ(states.Find(states.state(row)), row);
  }
}

TEST(RecordedStatesTest, WhatIsNotRecordedHasNoRow) {
  const auto task = TaskOf(kTableMatmul);
  const RecordedStates states(MadeTree(task, 3));
  const auto other = ReplayText(task, "trace 1\nsplit(stage=C, loop=0, lengths=[2, 2, 2, 2])\n");
  ASSERT_TRUE(other);
  EXPECT_FALSE(states.Find(*other));
}

TEST(RecordedStatesTest, ForeignKernelsAndBadTracesAreRefused) {
  EXPECT_THROW(RecordedStates{MadeTunerTable()}, InputError);
  TreeRows rows = {{-1, 0}, {"", "split(stage=D, loop=0, lengths=[2])"}};
  const auto table = std::make_shared<const Table>(
      TaskOf(kTableMatmul), TableFacts(), std::vector<TableRow>{MadeRow(0), MadeRow(1)}, rows);
  try {
    RecordedStates states(table);
    FAIL() << "a stage that does not exist";
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), testing::StartsWith("row 1 of the table: "));
  }
}

}  // namespace
}  // namespace schedulegym
