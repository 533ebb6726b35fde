#include "agents/beam/beam_visitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agents/decisions/decision_place.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

class MeasuredBeamTest : public testing::Test {
 protected:
  explicit MeasuredBeamTest()
      : beam_({space_, task_, memory_, nullptr, std::nullopt, Rng(1)},
              FirstDecision(space_.Sketches(task_), DecisionOrder::kOutputsFirst), 2) {}

  std::vector<Proposal> Ask(int count, std::optional<double> (*seconds)(const ScheduleState&)) {
    const auto proposals = beam_.Propose(count);
    for (const Proposal& one : proposals) {
      const Trial trial = TimedTrial(one, seconds(one.state));
      memory_.Take(trial);
      beam_.Learn(trial);
    }
    return proposals;
  }

  TwoSketchSpace space_;
  std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  SearchModelState memory_;
  MeasuredBeam beam_;
};

std::optional<double> Seconds(const ScheduleState& state) { return TwoSketchSeconds(state); }
// Seconds of states that are not parallel; nullopt for the others.
std::optional<double> SerialAlone(const ScheduleState& state) {
  if (state.TraceText().find("parallel") != std::string::npos) return std::nullopt;
  return TwoSketchSeconds(state);
}

// Two sketches, then 3 ways to unroll B of sketch 0 and 8 tiles of B in sketch 1.
TEST_F(MeasuredBeamTest, EachDecisionIsMeasuredBeforeTheNext) {
  EXPECT_EQ(Ask(16, Seconds).size(), 2u);
  EXPECT_EQ(Ask(16, Seconds).size(), 11u);
  // Even if fewer are requested at once.
  EXPECT_EQ(Ask(1, Seconds).size(), 1u);
  EXPECT_EQ(Ask(1, Seconds).size(), 1u);
}

TEST_F(MeasuredBeamTest, FindsTheFastAndSeesAllInTheEnd) {
  std::vector<double> seconds;
  while (true) {
    const auto proposals = Ask(16, Seconds);
    if (proposals.empty()) break;
    for (const Proposal& one : proposals) seconds.push_back(TwoSketchSeconds(one.state));
  }
  EXPECT_LE(std::ssize(seconds), TwoSketchSpace::kSchedules);
  EXPECT_DOUBLE_EQ(*std::ranges::min_element(seconds), kBestTwoSketchSeconds);
}

TEST_F(MeasuredBeamTest, WhatFailsIsNotGoneOnFrom) {
  int failed = 0, proposed = 0;
  for (int i = 0; i < 6; ++i) {
    for (const Proposal& one : Ask(32, SerialAlone)) {
      ++proposed;
      failed += !SerialAlone(one.state).has_value();
    }
  }
  EXPECT_GT(proposed, 20);
  EXPECT_LT(failed, proposed / 2);
}

}  // namespace
}  // namespace schedulegym
