#include "agents/droplet/descent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/schedule/loop_structure.h"
#include "tests/agents/timed_record.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Proposes the points of a script, round by round, and keeps the results.
class ScriptedSearch : public KnobSearch {
 public:
  explicit ScriptedSearch(std::vector<std::vector<KnobPoint>> rounds,
                          std::vector<std::vector<double>>& told)
      : rounds_(std::move(rounds)), told_(told) {}

  std::vector<KnobPoint> Next(int) override {
    return next_ < rounds_.size() ? rounds_[next_++] : std::vector<KnobPoint>();
  }
  void Tell(std::span<const std::optional<Timing>> results) override {
    told_.emplace_back();
    for (const auto& one : results) told_.back().push_back(one ? one->seconds : -1);
  }

 private:
  std::vector<std::vector<KnobPoint>> rounds_;
  std::vector<std::vector<double>>& told_;
  size_t next_ = 0;
};

class DescentTest : public testing::Test {
 protected:
  // Lengths 1, 2, 3, and a second knob that is valid only at 0.
  DescentTest() {
    const auto task = std::make_shared<const Task>(
        Task{DagOf("input X[24]\nY[i:24] = X[i] + 1\n"), Target{}, "vector"});
    space_ = std::make_shared<const KnobSpace>(
        task, std::vector<TraceSegment>{
                  OpenLengths{"Y", {{1}, 0, {1}}, 24, LengthsFit::kAny, {{1, 2, 3}}},
                  Variants{"bad", {{}, {Unroll{{1}, 9}}}}});
  }

  Descent Make(std::vector<std::vector<KnobPoint>> rounds, Descent::Repeats repeats) {
    return {space_, std::make_unique<ScriptedSearch>(std::move(rounds), told_), repeats};
  }

  // Returns the proposed lengths; each then takes as many seconds.
  std::vector<int64_t> Round(Descent& descent, int count = 8) {
    std::vector<int64_t> lengths;
    for (const Proposal& one : descent.Propose(count, known_)) {
      lengths.push_back(LengthOf(one));
      known_[one.key] = TimingOf(static_cast<double>(lengths.back()));
    }
    return lengths;
  }

  static int64_t LengthOf(const Proposal& proposal) {
    return std::get<Split>(proposal.state.step(0)).lengths[0];
  }

  std::shared_ptr<const KnobSpace> space_;
  std::vector<std::vector<double>> told_;
  KnownTimings known_;
};

TEST_F(DescentTest, TellsTheSearchWhatBecameOfItsPoints) {
  Descent descent = Make({{{0, 0}, {2, 0}}, {{1, 0}}}, Descent::Repeats::kNever);
  EXPECT_THAT(Round(descent), ElementsAre(1, 3));
  EXPECT_THAT(Round(descent), ElementsAre(2));
  EXPECT_THAT(Round(descent), ElementsAre());
  EXPECT_THAT(told_, ElementsAre(ElementsAre(1, 3), ElementsAre(2)));
}

TEST_F(DescentTest, WhatIsKnownIsTakenAsItIs) {
  known_[StateKey(*space_->At({2, 0}))] = TimingOf(7);
  Descent descent = Make({{{2, 0}}, {{0, 0}, {2, 0}}, {{0, 0}}}, Descent::Repeats::kNever);
  EXPECT_THAT(Round(descent), ElementsAre(1));
  EXPECT_THAT(Round(descent), ElementsAre());
  EXPECT_THAT(told_, ElementsAre(ElementsAre(7), ElementsAre(1, 7), ElementsAre(1)));
}

TEST_F(DescentTest, OrMeasuredAgainEveryTime) {
  known_[StateKey(*space_->At({2, 0}))] = TimingOf(7);
  Descent descent = Make({{{2, 0}}, {{2, 0}}}, Descent::Repeats::kAlways);
  EXPECT_THAT(Round(descent), ElementsAre(3));
  EXPECT_THAT(Round(descent), ElementsAre(3));
  Round(descent);
  EXPECT_THAT(told_, ElementsAre(ElementsAre(3), ElementsAre(3)));
}

TEST_F(DescentTest, WhatWasLostCountsAsAFailure) {
  known_[StateKey(*space_->At({2, 0}))] = TimingOf(7);
  Descent descent = Make({{{2, 0}}}, Descent::Repeats::kAlways);
  EXPECT_EQ(descent.Propose(8, known_).size(), 1u);
  EXPECT_TRUE(descent.Propose(8, known_).empty());
  EXPECT_THAT(told_, ElementsAre(ElementsAre(-1)));
}

TEST_F(DescentTest, WhatToldNothingIsProposedAgainAfterTheOthers) {
  Descent descent = Make({{{0, 0}, {1, 0}}}, Descent::Repeats::kNever);
  const std::vector<Proposal> first = descent.Propose(1, known_);
  descent.TryAgain({0, first[0].state, first[0].key, TrialStatus::kSaysNothing, nullptr});
  EXPECT_THAT(Round(descent), ElementsAre(2, 1));
  EXPECT_THAT(Round(descent), ElementsAre());
  EXPECT_THAT(told_, ElementsAre(ElementsAre(1, 2)));
}

TEST_F(DescentTest, AMachineThatNeverAnswersIsNotAskedForever) {
  Descent descent = Make({{{0, 0}}, {{1, 0}}}, Descent::Repeats::kNever);
  std::vector<int64_t> lengths;
  Key key;
  for (int i = 0; i < 3; ++i) {
    const std::vector<Proposal> proposals = descent.Propose(8, known_);
    ASSERT_EQ(proposals.size(), 1u);
    lengths.push_back(LengthOf(proposals[0]));
    key = proposals[0].key;
    descent.TryAgain({0, proposals[0].state, key, TrialStatus::kNotReached, nullptr});
  }
  EXPECT_THAT(lengths, ElementsAre(1, 1, 1));
  EXPECT_THAT(Round(descent), ElementsAre(2));
  EXPECT_THAT(told_, ElementsAre(ElementsAre(-1)));
  EXPECT_FALSE(known_.contains(key)) << "no bad point, for nothing is known of it";
}

TEST_F(DescentTest, WhatIsNoScheduleIsAFailureThatCostsNothing) {
  Descent descent = Make({{{0, 1}, {1, 0}}, {{0, 1}}, {{0, 0}}}, Descent::Repeats::kAlways);
  EXPECT_THAT(Round(descent), ElementsAre(2));
  EXPECT_THAT(Round(descent), ElementsAre(1));
  Round(descent);
  EXPECT_THAT(told_, ElementsAre(ElementsAre(-1, 2), ElementsAre(-1), ElementsAre(1)));
}

TEST_F(DescentTest, ALongAnswerIsProposedInParts) {
  Descent descent = Make({{{0, 0}, {1, 0}, {2, 0}}}, Descent::Repeats::kNever);
  EXPECT_THAT(Round(descent, 2), ElementsAre(1, 2));
  EXPECT_THAT(Round(descent, 2), ElementsAre(3));
  EXPECT_TRUE(told_.empty()) << "the answer was not measured whole";
  Round(descent, 2);
  EXPECT_THAT(told_, ElementsAre(ElementsAre(1, 2, 3)));
}

TEST(SizesOfTest, AreThoseOfTheKnobs) {
  const auto task = std::make_shared<const Task>(
      Task{DagOf("input X[24]\nY[i:24] = X[i] + 1\n"), Target{}, "vector"});
  const std::vector<Trace> three(3);
  EXPECT_THAT(SizesOf(KnobSpace(
                  task, {Variants{"a", {{}}}, Variants{"b", three}, Variants{"c", {{}, {}}}})),
              ElementsAre(3, 2));
}

}  // namespace
}  // namespace schedulegym
