#include "experiments/cli/pictures/network_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

size_t Count(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

NetworkView TwoTasks() {
  return {.title = "2 tasks & more",
          .trajectories = {{"gradient", {{0, 4e-3}, {2, 2e-3}}, 10}, {"oracle", {{0, 4e-3}}, 10}},
          .tasks = {{.name = "matmul(m=64)", .share = 0.75, .speeds = {0, 1, 1.5}},
                    {.name = "softmax(n=8)", .share = 0.25, .speeds = {2}}}};
}

TEST(NetworkPictureTest, HoldsCoursesAndAPanelForEachTask) {
  const std::string text = NetworkPicture(TwoTasks());
  EXPECT_THAT(text, HasSubstr("2 tasks &amp; more"));
  EXPECT_THAT(text, HasSubstr("gradient: 2.000 ms"));
  EXPECT_THAT(text, HasSubstr("oracle: 4.000 ms"));
  EXPECT_THAT(text, AllOf(HasSubstr(">0  matmul(m=64)<"), HasSubstr(">75.0 %<")));
  EXPECT_THAT(text, AllOf(HasSubstr(">1  softmax(n=8)<"), HasSubstr(">25.0 %<")));
  EXPECT_EQ(Count(text, "<g>"), 2u);
  EXPECT_THAT(text, Not(HasSubstr("dasharray"))) << "nothing is believed of them";
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

TEST(NetworkPictureTest, ABeliefIsALineAndABand) {
  NetworkView view = TwoTasks();
  view.tasks[0].extrapolation = {{1, 0.5, 0.1}, {3, 1.4, 0.1}, {6, 1.8, 0.4}};
  const std::string text = NetworkPicture(view);
  EXPECT_EQ(Count(text, "dasharray"), 1u);
  EXPECT_EQ(Count(text, "fill-opacity"), 1u);
}

TEST(NetworkPictureTest, WhatWasRecordedBeyondIsGrey) {
  NetworkView view = TwoTasks();
  EXPECT_EQ(Count(NetworkPicture(view), "#b0b0b0"), 0u);
  view.tasks[1].further = {3, 4};
  EXPECT_EQ(Count(NetworkPicture(view), "#b0b0b0"), 1u);
}

TEST(NetworkPictureTest, ALatencyThatWasNeverKnownIsSaid) {
  NetworkView view = TwoTasks();
  view.trajectories = {{"gradient", {}, 10}};
  view.tasks[0].speeds.clear();
  const std::string text = NetworkPicture(view);
  EXPECT_THAT(text, HasSubstr("never known of all tasks"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(NetworkPictureTest, AWideBeliefDoesNotLeaveItsPanel) {
  NetworkView view = TwoTasks();
  view.tasks[0].extrapolation = {{1, 1, 1e9}, {6, 1e12, 1e9}};
  const std::string text = NetworkPicture(view);
  EXPECT_THAT(text, Not(HasSubstr("e+")));
  EXPECT_EQ(Count(text, "-1000"), 0u);
}

}  // namespace
}  // namespace schedulegym
