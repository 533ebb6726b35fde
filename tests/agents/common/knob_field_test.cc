#include "agents/common/knob_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/gym/tables/table_space.h"
#include "spaces/builtin_spaces.h"
#include "tests/agents/grid_space.h"
#include "tests/agents/split_space.h"
#include "tests/agents/surface_space.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// One loop of the extent, split into three levels, and another knob.
class TileSpace : public SearchSpace {
 public:
  TileSpace(std::shared_ptr<const Task> task, std::vector<std::vector<int64_t>> values) {
    OpenLengths open{"tile", Split{{task->dag.outputs().back()}, 0, {1, 1}}, 64,
                     LengthsFit::kDivide, std::move(values)};
    const StageRef stage = {task->dag.outputs().back()};
    Variants unroll{"unroll",
                    {{},
                     {Pragma{stage, "auto_unroll_max_step", 16}},
                     {Pragma{stage, "auto_unroll_max_step", 64}}},
                    KnobKind::kUnroll};
    unroll.meanings = {"0", "16", "64"};
    knobs_ = std::make_shared<const KnobSpace>(task, std::vector<TraceSegment>{open, unroll});
  }

  std::string Name() const override { return "tile"; }
  Result<ScheduleState> Sample(const std::shared_ptr<const Task>&, Rng& rng) const override {
    return knobs_->Complete({}, rng);
  }
  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    return Sample(state.shared_task(), rng);
  }
  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>&) const override {
    return {{knobs_->At(knobs_->Origin()).value(), {"tile"}, knobs_}};
  }

 private:
  std::shared_ptr<const KnobSpace> knobs_;
};

class KnobFieldTest : public testing::Test {
 protected:
  static std::vector<std::vector<int64_t>> Powers() {
    return {{1, 2, 4, 8, 16, 32, 64}, {1, 2, 4, 8, 16, 32, 64}};
  }
  static std::vector<KnobPoint> PointsOf(const std::vector<FieldPlace>& places) {
    std::vector<KnobPoint> points;
    for (const FieldPlace& place : places) points.push_back(place.point);
    return points;
  }

  std::shared_ptr<const Task> task_ = GridTask();
  TileSpace space_{task_, Powers()};
  KnobField field_{space_, task_, "agent test"};
};

// Two lengths whose product divides 2^6: 7 + 6 + ... + 1 ways.
TEST_F(KnobFieldTest, LengthsOfATileAreOneDecision) {
  EXPECT_EQ(field_.size(), 28 * 3);
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const FieldPlace place = field_.Draw(rng).value();
    EXPECT_LE(place.point[0] + place.point[1], 6);
    const FieldPlace next = field_.Redrawn(place, rng).value();
    EXPECT_LE(next.point[0] + next.point[1], 6);
    EXPECT_NE(next, place);
    EXPECT_TRUE(next.point[2] == place.point[2] ||
                (next.point[0] == place.point[0] && next.point[1] == place.point[1]));
  }
}

// From (1, 1, 64) only the outermost level has factors to move. Each of the 12 ways to move a
// factor of 2 to 64 to one of the other levels is found, and nothing else.
TEST_F(KnobFieldTest, MutationsOfATileCarryOneFactor) {
  EXPECT_TRUE(field_.HasKind(0, KnobKind::kTile));
  EXPECT_TRUE(field_.HasKind(0, KnobKind::kUnroll));
  EXPECT_FALSE(field_.HasKind(0, KnobKind::kLocation));
  Rng rng(1);
  std::set<KnobPoint> found;
  for (int i = 0; i < 400; ++i) {
    found.insert(field_.Mutated(field_.Origin(0), KnobKind::kTile, rng)->point);
  }
  std::set<KnobPoint> expected;
  for (int power = 1; power <= 6; ++power) {
    expected.insert({power, 0, 0});
    expected.insert({0, power, 0});
  }
  EXPECT_EQ(found, expected);
}

TEST_F(KnobFieldTest, MutationsOfOtherKindsDrawAnotherValue) {
  Rng rng(1);
  std::set<KnobPoint> found;
  for (int i = 0; i < 50; ++i) {
    found.insert(field_.Mutated({0, {1, 2, 1}}, KnobKind::kUnroll, rng)->point);
  }
  EXPECT_EQ(found, (std::set<KnobPoint>{{1, 2, 0}, {1, 2, 2}}));
  EXPECT_FALSE(field_.Mutated({0, {1, 2, 1}}, KnobKind::kLocation, rng));
}

TEST_F(KnobFieldTest, PositionsNameEachPlaceOnce) {
  std::set<FieldPlace> places;
  for (int i = 0; i < 28 * 3; ++i) places.insert(field_.PlaceAt(i));
  EXPECT_EQ(places.size(), 28u * 3);
}

TEST_F(KnobFieldTest, StepsMoveKnobsThatAreNoTiles) {
  EXPECT_THAT(PointsOf(field_.Steps({0, {2, 1, 0}})), ElementsAre(KnobPoint{2, 1, 1}));
  EXPECT_THAT(PointsOf(field_.Steps({0, {2, 1, 1}})),
              UnorderedElementsAre(KnobPoint{2, 1, 0}, KnobPoint{2, 1, 2}));
}

// Levels 16, 4, 1: from each level above 1 to each other level.
TEST_F(KnobFieldTest, FactorsMoveBetweenLevels) {
  EXPECT_THAT(PointsOf(field_.FactorMoves({0, {2, 0, 0}})),
              UnorderedElementsAre(KnobPoint{3, 0, 0}, KnobPoint{2, 1, 0}, KnobPoint{1, 0, 0},
                                   KnobPoint{1, 1, 0}));
}

// The smallest factor of 64 among the thinned values: 4 for the first, 64 for the second.
TEST_F(KnobFieldTest, FactorsAreThoseThatValuesAllow) {
  const TileSpace thinned(task_, {{1, 4, 16}, {1, 64}});
  const KnobField field(thinned, task_, "agent test");
  EXPECT_THAT(PointsOf(field.FactorMoves({0, {0, 0, 0}})),
              UnorderedElementsAre(KnobPoint{1, 0, 0}, KnobPoint{0, 1, 0}));
}

TEST(KnobFieldDivisorTest, RaisesToTheNextDivisorUntilItStays) {
  const auto task = std::make_shared<const Task>(
      Task{DagOf("input X[12]\nY[i:12] = X[i] + 1\n"), Target{}, "twelve"});
  const StageRef stage = {task->dag.outputs().back()};
  const OpenLengths open{
      "tile", Split{stage, 0, {1}}, 12, LengthsFit::kDivide, {{1, 2, 3, 4, 6, 12}}};
  class OneTile : public SplitSpace {
   public:
    OneTile(const std::shared_ptr<const Task>& task, const OpenLengths& open)
        : knobs_(std::make_shared<const KnobSpace>(task, std::vector<TraceSegment>{open})) {}
    std::vector<Sketch> Sketches(const std::shared_ptr<const Task>&) const override {
      return {{knobs_->At(knobs_->Origin()).value(), {"tile"}, knobs_}};
    }

   private:
    std::shared_ptr<const KnobSpace> knobs_;
  };
  const OneTile space(task, open);
  const KnobField field(space, task, "agent test");
  // (2, 6) by the outer level: (3, 4), (4, 3), (6, 2), (12, 1).
  FieldPlace place{0, {4}};
  std::vector<int> inner;
  while (true) {
    std::vector<FieldPlace> moves = field.DivisorMoves(place);
    std::erase_if(moves, [&](const FieldPlace& one) { return one.point > place.point; });
    if (moves.empty()) break;
    ASSERT_EQ(moves.size(), 1u);
    place = moves[0];
    inner.push_back(place.point[0]);
  }
  EXPECT_THAT(inner, ElementsAre(3, 2, 1, 0));
}

// Position over the last, and log2(1 + value): lengths 4 of 1..64, 1; unroll 16 of 0, 16, 64.
TEST_F(KnobFieldTest, RowsHaveEachKnobTwice) {
  const std::vector<float> row = field_.Row({0, {2, 0, 1}});
  ASSERT_EQ(row.size(), 16u + 6);
  EXPECT_EQ(row[0], 1);
  EXPECT_EQ(row[1], 0);
  const int first = field_.ColumnOf(0, 0);
  EXPECT_FLOAT_EQ(row[first], 2.0F / 6);
  EXPECT_FLOAT_EQ(row[first + 1], 2.3219281F);
  EXPECT_FLOAT_EQ(row[first + 2], 0);
  EXPECT_FLOAT_EQ(row[first + 3], 1);
  EXPECT_FLOAT_EQ(row[first + 4], 0.5F);
  EXPECT_FLOAT_EQ(row[first + 5], 4.0874629F);
}

TEST_F(KnobFieldTest, AStateLeadsBackToItsPlace) {
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const FieldPlace place = field_.Draw(rng).value();
    const Result<ScheduleState> state = field_.State(place);
    ASSERT_TRUE(state.ok());
    const std::optional<FieldPlace> found = field_.PlaceOf(*state);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(StateKey(field_.State(*found).value()), StateKey(*state));
  }
}

TEST(KnobFieldTableTest, ATableHasPlacesWhereItHasRows) {
  const auto task =
      TaskOf("input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n");
  for (const bool is_tree : {false, true}) {
    const auto states =
        std::make_shared<const RecordedStates>(is_tree ? MadeTree(task, 80) : MadeGrid(task, 80));
    const auto space = MakeTableSearchSpace({states});
    const KnobField field(*space, task, "agent test");
    Rng rng(1);
    int moves = 0;
    for (int i = 0; i < 50; ++i) {
      const std::optional<FieldPlace> place = field.Draw(rng);
      if (!place) continue;
      EXPECT_TRUE(states->Find(field.State(*place).value()).has_value());
      const std::optional<FieldPlace> next = field.Redrawn(*place, rng);
      if (!next) continue;
      EXPECT_TRUE(states->Find(field.State(*next).value()).has_value());
      ++moves;
    }
    EXPECT_GT(moves, 10);
  }
}

TEST(KnobFieldSpacesTest, DrawsAreSchedulesInEverySpace) {
  const auto task =
      TaskOf("input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n");
  for (const auto& entry : BuiltinSpaces()) {
    const auto space = MakeSpace(Spec{entry.name, {}});
    const KnobField field(*space, task, "agent test");
    Rng rng(1);
    int schedules = 0;
    for (int i = 0; i < 50; ++i) {
      const FieldPlace place = field.Draw(rng).value();
      schedules += field.State(place).ok() ? 1 : 0;
      EXPECT_EQ(std::ssize(field.Row(place)), field.columns());
    }
    EXPECT_GT(schedules, 25) << entry.name;
  }
}

TEST(KnobFieldSpacesTest, ASpaceWithoutSketchesIsRefused) {
  EXPECT_THROW(KnobField(SplitSpace(), GridTask(), "agent test"), InputError);
}

}  // namespace
}  // namespace schedulegym
