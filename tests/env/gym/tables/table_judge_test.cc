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

TEST(TableJudgeTest, AnswersAreThoseOfTheRows) {
  const auto table = MadeGrid(TaskOf(kMatmul), 60);
  const auto space = MakeTableSpace(table);
  TableJudge judge(table);
  Rng rng(1);
  int failures = 0;
  for (int i = 0; i < 40; ++i) {
    const auto walk = space->Start(table->task(), rng);
    const Walk* place = walk.get();
    const Judgement judgement = judge.Ask({&place, 1}).at(0);
    EXPECT_EQ(judgement, table->row(walk->row().value()).judgement);
    failures += judgement.ok() ? 0 : 1;
  }
  EXPECT_GT(failures, 0);
  EXPECT_FALSE(judge.is_shared());
}

TEST(TableJudgeTest, TheClockCountsEveryAnswer) {
  const auto table = MadeTree(TaskOf(kMatmul), 20);
  TableJudge judge(table);
  Rng rng(1);
  const auto walk = MakeTableSpace(table)->Start(table->task(), rng);
  const Walk* places[] = {walk.get(), walk.get()};
  EXPECT_EQ(judge.clock_seconds(), 0);
  judge.Ask(places);
  EXPECT_DOUBLE_EQ(judge.clock_seconds(), 2 * table->row(0).cost_seconds);
  EXPECT_EQ(judge.answers(), 2);
  EXPECT_EQ(judge.CostOf(*walk), table->row(0).cost_seconds);
}

TEST(TableJudgeTest, WhatHasNoRowIsNoScheduleOfIt) {
  const auto table = MadeTree(TaskOf(kMatmul), 20);
  TableJudge judge(table);
  Rng rng(1);
  const auto walk = MakeConstructSpace(ParseSpec("construct").value())->Start(table->task(), rng);
  const Walk* place = walk.get();
  EXPECT_EQ(judge.Ask({&place, 1}).at(0).outcome, Outcome::kInvalidSchedule);
  EXPECT_EQ(judge.clock_seconds(), 0);
}

TEST(TableJudgeTest, EpisodesArePaidFromTheTable) {
  const auto table = MadeGrid(TaskOf(kMatmul), 60);
  auto judge = std::make_shared<TableJudge>(table);
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = {table->task()};
  parts->actions = MakeTableSpace(table);
  parts->judge = judge;
  Environment environment(parts, 5);
  environment.Reset();
  const int64_t row = environment.walk().row().value();
  EXPECT_TRUE(environment.Step(kStopAction).ended);
  EXPECT_EQ(environment.best().value(), table->row(row).judgement);
  EXPECT_GT(judge->clock_seconds(), 0);
}

}  // namespace
}  // namespace schedulegym
