#include "agents/learned/scorer/program_batch.h"

#include <gtest/gtest.h>

#include "tests/agents/learned/scorer/known_rows.h"

namespace schedulegym {
namespace {

TEST(InputScaleTest, IsByTheLargestAndLeavesZerosAlone) {
  const Spec spec = ModelSpec("mlp(features=ansor,task=none)");
  ProgramRows rows = EmptyRows(ReadScorerOptions(spec));
  rows.heads = {0};
  std::vector<float> values(2 * static_cast<size_t>(rows.columns));
  values[0] = 2;
  values[static_cast<size_t>(rows.columns)] = 8;
  values[1] = -3;
  AddProgram({values}, 0, 1, &rows);
  const InputScale scale = ScaleOf(rows, std::vector<int>{0});
  EXPECT_EQ(scale.rows[0], 0.125);
  EXPECT_EQ(scale.rows[1], 1);
  EXPECT_EQ(scale.rows[2], 1);
  const ProgramBatch batch = BatchOf(rows, std::vector<int>{0}, scale);
  EXPECT_EQ(batch.rows[0][0], 0.25);
  EXPECT_EQ(batch.places[1][0], 1);
}

TEST(ProgramBatchTest, RowsKnowTheirPrograms) {
  const ProgramRows rows = KnownRows(ModelSpec("mlp(features=ansor,task=none)"), 1, 5);
  const std::vector<int> chosen = {3, 1};
  const ProgramBatch batch = BatchOf(rows, chosen, ScaleOf(rows, chosen));
  EXPECT_EQ(batch.programs, 2);
  EXPECT_EQ(batch.rows.rows(), rows.rows_of(3) + rows.rows_of(1));
  EXPECT_EQ(batch.groups[0][0], 0);
  EXPECT_EQ(batch.groups[batch.rows.rows() - 1][0], 1);
  EXPECT_EQ(batch.places[static_cast<int>(rows.rows_of(3))][0], 0);
  EXPECT_EQ(batch.task_rows.rows(), 2) << "a column of zeros where tasks have no numbers";
  EXPECT_EQ(batch.task_rows[0][0], 0);
}

}  // namespace
}  // namespace schedulegym
