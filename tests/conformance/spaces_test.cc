// Contracts of the sketches of every space: each is a space of knobs whose points can be recovered,
// and open knobs can be completed from any partial point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>

#include "env/gym/tables/table_space.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "spaces/builtin_spaces.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr size_t kMostSketches = 4;  // of a task's sketches: the first and the last ones
constexpr int kPoints = 12;          // for each sketch

struct SpaceCase {
  std::string name;
  std::shared_ptr<const SearchSpace> space;
  std::shared_ptr<const Task> task;

  friend void PrintTo(const SpaceCase& one, std::ostream* out) { *out << one.name; }
};

std::vector<SpaceCase> Cases() {
  std::vector<SpaceCase> cases;
  std::vector<std::string> specs = {"ansor(layout=true)", "schedulegym(tails=false)",
                                    "schedulegym(rows=false)"};
  for (const auto& entry : BuiltinSpaces()) specs.push_back(entry.name);
  for (const std::string& spec : specs) {
    const std::shared_ptr<const SearchSpace> space = MakeSpace(ParseSpec(spec).value());
    int number = 0;
    const Suite smoke = FindSuite("smoke").value();
    for (const SuiteCase& one : smoke.cases) {
      const auto task = TaskOf(MakeWorkload(one.workload), BackendKind::kLlvm);
      std::string name = spec + "_" + std::to_string(++number) + "_" + one.workload.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
      cases.push_back({name, space, task});
    }
  }
  const auto task =
      TaskOf(MakeWorkload(ParseSpec("matmul(m=64,n=64,k=64)").value()), BackendKind::kLlvm);
  for (const auto& table : {MadeGrid(task, 60), MadeTree(task, 60)}) {
    const auto states = std::make_shared<const RecordedStates>(table);
    const bool is_tree = table->tree() != nullptr;
    cases.push_back({is_tree ? "tree" : "grid", MakeTableSearchSpace({states}), task});
  }
  return cases;
}

class SpacesTest : public testing::TestWithParam<SpaceCase> {
 protected:
  std::vector<Sketch> Sketches() const {
    std::vector<Sketch> sketches = GetParam().space->Sketches(GetParam().task);
    if (sketches.size() > kMostSketches) {
      sketches.erase(sketches.begin() + kMostSketches - 1, sketches.end() - 1);
    }
    return sketches;
  }

  // Lengths that divide; random values for all other knobs.
  static KnobPoint Draw(const KnobSpace& knobs, Rng& rng) {
    KnobPoint point;
    for (int i = 0; i < knobs.dimensions(); ++i) {
      point.push_back(rng.Chance(0.5) ? 0 : static_cast<int>(rng.Below(knobs.size_of(i))));
    }
    for (const KnobTile& tile : knobs.tiles()) {
      if (tile.fit != LengthsFit::kDivide) continue;
      const auto ways = WaysOf(tile);
      const std::vector<int>& way = ways[rng.Below(std::ssize(ways))];
      for (size_t i = 0; i < way.size(); ++i) {
        if (tile.knobs[i] >= 0) point[tile.knobs[i]] = way[i];
      }
    }
    return point;
  }

  // Calls `visit` with points that have schedules, the origin first; returns their number.
  template <typename Visit>
  int Wander(const Sketch& sketch, const Visit& visit) const {
    Rng rng(7);
    int count = 0;
    for (int i = 0; i < kPoints; ++i) {
      const KnobPoint point = i == 0 ? sketch.knobs->Origin() : Draw(*sketch.knobs, rng);
      const Result<ScheduleState> state = sketch.knobs->At(point);
      if (!state) continue;
      visit(point, *state);
      ++count;
    }
    return count;
  }

  // If the schedule is a point, it has the fixed lengths.
  static void ExpectLengths(const Sketch& sketch, const OpenPoint& part,
                            const ScheduleState& state) {
    const std::optional<KnobPoint> point = sketch.knobs->PointOf(state);
    if (!point) return;
    for (const KnobTile& tile : sketch.knobs->tiles()) {
      if (tile.fit != LengthsFit::kDivide) continue;  // others may be cut
      for (int knob : tile.knobs) {
        const bool is_fixed = knob >= 0 && part[knob].has_value();
        if (!is_fixed) continue;
        EXPECT_EQ((*point)[knob], *part[knob]) << sketch.knobs->knob(knob).name;
      }
    }
  }

  // The knobs of a point that a caller decides first, those of the outputs.
  static OpenPoint PartOf(const Sketch& sketch, const KnobPoint& point, size_t count) {
    OpenPoint part(point.size());
    const std::vector<int> order = OutputsFirst(sketch);
    for (size_t i = 0; i < count; ++i) part[order[i]] = point[order[i]];
    return part;
  }
};

TEST_P(SpacesTest, SketchesAreAtTheOriginOfTheirKnobs) {
  const std::vector<Sketch> sketches = Sketches();
  ASSERT_FALSE(sketches.empty());
  for (const Sketch& sketch : sketches) {
    ASSERT_NE(sketch.knobs, nullptr);
    const auto origin = sketch.knobs->At(sketch.knobs->Origin());
    ASSERT_TRUE(origin.ok());
    EXPECT_EQ(origin->TraceText(), sketch.state.TraceText());
  }
}

TEST_P(SpacesTest, KnobsSayWhatTheyAre) {
  for (const Sketch& sketch : Sketches()) {
    std::vector<int> order = OutputsFirst(sketch);
    std::vector<int> stages;
    for (int knob : order) {
      const std::optional<int>& stage = sketch.knobs->knob(knob).stage;
      if (stage) stages.push_back(*stage);
    }
    for (int i = 0; i < sketch.knobs->dimensions(); ++i) {
      const Knob& knob = sketch.knobs->knob(i);
      EXPECT_FALSE(knob.name.empty());
      EXPECT_GE(knob.values, 2) << knob.name;
      EXPECT_FALSE(sketch.knobs->MeaningOf(i, knob.values - 1).empty()) << knob.name;
      EXPECT_LT(knob.stage.value_or(0), sketch.state.size()) << knob.name;
    }
    const std::vector<int>& all = sketch.state.order();
    EXPECT_TRUE(std::is_sorted(stages.begin(), stages.end(), [&](int a, int b) {
      return std::find(all.begin(), all.end(), a) > std::find(all.begin(), all.end(), b);
    }));
    std::sort(order.begin(), order.end());
    std::vector<int> each(sketch.knobs->dimensions());
    std::iota(each.begin(), each.end(), 0);
    EXPECT_EQ(order, each);
  }
}

TEST_P(SpacesTest, PointsAreFoundAgain) {
  int points = 0;
  for (const Sketch& sketch : Sketches()) {
    points += Wander(sketch, [&](const KnobPoint& point, const ScheduleState& state) {
      const std::optional<KnobPoint> found = sketch.knobs->PointOf(state);
      ASSERT_TRUE(found.has_value()) << testing::PrintToString(point) << "\n"
                                     << ToText(sketch) << state.TraceText();
      EXPECT_EQ(StateKey(*sketch.knobs->At(*found)), StateKey(state));
    });
  }
  EXPECT_GE(points, 1);
}

TEST_P(SpacesTest, AllOfAPointIsItself) {
  for (const Sketch& sketch : Sketches()) {
    Rng rng(1);
    Wander(sketch, [&](const KnobPoint& point, const ScheduleState& state) {
      const auto same = sketch.knobs->Complete({point.begin(), point.end()}, rng);
      ASSERT_TRUE(same.ok());
      EXPECT_EQ(same->TraceText(), state.TraceText());
    });
  }
}

TEST_P(SpacesTest, NothingAndHalfOfAPointAreCompleted) {
  int asked = 0, completed = 0;
  for (const Sketch& sketch : Sketches()) {
    Rng rng(2);
    Wander(sketch, [&](const KnobPoint& point, const ScheduleState&) {
      for (size_t count : {size_t{0}, point.size() / 2}) {
        const OpenPoint part = PartOf(sketch, point, count);
        const auto state = sketch.knobs->Complete(part, rng);
        ++asked;
        if (!state) {
          EXPECT_FALSE(state.error().message.empty());
          continue;
        }
        ++completed;
        EXPECT_TRUE(ReplayText(GetParam().task, state->TraceText()).ok());
        ExpectLengths(sketch, part, *state);
      }
    });
  }
  EXPECT_GT(completed, 0.8 * asked);
}

TEST_P(SpacesTest, CompletionsFollowTheirSeed) {
  const auto texts = [&] {
    Rng rng(5);
    std::string all;
    for (const Sketch& sketch : Sketches()) {
      Wander(sketch, [&](const KnobPoint& point, const ScheduleState&) {
        const auto state = sketch.knobs->Complete(PartOf(sketch, point, point.size() / 2), rng);
        all += state ? state->TraceText() : state.error().message;
      });
    }
    return all;
  };
  EXPECT_EQ(texts(), texts());
}

// The longest lengths of one tile do not fit together.
TEST_P(SpacesTest, WhatGoesWithNothingIsAnAnswer) {
  for (const Sketch& sketch : Sketches()) {
    Rng rng(3);
    for (const KnobTile& tile : sketch.knobs->tiles()) {
      OpenPoint part(sketch.knobs->dimensions());
      int64_t product = 1;
      for (size_t i = 0; i < tile.knobs.size(); ++i) {
        if (tile.knobs[i] >= 0) part[tile.knobs[i]] = sketch.knobs->size_of(tile.knobs[i]) - 1;
        product *= tile.values[i].back();
      }
      if (tile.fit != LengthsFit::kDivide || tile.extent % product == 0) continue;
      const auto state = sketch.knobs->Complete(part, rng);
      ASSERT_FALSE(state.ok());
      EXPECT_THAT(state.error().message, testing::Not(testing::IsEmpty()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SpacesTest, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace schedulegym
