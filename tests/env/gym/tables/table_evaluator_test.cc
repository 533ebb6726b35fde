#include "env/gym/tables/table_measurer.h"

#include <gtest/gtest.h>

#include "env/gym/actions/construct_space.h"
#include "env/gym/environment.h"
#include "env/gym/tables/table_space.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr const char* kMatmul =
    "input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n";

TEST(TableEvaluatorTest, AnswersAreThoseOfTheRows) {
  const auto table = MadeGrid(TaskOf(kMatmul), 60);
  const auto space = MakeTableSpace(table);
  TableEvaluator evaluator(table);
  Rng rng(1);
  int failures = 0;
  for (int i = 0; i < 40; ++i) {
    const auto episode = space->Start(table->task(), rng);
    const EpisodeState* place = episode.get();
    const EvaluationResult evaluation = evaluator.Ask({&place, 1}).at(0);
    EXPECT_EQ(evaluation, table->row(episode->row().value()).evaluation);
    failures += evaluation.ok() ? 0 : 1;
  }
  EXPECT_GT(failures, 0);
  EXPECT_FALSE(evaluator.is_shared());
}

TEST(TableEvaluatorTest, TheClockCountsEveryAnswer) {
  const auto table = MadeTree(TaskOf(kMatmul), 20);
  TableEvaluator evaluator(table);
  Rng rng(1);
  const auto episode = MakeTableSpace(table)->Start(table->task(), rng);
  const EpisodeState* places[] = {episode.get(), episode.get()};
  EXPECT_EQ(evaluator.clock_seconds(), 0);
  evaluator.Ask(places);
  EXPECT_DOUBLE_EQ(evaluator.clock_seconds(), 2 * table->row(0).cost_seconds);
  EXPECT_EQ(evaluator.answers(), 2);
  EXPECT_EQ(evaluator.CostOf(*episode), table->row(0).cost_seconds);
}

TEST(TableEvaluatorTest, WhatHasNoRowIsNoScheduleOfIt) {
  const auto table = MadeTree(TaskOf(kMatmul), 20);
  TableEvaluator evaluator(table);
  Rng rng(1);
  const auto episode =
      MakeConstructSpace(ParseSpec("construct").value())->Start(table->task(), rng);
  const EpisodeState* place = episode.get();
  EXPECT_EQ(evaluator.Ask({&place, 1}).at(0).outcome, Outcome::kInvalidSchedule);
  EXPECT_EQ(evaluator.clock_seconds(), 0);
}

TEST(TableEvaluatorTest, EpisodesArePaidFromTheTable) {
  const auto table = MadeGrid(TaskOf(kMatmul), 60);
  auto evaluator = std::make_shared<TableEvaluator>(table);
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {table->task()};
  parts->actions = MakeTableSpace(table);
  parts->evaluator = evaluator;
  Environment environment(parts, 5);
  environment.Reset();
  const int64_t row = environment.episode().row().value();
  EXPECT_TRUE(environment.Step(kStopAction).ended);
  EXPECT_EQ(environment.best().value(), table->row(row).evaluation);
  EXPECT_GT(evaluator->clock_seconds(), 0);
}

}  // namespace
}  // namespace schedulegym
