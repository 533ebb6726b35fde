#include "agents/learned/harl/track_starts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "env/schedule/loop_structure.h"
#include "tests/agents/learned/harl/small_surface.h"

namespace schedulegym {
namespace {

class TrackStartsTest : public testing::Test {
 protected:
  TrackStartsTest() {
    const auto unroll = Primitive(Pragma{{1}, "auto_unroll_max_step", 16});
    sketches_ = {SplitSketch(task_, 3), With(SplitSketch(task_, 2), KnobKind::kUnroll, {unroll})};
    actions_ = MakeModifySpace("modify", FixedSketches(sketches_), {task_});
    for (const int64_t length : {4, 6, 8}) {
      measured_.push_back({At(1, length), {}, 1e-3});
    }
    for (const MeasuredState& each : measured_) ranked_.push_back(&each);
  }

  ScheduleState At(int sketch, int64_t length) const {
    const KnobSpace& knobs = *sketches_[static_cast<size_t>(sketch)].knobs;
    for (KnobIndex i = 0; i < knobs.size(); ++i) {
      const ScheduleState state = knobs.At(knobs.PointOf(i)).value();
      const Trace trace = state.trace();
      if (std::get<Split>(trace.at(0)).lengths.back() == length) return state;
    }
    throw std::logic_error("no such length");
  }

  std::shared_ptr<const Task> task_ = Loop24Task();
  std::vector<Sketch> sketches_;
  std::unique_ptr<ActionSpace> actions_;
  std::vector<MeasuredState> measured_;
  std::vector<const MeasuredState*> ranked_;
};

TEST_F(TrackStartsTest, AreOfTheSketch) {
  TrackStarts starts(task_, sketches_, *actions_);
  Rng rng(1);
  for (int sketch = 0; sketch < 2; ++sketch) {
    std::set<KnobPoint> points;
    const auto episodes = starts.Make({sketch}, 20, 0, {}, rng);
    ASSERT_EQ(episodes.size(), 20U);
    for (const auto& episode : episodes) {
      EXPECT_EQ(episode->sketch(), sketch);
      points.insert(episode->point());
    }
    EXPECT_GT(points.size(), 5U) << "drawn";
  }
}

TEST_F(TrackStartsTest, AShareBeginsAtTheBestMeasured) {
  TrackStarts starts(task_, sketches_, *actions_);
  Rng rng(1);
  const auto episodes = starts.Make({1}, 10, 0.2, ranked_, rng);
  ASSERT_EQ(episodes.size(), 10U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(StateKey(*episodes[i]->state()), StateKey(measured_[i].state)) << i;
  }
}

TEST_F(TrackStartsTest, OfAnotherSketchNothingMeasuredIsTaken) {
  TrackStarts starts(task_, sketches_, *actions_);
  Rng rng(1), same(1);
  const auto with = starts.Make({0}, 10, 0.5, ranked_, rng);
  const auto without = starts.Make({0}, 10, 0, {}, same);
  // A split into two is a split into three whose third is whole.
  for (const auto& episode : with) EXPECT_EQ(episode->sketch(), 0);
  EXPECT_EQ(with.size(), without.size());
}

TEST_F(TrackStartsTest, SketchesHaveEqualParts) {
  TrackStarts starts(task_, sketches_, *actions_);
  Rng rng(1);
  const auto episodes = starts.Make({1, 0}, 7, 0.5, ranked_, rng);
  ASSERT_EQ(episodes.size(), 7U);
  for (size_t i = 0; i < episodes.size(); ++i) EXPECT_EQ(episodes[i]->sketch(), i < 4 ? 1 : 0);
  EXPECT_EQ(StateKey(*episodes[0]->state()), StateKey(measured_[0].state)) << "half of each part";
}

// The cost of a round does not depend on it.
TEST_F(TrackStartsTest, WhereASketchHasNoStartsThoseOfOthersBeginTwice) {
  const auto no_loop = [](int64_t length) { return Primitive(Split{{1}, 9, {length}}); };
  const Variants illegal = {"A: odd", {{no_loop(2)}, {no_loop(3)}}, KnobKind::kUnroll, 1};
  const std::vector<TraceSegment> segments = {SplitOf(0, 2), illegal};
  const Sketch hopeless = {
      sketches_[0].state, {}, std::make_shared<const KnobSpace>(task_, segments)};
  const auto actions = MakeModifySpace("modify", FixedSketches({sketches_[0]}), {task_});
  TrackStarts starts(task_, {sketches_[0], hopeless}, *actions);
  Rng rng(1);
  EXPECT_EQ(starts.Make({1, 0}, 9, 0, {}, rng).size(), 9U);
  EXPECT_TRUE(starts.Make({1}, 9, 0, {}, rng).empty());
}

TEST_F(TrackStartsTest, DrawsAreOfTheSketchesInTurn) {
  const TrackStarts starts(task_, sketches_, *actions_);
  Rng rng(1), same(1);
  const std::vector<SketchDraw> draws = starts.Draw({1, 0}, 6, rng);
  ASSERT_EQ(draws.size(), 6U);
  for (size_t i = 0; i < draws.size(); ++i) {
    EXPECT_EQ(draws[i].sketch, i % 2 == 0 ? 1 : 0);
    const auto& knobs = *sketches_[static_cast<size_t>(draws[i].sketch)].knobs;
    EXPECT_TRUE(knobs.PointOf(draws[i].state));
  }
  for (const SketchDraw& draw : starts.Draw({1}, 5, same)) EXPECT_EQ(draw.sketch, 1);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(starts.Draw({0}, 1, rng, StopToken(&stop)), Interrupted);
}

TEST_F(TrackStartsTest, TheSameSeedStartsTheSame) {
  TrackStarts starts(task_, sketches_, *actions_);
  Rng a(3), b(3);
  const auto first = starts.Make({0}, 10, 0, {}, a), second = starts.Make({0}, 10, 0, {}, b);
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(first[i]->point(), second[i]->point());
}

}  // namespace
}  // namespace schedulegym
