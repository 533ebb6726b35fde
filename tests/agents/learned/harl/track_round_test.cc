#include "agents/learned/harl/track_round.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "agents/learned/track_plan.h"
#include "tests/agents/learned/harl/small_surface.h"

namespace schedulegym {
namespace {

class TrackRoundTest : public testing::Test {
 protected:
  TrackPolicy Policy(uint64_t seed = 1) const {
    NetworkShape shape;
    shape.inputs = sight_.size();
    shape.heads = tuple_.heads();
    shape.hidden = {32, 32};
    return {RunningNormaliser(sight_.size()), Ppo(shape, {.actor_rate = 0.001}, Rng(seed))};
  }

  TrackRoundReport Run(TrackPolicy& policy, const TrackRoundOptions& options, Rng& rng) const {
    return RunTracks({tuple_, sight_, evaluator_, policy}, options,
                     surface_.Starts(options.live[0], rng), rng);
  }

  // Visits in a round of a new policy, one number each.
  std::vector<double> Visits(TrackRoundOptions options, uint64_t seed = 1) const {
    TrackPolicy policy = Policy();
    Rng rng(seed);
    std::vector<double> numbers;
    for (const TrackVisit& visit : Run(policy, options, rng).visits) {
      numbers.push_back(visit.score.value_or(-1));
      numbers.push_back(static_cast<double>(visit.place.low));
    }
    return numbers;
  }

  SmallSurface surface_;
  ActionTuple tuple_{surface_.actions().Groups()};
  PolicyFeatures sight_{3};
  StateEvaluator evaluator_ = SmallSurface::Evaluate;
};

TEST_F(TrackRoundTest, VisitsAsManySchedulesAsThePlanSays) {
  TrackPolicy policy = Policy();
  Rng rng(1);
  const std::vector<int> live = StoppedTracks(200, {.window = 4, .least = 5});
  const TrackRoundReport report = Run(policy, {.live = live}, rng);
  EXPECT_EQ(report.steps, 200);
  EXPECT_EQ(std::ssize(report.visits), 200 + live[0]) << "and the starts";
  // After every two steps, and at the end.
  EXPECT_EQ(report.lessons, (static_cast<int>(live.size()) + 1) / 2);
  EXPECT_TRUE(report.last_lesson);
  EXPECT_FALSE(report.diverged);
}

TEST_F(TrackRoundTest, VisitsTellWhereTheyAreAndWhatTheStepGained) {
  TrackPolicy policy = Policy();
  Rng rng(1);
  const TrackRoundReport report = Run(policy, {.live = {3, 3}}, rng);
  for (size_t i = 0; i < report.visits.size(); ++i) {
    const TrackVisit& visit = report.visits[i];
    EXPECT_EQ(visit.step, static_cast<int>(i / 3));
    const auto episode = surface_.actions().From(surface_.task(), 0, visit.point).value()->Fork();
    EXPECT_EQ(visit.place, PlaceKey(*episode));
    EXPECT_EQ(visit.score, SmallSurface::SpeedOf(*episode->state()));
    const double before = i < 3 ? *visit.score : *report.visits[i - 3].score;
    EXPECT_NEAR(visit.gain, std::log(*visit.score / before), 1e-12);
  }
}

TEST_F(TrackRoundTest, TheSameSeedVisitsTheSameWhateverTheThreads) {
  TrackRoundOptions options = {.live = SteadyTracks(120, 10)};
  const std::vector<double> once = Visits(options);
  EXPECT_EQ(Visits(options), once);
  EXPECT_NE(Visits(options, 2), once);
  options.threads = 3;
  EXPECT_EQ(Visits(options), once);
}

// After some rounds a step of its actor gains more than a random one, and its visits are faster.
TEST_F(TrackRoundTest, LearnsToClimb) {
  const auto mean = [&](bool acts, TrackReward reward) {
    TrackPolicy policy = Policy();
    Rng rng(7);
    double sum = 0;
    for (int round = 0; round < 16; ++round) {
      const TrackRoundOptions options = {
          .live = SteadyTracks(int64_t{24} * 32, 32), .reward = reward, .acts = acts};
      const TrackRoundReport report = Run(policy, options, rng);
      if (round < 12) continue;
      for (const TrackVisit& visit : report.visits) {
        sum += *visit.score / 4 / static_cast<double>(report.visits.size());
      }
    }
    return sum;
  };
  const double uniform = mean(false, TrackReward::kLogarithm);
  EXPECT_GT(mean(true, TrackReward::kLogarithm), 1.5 * uniform);
  EXPECT_GT(mean(true, TrackReward::kRelative), uniform);
}

TEST_F(TrackRoundTest, WithoutLearningTheNetworkStays) {
  TrackPolicy policy = Policy();
  Rng rng(1);
  const TrackRoundReport report = Run(policy, {.live = SteadyTracks(60, 10), .learns = false}, rng);
  EXPECT_EQ(report.lessons, 0);
  EXPECT_EQ(policy.ppo.actor().steps(), 0);
  EXPECT_EQ(policy.inputs.state().rows, 0);
}

// Two tracks are at one place: one of the two stays, whatever their predicted gains.
TEST_F(TrackRoundTest, OfTracksAtOnePlaceOneGoesOn) {
  TrackPolicy policy = Policy();
  Rng rng(1);
  std::vector<std::unique_ptr<EpisodeState>> starts = surface_.Starts(2, rng);
  ASSERT_NE(starts[0]->point(), starts[1]->point());
  starts.insert(starts.begin() + 1, starts[0]->Fork());
  const std::vector<KnobPoint> points = {starts[0]->point(), starts[2]->point()};
  // The plan starts with two tracks, so that one of three is dropped before any step.
  const TrackRoundReport report =
      RunTracks({tuple_, sight_, evaluator_, policy}, {.live = {2}, .distinct = true},
                std::move(starts), rng);
  EXPECT_EQ(report.steps, 2);
  ASSERT_EQ(report.visits.size(), 5U);
  const auto is_one_step_from = [&](const KnobPoint& from, const KnobPoint& to) {
    const auto episode = surface_.actions().From(surface_.task(), 0, from).value()->Fork();
    const auto target = surface_.actions().From(surface_.task(), 0, to).value()->Fork();
    std::vector<int8_t> actions(static_cast<size_t>(surface_.actions().size()));
    episode->WriteMask(actions);
    for (int tile = 0; tile < tuple_.heads().choices(0); ++tile) {
      for (int unroll = 0; unroll < tuple_.heads().choices(1); ++unroll) {
        const auto moved = episode->Fork();
        tuple_.Act({tile, unroll}, *moved);
        if (moved->point() == target->point()) return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(is_one_step_from(points[0], report.visits[3].point));
  EXPECT_TRUE(is_one_step_from(points[1], report.visits[4].point));
}

TEST_F(TrackRoundTest, AScoreThatIsNotFiniteEndsLearningAndNothingElse) {
  evaluator_ = [](const std::vector<ScheduleState>& states) {
    return std::vector<std::optional<double>>(states.size(),
                                              std::numeric_limits<double>::infinity());
  };
  TrackPolicy policy = Policy();
  Rng rng(1);
  const TrackRoundReport report = Run(policy, {.live = SteadyTracks(60, 10)}, rng);
  EXPECT_TRUE(report.diverged);
  EXPECT_EQ(report.lessons, 1);
  EXPECT_EQ(report.steps, 60);
}

TEST_F(TrackRoundTest, WhatTheModelSaysNothingOfIsALoss) {
  evaluator_ = [](const std::vector<ScheduleState>& states) {
    return std::vector<std::optional<double>>(states.size());
  };
  TrackPolicy policy = Policy();
  Rng rng(1);
  const TrackRoundReport report = Run(policy, {.live = SteadyTracks(60, 10)}, rng);
  EXPECT_FALSE(report.diverged);
  for (const TrackVisit& visit : report.visits) EXPECT_FALSE(visit.score);
}

TEST_F(TrackRoundTest, IsGivenUpWhenAsked) {
  TrackPolicy policy = Policy();
  Rng rng(1);
  const std::atomic<bool> stop = true;
  TrackRoundOptions options = {.live = {3}};
  options.stop = StopToken(&stop);
  EXPECT_THROW(Run(policy, options, rng), Interrupted);
}

}  // namespace
}  // namespace schedulegym
