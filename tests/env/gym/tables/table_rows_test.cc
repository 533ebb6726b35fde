// Calls TableMeasurer by row, like an environment.
#include <gtest/gtest.h>

#include "env/gym/actions/construct_space.h"
#include "env/gym/environment.h"
#include "env/gym/evaluators/evaluate.h"
#include "env/gym/tables/table_measurer.h"
#include "env/gym/tables/table_space.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(TableRowsTest, AnswersAreThoseOfTheRows) {
  const auto table = MadeGrid(TaskOf(kTableMatmul), 60);
  const auto space = MakeTableSpace(table);
  TableMeasurer measurer(table);
  Rng rng(1);
  int failures = 0;
  for (int i = 0; i < 40; ++i) {
    const auto episode = space->Start(table->task(), rng);
    const EvaluationResult evaluation = Evaluate(*episode, measurer);
    EXPECT_EQ(evaluation, table->row(episode->row().value()).evaluation);
    failures += evaluation.ok() ? 0 : 1;
  }
  EXPECT_GT(failures, 0);
  EXPECT_FALSE(measurer.is_shared());
}

TEST(TableRowsTest, MeasurementsAreThoseOfTheSchedulesButForRawSamples) {
  const auto states =
      std::make_shared<const RecordedStates>(WithSamples(*MadeTree(TaskOf(kTableMatmul), 20)));
  TableMeasurer by_row(states->shared_table());
  TableMeasurer by_state({{states, states->state(0)}});
  for (int64_t row : states->rows()) {
    const Candidate candidates[] = {{.state = states->state(row)},
                                    {.state = std::nullopt, .row = row}};
    Measurement expected = by_state.Measure({&candidates[0], 1}).at(0);
    if (expected.ok()) {
      EXPECT_FALSE(expected.timing->samples.empty());
      expected.timing->samples.clear();
      expected.timing->reference_samples.clear();
    }
    EXPECT_EQ(by_row.Measure({&candidates[1], 1}).at(0), expected);
  }
  EXPECT_DOUBLE_EQ(by_row.clock_seconds(), by_state.clock_seconds());
}

TEST(TableRowsTest, TheClockCountsEveryAnswer) {
  const auto table = MadeTree(TaskOf(kTableMatmul), 20);
  TableMeasurer measurer(table);
  Rng rng(1);
  const auto episode = MakeTableSpace(table)->Start(table->task(), rng);
  const EpisodeState* places[] = {episode.get(), episode.get()};
  EXPECT_EQ(measurer.clock_seconds(), 0);
  EXPECT_EQ(Evaluate(places, measurer).size(), 2u);
  EXPECT_DOUBLE_EQ(measurer.clock_seconds(), 2 * table->row(0).cost_seconds);
  EXPECT_GT(measurer.clock_seconds(), 0);
}

TEST(TableRowsTest, WhatHasNoRowIsNoScheduleOfIt) {
  const auto table = MadeTree(TaskOf(kTableMatmul), 20);
  TableMeasurer measurer(table);
  Rng rng(1);
  const auto episode =
      MakeConstructSpace(ParseSpec("construct").value())->Start(table->task(), rng);
  EXPECT_EQ(Evaluate(*episode, measurer).outcome, Outcome::kInvalidSchedule);
  EXPECT_EQ(measurer.clock_seconds(), 0);
}

TEST(TableRowsTest, EpisodesArePaidFromTheTable) {
  const auto table = MadeGrid(TaskOf(kTableMatmul), 60);
  auto measurer = std::make_shared<TableMeasurer>(table);
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {table->task()};
  parts->actions = MakeTableSpace(table);
  parts->measurer = measurer;
  Environment environment(parts, 5);
  environment.Reset();
  const int64_t row = environment.episode().row().value();
  EXPECT_TRUE(environment.Step(kStopAction).ended);
  EXPECT_EQ(environment.best().value(), table->row(row).evaluation);
  EXPECT_GT(measurer->clock_seconds(), 0);
}

}  // namespace
}  // namespace schedulegym
