#include "agents/plan/synthesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/agents/surface_space.h"

namespace schedulegym {
namespace {

class SynthesisTest : public testing::Test {
 protected:
  std::shared_ptr<const Task> task_ = SurfaceTask();
  SurfaceSpace space_{task_};
  std::shared_ptr<const KnobField> field_ =
      std::make_shared<const KnobField>(space_, task_, "agent test");

  // Four distant places, four times each.
  static std::vector<ScoredPlace> Groups() {
    std::vector<ScoredPlace> places;
    for (int i = 0; i < 16; ++i) {
      const int far = i % 4 < 2 ? 0 : 15, other = i % 2 == 0 ? 0 : 15;
      places.push_back({1.0 - i / 100.0, {0, {far, other, 7, 7}}});
    }
    return places;
  }
};

TEST_F(SynthesisTest, WithoutItThePlaceNearestToEachCentreIsMeasured) {
  const SynthesisOptions options = {.clusters = {.step = 4}, .synthesis = Synthesis::kNone};
  const ChosenPlaces chosen = ClusterChooser(field_, options, Rng(1))(Groups(), 16);
  ASSERT_TRUE(chosen.length);
  std::set<FieldPlace> known;
  for (const ScoredPlace& one : Groups()) known.insert(one.place);
  for (const ScoredPlace& one : chosen.order) EXPECT_TRUE(known.contains(one.place));
  EXPECT_EQ(*chosen.length, 4);
  std::set<std::pair<int, int>> corners;
  for (int i = 0; i < 4; ++i) {
    corners.emplace(chosen.order[i].place.point[0], chosen.order[i].place.point[1]);
  }
  EXPECT_EQ(corners.size(), 4u);
}

// The two largest knobs are the first two; each other knob has a value that occurs.
TEST_F(SynthesisTest, PublishedPlacesHaveTheCentreAndValuesOfAll) {
  const SynthesisOptions options = {
      .clusters = {.improved = false}, .synthesis = Synthesis::kSample, .clusters_all = false};
  const ChosenPlaces chosen = ClusterChooser(field_, options, Rng(1))(Groups(), 16);
  ASSERT_TRUE(chosen.length);
  for (int i = 0; i < *chosen.length; ++i) {
    const KnobPoint& point = chosen.order[i].place.point;
    EXPECT_EQ(point[2], 7);
    EXPECT_EQ(point[3], 7);
    EXPECT_TRUE(space_.knobs().Contains(point));
  }
}

TEST_F(SynthesisTest, NothingFoundIsNothingChosen) {
  EXPECT_TRUE(ClusterChooser(field_, {}, Rng(1))({}, 16).order.empty());
}

}  // namespace
}  // namespace schedulegym
