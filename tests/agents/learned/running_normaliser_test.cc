#include "agents/learned/running_normaliser.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

using Row = std::vector<float>;

TEST(RunningNormaliserTest, KnowsMeansAndSquares) {
  RunningNormaliser normaliser(2);
  for (const Row& row : {Row{1, 5}, {3, 5}, {8, 5}}) normaliser.Learn(row);
  // Mean 4; squares 9 + 1 + 16.
  EXPECT_EQ(normaliser.state().rows, 3);
  EXPECT_NEAR(normaliser.state().means[0], 4, 1e-12);
  EXPECT_NEAR(normaliser.state().squares[0], 26, 1e-12);
  Row row = {4 + 2.943920F, 9};  // sqrt(26 / 3) = 2.943920
  normaliser.Apply(row);
  EXPECT_NEAR(row[0], 1, 1e-6);
  EXPECT_EQ(row[1], 0) << "never changed";
}

TEST(RunningNormaliserTest, BeforeAnythingIsKnownAllIsZero) {
  Row row = {3, -4};
  RunningNormaliser(2).Apply(row);
  EXPECT_EQ(row, (Row{0, 0}));
}

TEST(RunningNormaliserTest, WhatIsFarOutIsHeld) {
  RunningNormaliser normaliser(1, 2);
  for (const Row& row : {Row{-1}, {1}}) normaliser.Learn(row);
  Row row = {100};
  normaliser.Apply(row);
  EXPECT_EQ(row[0], 2);
  row = {-100};
  normaliser.Apply(row);
  EXPECT_EQ(row[0], -2);
}

TEST(RunningNormaliserTest, BatchesMakeNoDifference) {
  Rng rng(3);
  RowBatch batch(3, 50);
  for (float& number : batch.values()) number = static_cast<float>(1e4 + rng.Uniform());
  RunningNormaliser whole(3), single(3);
  whole.Learn(batch);
  for (int row = 0; row < batch.rows(); ++row) single.Learn(batch[row]);
  EXPECT_EQ(whole.state(), single.state());
  RowBatch copy = batch;
  whole.Apply(copy);
  for (int row = 0; row < batch.rows(); ++row) {
    Row alone(batch[row].begin(), batch[row].end());
    single.Apply(alone);
    EXPECT_EQ(alone, Row(copy[row].begin(), copy[row].end()));
  }
}

TEST(RunningNormaliserTest, ManyNumbersComeOutAtMeanZeroAndVarianceOne) {
  Rng rng(4);
  RowBatch batch(1, 1000);
  for (float& number : batch.values()) number = static_cast<float>(300 * rng.Uniform() - 1000);
  RunningNormaliser normaliser(1);
  normaliser.Learn(batch);
  normaliser.Apply(batch);
  double sum = 0, squares = 0;
  for (const float number : batch.values()) {
    sum += number;
    squares += static_cast<double>(number) * number;
  }
  EXPECT_NEAR(sum / 1000, 0, 1e-5);
  EXPECT_NEAR(squares / 1000, 1, 1e-5);
}

TEST(RunningNormaliserTest, GoesOnWhereAnotherStood) {
  RunningNormaliser first(1);
  for (const Row& row : {Row{1}, {2}}) first.Learn(row);
  RunningNormaliser resumed(first.state());
  first.Learn(Row{7});
  resumed.Learn(Row{7});
  EXPECT_EQ(first.state(), resumed.state());
}

TEST(RunningNormaliserTest, RefusesWhatIsNoNumber) {
  RunningNormaliser normaliser(1);
  EXPECT_THROW(normaliser.Learn(Row{std::numeric_limits<float>::infinity()}), std::logic_error);
  EXPECT_THROW(normaliser.Learn(Row{1, 2}), std::logic_error);
  EXPECT_THROW(RunningNormaliser({1, {0, 0}, {0}}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
