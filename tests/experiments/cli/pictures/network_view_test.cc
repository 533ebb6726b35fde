#include "experiments/cli/pictures/network_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Spec SpecOf(const std::string& text) { return ParseSpec(text).value(); }

std::vector<RecordedCurve> Curves() {
  return DrawCurves({.trials = 64, .jump = 0, .plateau = 0}, 3, Rng(1));
}

TEST(NetworkViewTest, ShowsWhatASchedulerSawAndWhatItDidNot) {
  const std::vector<RecordedCurve> curves = Curves();
  const std::vector<PicturedTask> tasks =
      PicturedTasksOf(curves, std::vector<int>{0, 0, 1}, SpecOf("round_robin"), 0);
  ASSERT_THAT(tasks, SizeIs(3));
  EXPECT_EQ(tasks[0].name, curves[0].task);
  EXPECT_THAT(tasks[0].speeds, SizeIs(32));
  EXPECT_THAT(tasks[0].further, SizeIs(32));
  EXPECT_THAT(tasks[2].speeds, IsEmpty());
  EXPECT_THAT(tasks[2].further, SizeIs(64));
  EXPECT_NEAR(tasks[0].share + tasks[1].share, 1, 1e-9);
  EXPECT_EQ(tasks[2].share, 0);
}

TEST(NetworkViewTest, ExtrapolatesToTwiceTheTrials) {
  const std::vector<PicturedTask> tasks =
      PicturedTasksOf(Curves(), std::vector<int>{0, 0, 0, 0}, SpecOf("gradient"), 0);
  const std::vector<Extrapolation>& curve = tasks[0].extrapolation;
  ASSERT_FALSE(curve.empty());
  EXPECT_EQ(curve.front().trial, 1);
  EXPECT_EQ(curve.back().trial, 128);
  EXPECT_GT(curve.back().mean, curve.front().mean);
  EXPECT_THAT(tasks[1].extrapolation, IsEmpty());
}

TEST(NetworkViewTest, ExtrapolatesAsDynatuneIsAskedTo) {
  const std::vector<int> order = {0, 0};
  const auto of = [&](const std::string& scheduler) {
    return PicturedTasksOf(Curves(), order, SpecOf(scheduler), 0)[0].extrapolation;
  };
  EXPECT_GT(of("dynatune").back().deviation, 0);
  EXPECT_EQ(of("dynatune(fit=least_squares)").back().deviation, 0) << "it knows of no doubt";
  EXPECT_EQ(of("dynatune").back().mean, of("gradient").back().mean) << "the same sample";
}

TEST(NetworkViewTest, NothingIsExtrapolatedOnceItIsToStop) {
  const std::atomic<bool> stop = true;
  const std::vector<int> order = {0, 0};
  const auto tasks = PicturedTasksOf(Curves(), order, SpecOf("dynatune"), 0, StopToken(&stop));
  EXPECT_THAT(tasks[0].extrapolation, IsEmpty());
  EXPECT_FALSE(tasks[0].speeds.empty());
}

TEST(NetworkViewTest, ALiveSearchHasNothingBeyond) {
  const std::vector<RecordedCurve> curves = Curves();
  const std::vector<SearchedTask> searched = {{"one", curves[0].facts, curves[0].whole},
                                              {"none", {}, {}}};
  const std::vector<PicturedTask> tasks = PicturedTasksOf(searched, SpecOf("linear"), 0);
  EXPECT_EQ(tasks[0].share, 1);
  EXPECT_THAT(tasks[0].further, IsEmpty());
  EXPECT_THAT(tasks[1].speeds, IsEmpty());
}

}  // namespace
}  // namespace schedulegym
