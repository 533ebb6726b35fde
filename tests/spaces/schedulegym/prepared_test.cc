#include "spaces/schedulegym/sketch_cache.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kProduct[] =
    "input A[32, 64]\ninput B[64, 48]\nC[i:32, j:48] = sum(k:64) A[i, k] * B[k, j]\n";

void ExpectEqual(const NestFacts& some, const NestFacts& others) {
  ASSERT_EQ(some.dimensions.size(), others.dimensions.size());
  for (size_t d = 0; d < some.dimensions.size(); ++d) {
    EXPECT_EQ(some.dimensions[d].extent, others.dimensions[d].extent);
  }
  ASSERT_EQ(some.operands.size(), others.operands.size());
  for (size_t i = 0; i < some.operands.size(); ++i) {
    EXPECT_EQ(some.operands[i].stage, others.operands[i].stage);
    EXPECT_EQ(some.operands[i].strides, others.operands[i].strides);
  }
}

TEST(PreparedTest, KnowsWhatAnalysingTells) {
  const Prepared prepared(ScheduleState::Initial(DagTask(kProduct, Avx2Target())), true);
  const int product = prepared.state().Find("C");
  ExpectEqual(*prepared.FactsOf(prepared.state(), product), AnalyzeNest(prepared.state(), product));
  EXPECT_EQ(prepared.FactsOf(prepared.state(), product),
            prepared.FactsOf(prepared.state(), product));
  EXPECT_EQ(prepared.RoleIn(prepared.state(), product), Role::kHeavy);
  EXPECT_EQ(prepared.RoleIn(prepared.state(), prepared.state().Find("A")), Role::kInput);
}

// Reads of a packed copy have other strides.
TEST(PreparedTest, LooksAnewAtWhatHasChanged) {
  const auto task = DagTask(kProduct, Avx2Target());
  const Prepared prepared(ScheduleState::Initial(task), true);
  const ScheduleState packed =
      StateAfter(task, "pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])\n");
  const int product = packed.Find("C");
  ExpectEqual(*prepared.FactsOf(packed, product), AnalyzeNest(packed, product));
  EXPECT_NE(prepared.FactsOf(packed, product)->operands[1].stage,
            prepared.FactsOf(prepared.state(), product)->operands[1].stage);
}

}  // namespace
}  // namespace schedulegym
