#include "experiments/cli/tune/task_table.h"

#include <gtest/gtest.h>

#include "tests/env/measure/fake_clock.h"
#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

std::vector<TaskRow> Rows() {
  return {{.name = "matmul(m=64)", .count = 3, .flops = 2e6, .seconds = 1e-3, .trials = 16},
          {.name = "conv2d(h=224,w=224,ci=3,co=64,k=7,s=2,p=3)", .count = 2, .trials = 4}};
}

TEST(TaskTableTest, TellsLatencySpeedTrialsAndWhoIsNext) {
  EXPECT_EQ(TaskTableText(Rows(), 1, 20),
            "  id  task                    latency   share          speed  trials  next\n"
            "   0  matmul(m=64)           1.000 ms       -  2.000 GFLOP/s      16\n"
            "   1  conv2d(h=...s=2,p=3)          -       -              -       4  <--\n"
            "      all, by count                 -                             20\n");
}

TEST(TaskTableTest, NamesAreWholeWhereThereIsRoom) {
  std::vector<TaskRow> rows = Rows();
  rows[1].seconds = 0.5e-3;
  const std::string text = TaskTableText(rows, std::nullopt, kFullNames);
  EXPECT_NE(text.find("conv2d(h=224,w=224,ci=3,co=64,k=7,s=2,p=3)   500.0 us"), text.npos) << text;
  EXPECT_EQ(text.find("next"), text.npos) << text;
  EXPECT_NE(text.find("75.0 %"), text.npos) << text;
  EXPECT_NE(text.find("25.0 %"), text.npos) << text;
  // 3 * 1 ms + 2 * 0.5 ms.
  EXPECT_NE(text.find("4.000 ms"), text.npos) << text;
}

TEST(TaskTableTest, TheNetworksLatencyIsTheSumByCount) {
  std::vector<TaskRow> rows = Rows();
  EXPECT_EQ(NetworkLatency(rows), std::nullopt);
  rows[1].seconds = 0.25;
  EXPECT_DOUBLE_EQ(NetworkLatency(rows).value(), 3 * 1e-3 + 2 * 0.25);
}

size_t Count(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(TaskTableTest, OnAScreenItIsRedrawnInItsPlace) {
  Captured err;
  FakeClock clock;
  TaskTable table(err.stream(), true, clock, Screen{24, 80});
  table.Update(Rows(), 0);
  EXPECT_FALSE(table.IsDue(Rows(), 1));
  table.Update(Rows(), 1);
  EXPECT_EQ(Count(err.Text(), "  id  "), 1u) << "not at once";
  clock.Advance(1);
  table.Update(Rows(), 1);
  // Moves four lines up, and clears everything below.
  EXPECT_EQ(Count(err.Text(), "\r\x1b[4A\x1b[J  id  "), 1u) << err.Text();
  for (size_t at = 0, end; (end = err.Text().find('\n', at)) != std::string::npos; at = end + 1) {
    EXPECT_LT(end - at, 80u + 10) << "a wrapped line would spoil the place";
  }
  table.Clear();
  table.Clear();
  EXPECT_EQ(Count(err.Text(), "\x1b[4A"), 2u);
}

TEST(TaskTableTest, SaysWhyATaskIsNext) {
  Captured err;
  FakeClock clock;
  TaskTable table(err.stream(), true, clock, Screen{24, 80});
  table.Update(Rows(), 1, "saves 2 ms a slot, give or take 0.5");
  EXPECT_EQ(Count(err.Text(), "  next is 1: saves 2 ms a slot, give or take 0.5\n"), 1u);
  clock.Advance(1);
  table.Update(Rows(), 0, std::string(200, 'w'));
  EXPECT_EQ(Count(err.Text(), "\x1b[5A"), 1u) << "the reason is a line of its own";
  EXPECT_EQ(Count(err.Text(), std::string(60, 'w')), 0u) << "a wrapped line would spoil the place";
  table.Clear();
}

TEST(TaskTableTest, WhatDidNotChangeIsNotDrawnAgain) {
  Captured err;
  FakeClock clock;
  TaskTable table(err.stream(), true, clock, Screen{24, 80});
  table.Update(Rows(), 1);
  clock.Advance(1);
  EXPECT_FALSE(table.IsDue(Rows(), 1));
  EXPECT_TRUE(table.IsDue(Rows(), 0)) << "another task is next";
  table.Clear();
  EXPECT_TRUE(table.IsDue(Rows(), 1)) << "it is no longer on the screen";
}

TEST(TaskTableTest, OffScreensItComesWhereALatencyChanged) {
  Captured err;
  FakeClock clock;
  TaskTable table(err.stream(), true, clock, std::nullopt);
  std::vector<TaskRow> rows = Rows();
  for (int second = 0; second < 100; ++second) {
    rows[0].trials += 1;
    table.Update(rows, second % 2);
    clock.Advance(1);
  }
  EXPECT_EQ(Count(err.Text(), "  id  "), 1u) << "trials alone fill no pages";
  rows[0].seconds = 0.5e-3;
  table.Update(rows, 0);
  EXPECT_EQ(Count(err.Text(), "  id  "), 2u);
}

TEST(TaskTableTest, OnASmallScreenOrNoneItIsWrittenNowAndThen) {
  for (const auto screen : {std::optional<Screen>(), std::optional(Screen{4, 80})}) {
    Captured err;
    FakeClock clock;
    TaskTable table(err.stream(), true, clock, screen);
    std::vector<TaskRow> rows = Rows();
    for (int second = 0; second < 70; ++second) {
      *rows[0].seconds *= 0.99;
      table.Update(rows, 0);
      clock.Advance(1);
    }
    EXPECT_EQ(Count(err.Text(), "  id  "), 3u);
    EXPECT_EQ(Count(err.Text(), "\x1b"), 0u);
  }
}

TEST(TaskTableTest, DisabledItWritesNothing) {
  Captured err;
  FakeClock clock;
  TaskTable table(err.stream(), false, clock, Screen{});
  table.Update(Rows(), 0);
  EXPECT_EQ(err.Text(), "");
}

}  // namespace
}  // namespace schedulegym
