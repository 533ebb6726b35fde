#include "env/measure/timing/suspicion.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

// Knows a machine on which the reference took a second, four times of five.
UsualTime Knowing() {
  UsualTime usual;
  for (int i = 0; i < 100; ++i) usual.Note(i % 5 == 0 ? 1.3 : 1.0, i);
  return usual;
}

TEST(UsualTimeTest, TheLowerQuartileIsUsual) {
  const UsualTime usual = Knowing();
  EXPECT_DOUBLE_EQ(usual.Slowdown(1), 1);
  EXPECT_DOUBLE_EQ(usual.Slowdown(1.3), 1.3);
  EXPECT_DOUBLE_EQ(usual.Slowdown(0.5), 0.5);
}

TEST(UsualTimeTest, FewTellNothing) {
  UsualTime usual;
  for (int i = 0; i < 7; ++i) usual.Note(1, i);
  EXPECT_EQ(usual.Slowdown(9), 1);
  usual.Note(1, 7);
  EXPECT_EQ(usual.Slowdown(9), 9);
}

TEST(UsualTimeTest, AnEpisodeIsNotUsual) {
  UsualTime usual = Knowing();
  for (int i = 0; i < 80; ++i) usual.Note(6, 100 + 0.5 * i);  // of 40 seconds
  EXPECT_DOUBLE_EQ(usual.Slowdown(6), 6);
  usual.Note(1, 140);
  usual.Note(6, 170);
  EXPECT_DOUBLE_EQ(usual.Slowdown(6), 6) << "it began anew";
}

TEST(UsualTimeTest, WhatLastsIsUsual) {
  UsualTime usual = Knowing();
  for (int i = 0; i < 20; ++i) usual.Note(6, 100 + 4 * i);
  EXPECT_DOUBLE_EQ(usual.Slowdown(6), 1);
}

TEST(UsualTimeTest, AFasterMachineBecomesUsual) {
  UsualTime usual = Knowing();
  for (int i = 0; i < 60; ++i) usual.Note(0.5, 100 + i);
  EXPECT_DOUBLE_EQ(usual.Slowdown(1), 2);
}

TEST(UsualTimeTest, NothingTakesNoTime) { EXPECT_THROW(UsualTime().Note(0, 0), std::logic_error); }

}  // namespace
}  // namespace schedulegym
