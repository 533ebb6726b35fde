#include "agents/learned/harl/harl_round.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/schedule/loop_structure.h"
#include "tests/agents/learned/harl/small_surface.h"

namespace schedulegym {
namespace {

class HarlRoundTest : public testing::Test {
 protected:
  // `count` different points; later ones are faster.
  std::vector<TrackVisit> Visits(int count) const {
    return surface_.Visits(
        count, [](int step) { return 1.0 + step; }, std::log(2.0));
  }
  std::vector<Proposal> DealAll(HarlRound& round, int count, int random = 0) const {
    return round.proposals.Deal(count, {.random = random}, {}, {});
  }

  SmallSurface surface_;
  FixedSketches space_{surface_.sketches()};
  HarlRoundContext context_{space_, surface_.actions(), surface_.task()};
};

TEST_F(HarlRoundTest, TheBestVisitsComeFirstWithTheirNotes) {
  Rng rng(1);
  HarlRound round = TrackedRound(context_, Visits(40), 4, 0, rng);
  EXPECT_FALSE(round.is_drawn);
  EXPECT_EQ(round.origins.size(), 8U) << "twice as many as asked for";
  const std::vector<Proposal> dealt = DealAll(round, 4);
  ASSERT_EQ(dealt.size(), 4U);
  for (size_t i = 0; i < dealt.size(); ++i) {
    EXPECT_EQ(round.origins.at(dealt[i].key).note,
              "track(step=" + std::to_string(39 - i) + ",gain=2.0)");
  }
}

TEST_F(HarlRoundTest, SomeVisitsAreTakenByChance) {
  Rng rng(1);
  HarlRound round = TrackedRound(context_, Visits(100), 8, 0.5, rng);
  const std::vector<Proposal> dealt = DealAll(round, 8, 4);
  ASSERT_EQ(dealt.size(), 8U);
  for (size_t i = 0; i < dealt.size(); ++i) {
    const Spec note = ParseSpec(round.origins.at(dealt[i].key).note).value();
    const int64_t step = SpecReader(note, "note").RequiredInteger("step");
    if (i < 4) {
      EXPECT_EQ(step, 99 - static_cast<int64_t>(i));
    } else {
      EXPECT_LT(step, 86) << "the best sixteen or so are kept as such";
    }
  }
}

TEST_F(HarlRoundTest, WhatIsDrawnKeepsItsOrderAndItsSketch) {
  std::vector<SketchDraw> draws;
  const KnobSpace& knobs = *surface_.sketches()[0].knobs;
  for (const int i : {5, 3, 5, 9}) draws.push_back({i % 2, knobs.At(knobs.PointOf(i)).value()});
  HarlRound round = DrawnRound(context_, draws);
  EXPECT_TRUE(round.is_drawn);
  const std::vector<Proposal> dealt = DealAll(round, 9);
  ASSERT_EQ(dealt.size(), 3U) << "each once";
  EXPECT_EQ(dealt[0].key, StateKey(draws[0].state));
  EXPECT_EQ(dealt[1].key, StateKey(draws[1].state));
  for (const Proposal& proposal : dealt) {
    const HarlRound::Origin& origin = round.origins.at(proposal.key);
    EXPECT_EQ(origin.sketch, 1);
    EXPECT_EQ(origin.note, "drawn(sketch=1)");
  }
}

TEST_F(HarlRoundTest, WhatTheModelSaysNothingOfIsNotAmongTheBest) {
  std::vector<TrackVisit> visits = Visits(6);
  for (TrackVisit& visit : visits) visit.score.reset();
  Rng rng(1);
  HarlRound round = TrackedRound(context_, visits, 4, 0, rng);
  EXPECT_TRUE(DealAll(round, 4).empty());
}

}  // namespace
}  // namespace schedulegym
