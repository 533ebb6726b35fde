#include "agents/network/network_episode.h"

#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

TaskCurve CurveOf(const std::vector<double>& ratios) {
  TaskCurve curve;
  for (double ratio : ratios) curve.AddTurn(std::vector{Success(ratio)}, 0, 1);
  return curve;
}

TEST(SlotGainsTest, GainsAreDoublings) {
  const TaskCurve nothing;
  EXPECT_EQ(SlotGain(nothing), 0);
  EXPECT_EQ(SlotsSinceGain(nothing), 0);
  EXPECT_EQ(SpeedOf(nothing), std::nullopt);
  EXPECT_EQ(SlotGain(CurveOf({4})), 2) << "over the reference";
  const TaskCurve curve = CurveOf({4, 8, 1});
  EXPECT_EQ(SlotGain(curve), 0);
  EXPECT_EQ(SlotGain(curve, 1), 1);
  EXPECT_EQ(SlotGain(curve, 2), 2);
  EXPECT_EQ(SlotGain(curve, 3), 0);
  EXPECT_EQ(SlotsSinceGain(curve), 1);
  EXPECT_EQ(SpeedOf(curve), 8);
}

TEST(SlotGainsTest, AFirstSuccessThatIsSlowerThanTheReferenceGainsNothing) {
  const TaskCurve slow = CurveOf({0.25});
  EXPECT_EQ(SlotGain(slow), 0);
  EXPECT_EQ(SlotsSinceGain(slow), 1);
  EXPECT_EQ(SlotGain(CurveOf({0.25, 0.5})), 1);
}

TEST(SlotGainsTest, ASlotThatFindsNothingIsOneWithoutAGain) {
  TaskCurve curve = CurveOf({2});
  curve.Finish();
  EXPECT_EQ(SlotGain(curve), 0);
  EXPECT_EQ(SlotsSinceGain(curve), 1);
}

}  // namespace
}  // namespace schedulegym
