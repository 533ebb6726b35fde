#include "env/features/state_features.h"

#include <gtest/gtest.h>

#include "env/features/ansor_features.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

TEST(StateFeaturesTest, AreThoseOfTheStateComputedOnce) {
  const ScheduleState state =
      ScheduleState::Initial(WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2)));
  const StateFeatures features(state);
  const StateFeatures copy = features;
  EXPECT_EQ(features.ansor(), AnsorFeatures(state).values);
  EXPECT_EQ(features.estimated(), EstimatedFeatures(state));
  // The data pointers are equal: a copy shares the features.
  EXPECT_EQ(copy.ansor().data(), features.ansor().data());
  EXPECT_EQ(copy.estimated().data(), features.estimated().data());
  EXPECT_EQ(&features.task(), &state.task());
}

TEST(StateFeaturesTest, SeveralKeepTheirOrder) {
  const auto task = WorkloadTask("matmul(m=16,n=16,k=16)", Avx2Target(2));
  const ScheduleState first = ScheduleState::Initial(task);
  const ScheduleState second = Apply(first, Split{{2}, 0, {4}}).value();
  const std::vector<StateFeatures> all = WithFeatures(std::vector{first, second});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].state().TraceText(), first.TraceText());
  EXPECT_EQ(all[1].state().TraceText(), second.TraceText());
  EXPECT_TRUE(WithFeatures({}).empty());
}

}  // namespace
}  // namespace schedulegym
