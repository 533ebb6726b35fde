#include "agents/common/search_model_state.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

// A copy, a sum, and a consumer of the sum.
ScheduleState Scheduled(const std::string& steps) {
  return ScheduledDag(
      "input X[16, 32]\n"
      "P[i:16, k:32] = X[i, k] + 1\n"
      "S[i:16] = sum(k:32) P[i, k]\n"
      "Y[i:16] = S[i] * 2\n",
      "trace 1\n" + steps);
}

Key NicheAfter(const std::string& steps) { return NicheOf(Scheduled(steps)); }

TEST(NicheTest, TilesAndAnnotationsAreOfNoConcern) {
  const Key naive = NicheAfter("");
  EXPECT_EQ(NicheAfter("split(stage=S, loop=0, lengths=[4])"), naive);
  EXPECT_EQ(NicheAfter("parallel(stage=S, loop=0)"), naive);
  EXPECT_EQ(NicheAfter("split(stage=Y, loop=0, lengths=[4])\n"
                       "compute_at(stage=S, target=Y, loop=0)"),
            NicheAfter("split(stage=Y, loop=0, lengths=[8])\n"
                       "compute_at(stage=S, target=Y, loop=0)"));
}

TEST(NicheTest, EachPlaceIsOneOfItsOwn) {
  const std::string halves = "split(stage=Y, loop=0, lengths=[4])\n";
  const std::set<Key> niches = {
      NicheAfter(""),
      NicheAfter("compute_inline(stage=P)"),
      NicheAfter("compute_at(stage=P, target=S, loop=0)"),
      NicheAfter("compute_at(stage=P, target=S, loop=1)"),
      NicheAfter(halves + "compute_at(stage=S, target=Y, loop=0)"),
      NicheAfter(halves + "compute_at(stage=S, target=Y, loop=1)"),
      NicheAfter("cache_write(stage=Y, scope=local)"),
      NicheAfter("cache_write(stage=S, scope=local)"),
      NicheAfter("cache_read(stage=P, scope=global, readers=[S])"),
      NicheAfter("pack(stage=P, readers=[S], tile=[1, 1], order=[1, 0])"),
      NicheAfter("split(stage=S, loop=1, lengths=[8])\nrfactor(stage=S, loop=2, axis=1)"),
  };
  EXPECT_EQ(niches.size(), 11u);
}

TEST(NicheTest, TheFirstOfEachAreTakenInOrder) {
  const std::vector<MeasuredState> measured = {
      {Scheduled("compute_inline(stage=P)"), {}, 1.0},
      {Scheduled("compute_inline(stage=P)\nsplit(stage=S, loop=0, lengths=[4])"), {}, 2.0},
      {Scheduled(""), {}, 3.0},
      {Scheduled("split(stage=S, loop=0, lengths=[4])"), {}, 4.0},
      {Scheduled("compute_at(stage=P, target=S, loop=0)"), {}, 5.0}};
  std::vector<const MeasuredState*> order;
  for (const MeasuredState& one : measured) order.push_back(&one);
  using States = std::vector<const MeasuredState*>;
  EXPECT_EQ(FirstOfNiches(order, 8), (States{order[0], order[2], order[4]}));
  EXPECT_EQ(FirstOfNiches(order, 2), (States{order[0], order[2]}));
  EXPECT_EQ(FirstOfNiches({}, 2), States());
}

}  // namespace
}  // namespace schedulegym
