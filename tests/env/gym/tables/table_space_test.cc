#include "env/gym/tables/table_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/schedule/loop_structure.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Points 0, 2 and 3 of one knob of four values.
std::shared_ptr<const Table> HoledTable() {
  KnobRows rows = {{{"unroll", {"0", "16", "64", "512"}}}, {}, {{0}, {2}, {3}}, {}};
  for (const char* step : {"", "pragma(stage=A, name=auto_unroll_max_step, value=64)\n",
                           "pragma(stage=A, name=auto_unroll_max_step, value=512)\n"}) {
    rows.traces.push_back(std::string("trace 1\n") + step);
  }
  return std::make_shared<const Table>(TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"), TableFacts(),
                                       std::vector<TableRow>{MadeRow(0), MadeRow(1), MadeRow(2)},
                                       std::move(rows));
}

std::unique_ptr<EpisodeState> At(const ActionSpace& space, const Table& table,
                                 const std::string& text) {
  auto episode = space.Resume(table.task(), text);
  EXPECT_TRUE(episode.ok()) << episode.error().message;
  return *std::move(episode);
}

TEST(TableSpaceTest, KnobsGoOnToTheNextValueThatIsRecorded) {
  const auto table = HoledTable();
  const auto space = MakeTableModifySpace(table);
  const auto episode = At(*space, *table, "modify sketch=0 point=0\n");
  EXPECT_THAT(LegalActions(*space, *episode), testing::ElementsAre(kStopAction, 3));
  EXPECT_EQ(*episode->Describe(3), "unroll: value 0 to 64");
  ASSERT_TRUE(episode->Act(3).ok());
  EXPECT_EQ(episode->row(), 1);
  EXPECT_THAT(episode->state()->TraceText(), HasSubstr("value=64"));
  EXPECT_EQ(*episode->Describe(2), "unroll: value 64 to 0");
  ASSERT_TRUE(episode->Act(3).ok());
  EXPECT_EQ(episode->row(), 2);
  EXPECT_THAT(episode->Act(3).error().message, HasSubstr("that the table records"));
}

TEST(TableSpaceTest, WalksNeverLeaveWhatIsRecorded) {
  const auto table = MadeGrid(TaskOf(kTableMatmul), 100);
  const auto space = MakeTableModifySpace(table);
  Rng rng(2);
  std::set<int64_t> rows;
  for (int i = 0; i < 20; ++i) {
    const auto episode = space->Start(table->task(), rng);
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(episode->row().has_value());
      rows.insert(*episode->row());
      ASSERT_EQ(table->knobs()->points[*episode->row()], episode->point());
      ASSERT_EQ(episode->knobs()->dimensions(), static_cast<int>(episode->point().size()));
      EXPECT_EQ(episode->state()->TraceText(), table->TraceText(*episode->row()));
      const std::vector<int> legal = LegalActions(*space, *episode);
      if (legal.size() < 2) break;
      ASSERT_TRUE(episode->Act(legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)]).ok());
    }
  }
  EXPECT_GT(rows.size(), 30u);
}

TEST(TableSpaceTest, PointsThatAreNotRecordedAreNoPlaces) {
  const auto table = HoledTable();
  const auto space = MakeTableModifySpace(table);
  EXPECT_THAT(space->Resume(table->task(), "modify sketch=0 point=1\n").error().message,
              HasSubstr("does not record"));
}

TEST(TableSpaceTest, FilesHaveKnobsAndNoSchedules) {
  const auto table = MadeTunerTable();
  const auto space = MakeTableSpace(table);
  EXPECT_EQ(space->Name(), "file");
  // In T1's order: block 64, 32, 128; unroll 0, 1.
  const auto episode = At(*space, *table, "file sketch=0 point=1,0\n");
  EXPECT_THAT(episode->state().error().message, HasSubstr("kernel of another tuner"));
  EXPECT_EQ(episode->knobs()->knob(0).name, "block");
  EXPECT_EQ(table->row(episode->row().value()).evaluation.seconds, 0.004);
  EXPECT_EQ(*episode->Describe(3), "block: value 32 to 128");
  ASSERT_TRUE(episode->Act(3).ok());
  // {128,1} was not measured.
  EXPECT_THAT(LegalActions(*space, *episode), testing::ElementsAre(kStopAction, 2));
}

TEST(TableSpaceTest, TablesOfAnotherKindAreRefused) {
  const auto tree = MadeTree(TaskOf(kTableMatmul), 10);
  EXPECT_THROW(MakeTableModifySpace(tree), InputError);
  EXPECT_THROW(MakeFileSpace(tree), InputError);
  EXPECT_THROW(MakeFileSpace(HoledTable()), InputError);
  EXPECT_THROW(MakeTableModifySpace(MadeTunerTable()), InputError);
  EXPECT_THROW(MakeTableConstructSpace(HoledTable()), InputError);
  EXPECT_EQ(MakeTableSpace(tree)->Name(), "construct");
  EXPECT_EQ(MakeTableSpace(HoledTable())->Name(), "modify");
}

}  // namespace
}  // namespace schedulegym
