#include "env/measure/timing/outlier_check.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

// A baseline in which the reference took a second, four times of five.
RollingBaseline Knowing() {
  RollingBaseline usual;
  for (int i = 0; i < 100; ++i) usual.Note(i % 5 == 0 ? 1.3 : 1.0, i);
  return usual;
}

TEST(RollingBaselineTest, TheLowerQuartileIsUsual) {
  const RollingBaseline usual = Knowing();
  EXPECT_DOUBLE_EQ(usual.Slowdown(1), 1);
  EXPECT_DOUBLE_EQ(usual.Slowdown(1.3), 1.3);
  EXPECT_DOUBLE_EQ(usual.Slowdown(0.5), 0.5);
}

TEST(RollingBaselineTest, FewTellNothing) {
  RollingBaseline usual;
  for (int i = 0; i < 7; ++i) usual.Note(1, i);
  EXPECT_EQ(usual.Slowdown(9), 1);
  usual.Note(1, 7);
  EXPECT_EQ(usual.Slowdown(9), 9);
}

TEST(RollingBaselineTest, AnEpisodeIsNotUsual) {
  RollingBaseline usual = Knowing();
  for (int i = 0; i < 80; ++i) usual.Note(6, 100 + 0.5 * i);  // for 40 seconds
  EXPECT_DOUBLE_EQ(usual.Slowdown(6), 6);
  usual.Note(1, 140);
  usual.Note(6, 170);
  EXPECT_DOUBLE_EQ(usual.Slowdown(6), 6) << "it began anew";
}

TEST(RollingBaselineTest, WhatLastsIsUsual) {
  RollingBaseline usual = Knowing();
  for (int i = 0; i < 20; ++i) usual.Note(6, 100 + 4 * i);
  EXPECT_DOUBLE_EQ(usual.Slowdown(6), 1);
}

TEST(RollingBaselineTest, AFasterMachineBecomesUsual) {
  RollingBaseline usual = Knowing();
  for (int i = 0; i < 60; ++i) usual.Note(0.5, 100 + i);
  EXPECT_DOUBLE_EQ(usual.Slowdown(1), 2);
}

TEST(RollingBaselineTest, NothingTakesNoTime) {
  EXPECT_THROW(RollingBaseline().Note(0, 0), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
