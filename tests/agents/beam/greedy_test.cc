#include "agents/beam/beam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/decisions/agent_search.h"

namespace schedulegym {
namespace {

TEST(GreedyTest, KeepsWhatEverySearchKeeps) { ExpectAllThatHolds("greedy(round=8)"); }

TEST(GreedyTest, IsABeamOfOne) {
  const TwoSketchSpace space;
  const auto of = [&](const std::string& spec) {
    return KeysOf(SearchBy({spec, space}, TwoSketchSpace::SmallTask(), 60, TwoSketchSeconds));
  };
  EXPECT_EQ(of("greedy(round=8)"), of("beam(width=1, passes=1, round=8)"));
  EXPECT_THAT(RefusalOf("greedy(width=2)"), testing::HasSubstr("width"));
}

}  // namespace
}  // namespace schedulegym
