#include "agents/schedulers/simulation/recorded_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/schedulers/simulation/made_curves.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CurvesByTaskTest, CurvesOfATaskStandTogetherInTheirOrder) {
  const std::vector<RecordedCurve> curves = {
      MadeCurve("b", 1, {{1, 2}}), MadeCurve("a", 1, {{1, 2}}), MadeCurve("b", 3, {{1, 2}})};
  EXPECT_THAT(GroupByTask(curves),
              ElementsAre(ElementsAre(&curves[0], &curves[2]), ElementsAre(&curves[1])));
  EXPECT_THAT(GroupByTask({}), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
