// Each published tuner comes within 5 % of the best of 65,536 places in 200 trials, with 45 of 50
// seeds; random search with at most 15.
#include <gtest/gtest.h>

#include <string>

#include "tests/agents/surface_space.h"

namespace schedulegym {
namespace {

constexpr int kSeeds = 50, kLeast = 45, kMostByChance = 15;

class TunerSurfaceTest : public testing::TestWithParam<std::string> {};

// One test each, so that they run in parallel. MetaSchedule is left out: it draws at random until
// 100 are measured, and then ranks one round of 64, so that it succeeds as rarely as random search.
INSTANTIATE_TEST_SUITE_P(Agents, TunerSurfaceTest,
                         testing::Values("autotvm", "adatune", "bayes", "gbfs", "flextensor",
                                         "heron"),
                         [](const auto& info) { return info.param; });

TEST_P(TunerSurfaceTest, ComesWithinFivePercent) {
  EXPECT_GE(SurfaceSuccesses(GetParam(), kSeeds), kLeast);
}

TEST(PlanSurfaceTest, ChanceSeldomComesWithinFivePercent) {
  EXPECT_LE(SurfaceSuccesses("random", kSeeds), kMostByChance);
}

}  // namespace
}  // namespace schedulegym
