#include "env/gym/tables/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/input_fault.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Task> SmallTask() { return TaskOf("input X[24]\nA[i:24] = X[i] + 1\n"); }

KnobRows SmallRows() {
  const std::string trace = "trace 1\nunroll(stage=A, loop=0)\n";
  return {{{"tile", {"1", "2", "4"}}, {"unroll", {"0", "16"}}},
          {{"tile", 24, {0}, {{1, 2, 4}}}},
          {{0, 0}, {2, 1}},
          {trace, "trace 1\n"}};
}

std::vector<TableRow> Rows(int count) {
  std::vector<TableRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back(MadeRow(i));
  return rows;
}

template <typename Shape>
std::string ShapeFault(std::vector<TableRow> rows, Shape shape) {
  return InputFaultOf([&] { Table(SmallTask(), {}, std::move(rows), std::move(shape)); });
}

TEST(TableTest, FindsRowsByTheirPoints) {
  const Table table(SmallTask(), {}, Rows(2), SmallRows());
  EXPECT_EQ(table.Find({2, 1}), 1);
  EXPECT_EQ(table.Find({2, 0}), std::nullopt);
  EXPECT_EQ(table.TraceText(0), "trace 1\nunroll(stage=A, loop=0)\n");
  EXPECT_EQ(table.size(), 2);
  EXPECT_FALSE(table.is_foreign());
  EXPECT_EQ(table.tree(), nullptr);
}

TEST(TableTest, FindsRowsByTheirParents) {
  const TreeRows tree = {{-1, 0, 0, 1}, {"", "first", "second", "third"}};
  const Table table(SmallTask(), {}, Rows(4), tree);
  EXPECT_EQ(table.Find(0, "second"), 2);
  EXPECT_EQ(table.Find(1, "third"), 3);
  EXPECT_EQ(table.Find(2, "third"), std::nullopt);
  EXPECT_EQ(table.TraceText(3), "trace 1\nfirst\nthird\n");
  EXPECT_EQ(table.TraceText(0), "trace 1\n");
}

TEST(TableTest, TheBestIsTheFastestSuccess) {
  std::vector<TableRow> rows = {{FailedEvaluationResult(Outcome::kRunSignal), 0},
                                {ExactEvaluationResult(2, 1), 0},
                                {ExactEvaluationResult(4, 0.5), 0}};
  KnobRows shape = SmallRows();
  shape.points.push_back({1, 1});
  shape.traces.push_back("trace 1\n");
  EXPECT_EQ(Table(SmallTask(), {}, rows, shape).Best(), 2);
  rows[1] = rows[2] = rows[0];
  EXPECT_EQ(Table(SmallTask(), {}, rows, shape).Best(), std::nullopt);
}

TEST(TableTest, PointsThatAreNoneAreRefused) {
  KnobRows rows = SmallRows();
  rows.points[1] = {2};
  EXPECT_THAT(ShapeFault(Rows(2), rows),
              HasSubstr("row 1 of the table: found a point of 1 numbers"));
  rows.points[1] = {3, 0};
  EXPECT_THAT(ShapeFault(Rows(2), rows), HasSubstr("found value 3 of knob 'tile', expected 0..2"));
  rows.points[1] = rows.points[0];
  EXPECT_THAT(ShapeFault(Rows(2), rows),
              HasSubstr("row 1 of the table: its point is that of row 0"));
  EXPECT_THAT(ShapeFault({}, KnobRows()), HasSubstr("no rows"));
}

TEST(TableTest, KnobsAndTilesAreChecked) {
  KnobRows rows = SmallRows();
  rows.tiles[0].values[0] = {1, 4, 2};
  EXPECT_THAT(ShapeFault(Rows(2), rows), HasSubstr("tile 'tile' of the table"));
  rows.tiles[0].values[0] = {1, 2};
  EXPECT_THAT(ShapeFault(Rows(2), rows), HasSubstr("tile 'tile' of the table"));
  rows = SmallRows();
  rows.knobs[1].values.pop_back();
  EXPECT_THAT(ShapeFault(Rows(2), rows),
              HasSubstr("knob 'unroll' of the table: expected two values"));
}

TEST(TableTest, AGridThatCannotBeNumberedIsRefused) {
  KnobRows rows = SmallRows();
  for (int i = 0; i < 98; ++i) {
    rows.knobs.push_back({"more " + std::to_string(i), {"0", "1"}});
    for (KnobPoint& point : rows.points) point.push_back(0);
  }
  EXPECT_THAT(ShapeFault(Rows(2), rows),
              HasSubstr("a grid of 100 knobs and more than 1e30 points"));
}

TEST(TableTest, TreesThatAreNoneAreRefused) {
  EXPECT_THAT(ShapeFault(Rows(2), TreeRows{{-1, 1}, {"", "a"}}),
              HasSubstr("row 1 of the table: found parent 1, expected a row before it"));
  EXPECT_THAT(ShapeFault(Rows(2), TreeRows{{-1, 0}, {"", ""}}), HasSubstr("expected a primitive"));
  EXPECT_THAT(ShapeFault(Rows(1), TreeRows{{0}, {""}}), HasSubstr("expected the naive program"));
  EXPECT_THAT(ShapeFault(Rows(3), TreeRows{{-1, 0, 0}, {"", "a", "a"}}),
              HasSubstr("row 2 of the table: it is the same as row 1"));
}

TEST(TableTest, NumbersThatAreNoTimesAreRefused) {
  std::vector<TableRow> rows = Rows(2);
  rows[1].cost_seconds = -1;
  EXPECT_THAT(ShapeFault(rows, SmallRows()), HasSubstr("row 1 of the table: its cost is no time"));
  rows = Rows(2);
  rows[0].evaluation.speed.low = 2 * rows[0].evaluation.speed.high;
  EXPECT_THAT(ShapeFault(rows, SmallRows()), HasSubstr("a ratio within its interval"));
  rows = Rows(2);
  rows[0].evaluation.seconds = 0;
  EXPECT_THAT(ShapeFault(rows, SmallRows()), HasSubstr("row 0 of the table: expected seconds"));
}

TEST(TableTest, SamplesThatAreNoneAreRefused) {
  std::vector<TableRow> rows = Rows(2);
  rows[0].samples = {{1, 2}, {3, 4}};
  EXPECT_EQ(ShapeFault(rows, SmallRows()), "");
  for (const RawSamples& bad :
       {RawSamples{{1, 2}, {3}}, RawSamples{{1}, {}}, RawSamples{{1, 0}, {1, 1}},
        RawSamples{{1, 1}, {1, -1}}, RawSamples{{}, {1}}}) {
    rows[0].samples = bad;
    EXPECT_THAT(ShapeFault(rows, SmallRows()), HasSubstr("row 0 of the table: expected samples"));
  }
  rows[0] = {FailedEvaluationResult(Outcome::kRunSignal), 0, {{1, 2}, {3, 4}}};
  EXPECT_THAT(ShapeFault(rows, SmallRows()), HasSubstr("row 0 of the table: expected samples"));
}

TEST(TableTest, HasSamplesWhereEverySuccessHas) {
  std::vector<TableRow> rows = Rows(2);
  EXPECT_FALSE(Table(SmallTask(), {}, rows, SmallRows()).HasSamples());
  rows[0].samples = {{1}, {2}};
  EXPECT_FALSE(Table(SmallTask(), {}, rows, SmallRows()).HasSamples());
  rows[1] = {FailedEvaluationResult(Outcome::kRunSignal), 0};
  EXPECT_TRUE(Table(SmallTask(), {}, rows, SmallRows()).HasSamples());
}

TEST(TableTest, TooManyRowsAreRefused) {
  TreeRows tree = {{-1}, {""}};
  for (int i = 1; i <= kMostTableRows; ++i) {
    tree.parents.push_back(0);
    tree.steps.push_back("step " + std::to_string(i));
  }
  EXPECT_THAT(ShapeFault(Rows(kMostTableRows + 1), tree), HasSubstr("expected at most 20000"));
}

}  // namespace
}  // namespace schedulegym
