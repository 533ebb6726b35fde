#include "assembly/processes/offered_schedules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "agents/builtin_agents.h"
#include "tests/agents/grid_space.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;

Offer PointAt(std::vector<std::optional<int64_t>> point, int64_t sketch = 0) {
  return {PointOffer{sketch, std::move(point)}};
}

class OfferedSchedulesTest : public testing::Test {
 protected:
  OfferedSchedulesTest() {
    setup_.tasks.push_back({GridTask()});
    space_.has_sketch = true;
  }

  OfferedSchedules& Search() {
    if (!search_) {
      search_ = std::make_unique<OfferedSchedules>(
          AgentContext{setup_, space_, Rng(1), maker_, clock_, StopToken(&stop_)}, 0, Rng(3));
    }
    return *search_;
  }
  std::vector<GridPlace> Take(const std::vector<Offer>& offers) {
    proposals_ = Search().Take(offers);
    std::vector<GridPlace> places;
    for (const Proposal& proposal : proposals_) places.push_back(PlaceOf(proposal.state));
    return places;
  }
  // The reason for rejecting the offer.
  std::string RefusalOf(const Offer& offer) {
    EXPECT_THAT(Take({offer}), IsEmpty());
    return Search().LastRefusal();
  }
  // Reports success for all proposals.
  std::vector<LineTrial> Tell() {
    std::vector<Trial> trials;
    for (const Proposal& proposal : proposals_) trials.push_back(TimedTrial(proposal, 1.0));
    std::vector<LineTrial> told;
    Search().Tell(trials, told);
    return told;
  }

  AgentSetup setup_;
  GridSpace space_{3};
  const AgentMaker maker_ = BuiltinAgentMaker();
  const FakeClock clock_;
  std::atomic<bool> stop_ = false;
  std::unique_ptr<OfferedSchedules> search_;
  std::vector<Proposal> proposals_;
};

TEST_F(OfferedSchedulesTest, PointsBecomeSchedulesInTheirOrder) {
  EXPECT_THAT(Take({PointAt({2, 1}), PointAt({0, 0})}),
              ElementsAre(GridPlace{2, 1}, GridPlace{0, 0}));
  EXPECT_EQ(proposals_[0].key, ProposalOf(GridState(GridTask(), {2, 1})).key);
  EXPECT_EQ(Search().LastRefusal(), "");
}

TEST_F(OfferedSchedulesTest, OpenKnobsAreDrawnUntilTheyAreNew) {
  Take({PointAt({1, 0}), PointAt({1, 1})});
  EXPECT_THAT(Take({PointAt({1, std::nullopt})}), ElementsAre(GridPlace{1, 2}));
  EXPECT_EQ(RefusalOf(PointAt({1, std::nullopt})),
            "proposals[0].point: it was proposed or measured before");
}

TEST_F(OfferedSchedulesTest, PointsThatAreNoneAreRefusedByField) {
  EXPECT_EQ(RefusalOf(PointAt({0, 0}, 1)), "proposals[0].sketch: found 1, expected 0 to 0");
  EXPECT_EQ(RefusalOf(PointAt({0})), "proposals[0].point: found 1 values, expected 2");
  EXPECT_EQ(RefusalOf(PointAt({0, 3})), "proposals[0].point[1]: found 3, expected 0 to 2 (y)");
  space_.admits = [](const GridPlace& place) { return place.x != 1; };
  EXPECT_EQ(RefusalOf(PointAt({1, 1})), "proposals[0].point: as the test says");
}

TEST_F(OfferedSchedulesTest, ASpaceWithoutSketchesHasNoPoints) {
  space_.has_sketch = false;
  EXPECT_EQ(RefusalOf(PointAt({0, 0})),
            "proposals[0].sketch: the space has none, expected another form");
}

TEST_F(OfferedSchedulesTest, NothingIsGivenTwice) {
  EXPECT_THAT(Take({PointAt({2, 1}), PointAt({2, 1})}), ElementsAre(GridPlace{2, 1}));
  EXPECT_EQ(Search().LastRefusal(), "proposals[1].point: it was proposed or measured before");
  const std::vector<GridPlace> drawn = Take({{SampleOffer{8}}});
  EXPECT_EQ(drawn.size(), 8U);
  EXPECT_THAT(drawn, testing::Not(testing::Contains(GridPlace{2, 1})));
}

TEST_F(OfferedSchedulesTest, DrawsEndWhereNothingIsLeft) {
  EXPECT_EQ(Take({{SampleOffer{20}}}).size(), 9U);
  EXPECT_TRUE(Search().is_exhausted());
  EXPECT_EQ(Search().LastRefusal(), "proposals[0].sample: found nothing new that is left");
  Take({PointAt({0, 0})});
  EXPECT_FALSE(Search().is_exhausted()) << "it is of the last answer";
}

TEST_F(OfferedSchedulesTest, NeighboursAreOfWhatWasTold) {
  Take({PointAt({0, 0})});
  const Key key = proposals_[0].key;
  Tell();
  EXPECT_THAT(Take({{MutateOffer{key}}}), ElementsAre(AnyOf(GridPlace{0, 1}, GridPlace{1, 0})));
  EXPECT_THAT(Take({{MutateOffer{key}}, {MutateOffer{key}}}), testing::SizeIs(1));
  EXPECT_EQ(Search().LastRefusal(),
            "proposals[1].mutate: found no new neighbour of " + key.ToText());
  EXPECT_EQ(RefusalOf({MutateOffer{Key{1, 2}}}),
            "proposals[0].mutate: found 00000000000000010000000000000002, expected a key that was "
            "told");
}

TEST_F(OfferedSchedulesTest, TracesAreReplayed) {
  EXPECT_THAT(Take({{TraceOffer{GridState(GridTask(), {1, 2}).TraceText()}, "walk(step=1)"}}),
              ElementsAre(GridPlace{1, 2}));
  EXPECT_EQ(proposals_[0].note, "walk(step=1)");
  EXPECT_THAT(RefusalOf({TraceOffer{"trace 1\nfly()\n"}}),
              testing::StartsWith("proposals[0].trace: "));
}

TEST_F(OfferedSchedulesTest, WhatBecameOfAnAnswerIsToldInItsOrder) {
  Take({PointAt({9, 9}), PointAt({2, 1}), PointAt({2, 1}), {SampleOffer{2}}, PointAt({0})});
  ASSERT_EQ(proposals_.size(), 3U);
  const std::vector<LineTrial> told = Tell();
  std::vector<int> positions;
  std::vector<bool> refused;
  for (const LineTrial& trial : told) {
    positions.push_back(trial.proposal.value());
    refused.push_back(std::holds_alternative<Refusal>(trial.what));
  }
  EXPECT_THAT(positions, ElementsAre(0, 1, 2, 3, 3, 4));
  EXPECT_THAT(refused, ElementsAre(true, false, true, false, false, true));
  EXPECT_EQ(std::get<Refusal>(told[0].what).field, "point[0]");
  const auto& own = std::get<ReportedSchedule>(told[1].what);
  EXPECT_THAT(own.place->point, ElementsAre(2, 1));
  EXPECT_TRUE(std::get<ReportedSchedule>(told[3].what).place.has_value())
      << "read off the schedule";
  EXPECT_THAT(Tell(), testing::SizeIs(3)) << "refusals are told once";
}

TEST_F(OfferedSchedulesTest, RefusalsAloneAreTold) {
  Take({PointAt({9, 9})});
  const std::vector<LineTrial> told = Tell();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(std::get<Refusal>(told[0].what).reason, "found 9, expected 0 to 2 (x)");
}

TEST_F(OfferedSchedulesTest, WhatOthersFoundIsToldWithoutTouchingTheAnswer) {
  Take({PointAt({9, 9}), PointAt({2, 1})});
  const Trial known = KnownTrial(GridState(GridTask(), {1, 1}), 2.0);
  std::vector<LineTrial> told;
  Search().Tell({&known, 1}, told);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].proposal, std::nullopt);
  EXPECT_THAT(std::get<ReportedSchedule>(told[0].what).place->point, ElementsAre(1, 1));
  EXPECT_THAT(Tell(), testing::SizeIs(2));
  EXPECT_EQ(RefusalOf(PointAt({1, 1})), "proposals[0].point: it was proposed or measured before");
}

// A failure of the machine gives no result to learn from.
TEST_F(OfferedSchedulesTest, WhatSaidNothingMayComeAgain) {
  Take({PointAt({2, 1})});
  Trial trial = TimedTrial(proposals_[0], 1.0);
  trial.told = TrialStatus::kSaysNothing;
  std::vector<LineTrial> told;
  Search().Tell({&trial, 1}, told);
  EXPECT_THAT(Take({PointAt({2, 1})}), ElementsAre(GridPlace{2, 1}));
}

TEST_F(OfferedSchedulesTest, LongWorkEndsWithTheSearch) {
  Search().sketches();
  stop_ = true;
  EXPECT_THROW(Take({{SampleOffer{1}}}), Interrupted);
  EXPECT_THROW(Take({PointAt({0, 0})}), Interrupted);
}

}  // namespace
}  // namespace schedulegym
