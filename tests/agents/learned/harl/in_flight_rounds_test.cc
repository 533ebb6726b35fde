#include "agents/learned/harl/harl_round.h"

#include <gtest/gtest.h>

#include "tests/agents/learned/harl/small_surface.h"

namespace schedulegym {
namespace {

class InFlightRoundsTest : public testing::Test {
 protected:
  std::vector<TrackVisit> Visits(int count) const {
    return surface_.Visits(
        count, [](int step) { return 1 / (1.0 + step); }, 0);
  }

  SmallSurface surface_;
  FixedSketches space_{surface_.sketches()};
  HarlRoundContext context_{space_, surface_.actions(), surface_.task()};
};

TEST_F(InFlightRoundsTest, ARoundThatIsReadAgainDealsAlike) {
  Rng rng(1);
  std::optional<HarlRound> round = TrackedRound(context_, Visits(60), 12, 0.25, rng);
  std::set<Key> seen;
  for (const Proposal& proposal : round->proposals.Deal(5, {.random = 1}, {}, {})) {
    seen.insert(proposal.key);
  }
  Checkpoint checkpoint;
  PutRound(checkpoint, "round", round);
  std::optional<HarlRound> read = ReadRound(checkpoint, "round", context_, 1);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->is_drawn);
  EXPECT_EQ(read->proposals.dealt(), 5);
  const auto rest = round->proposals.Deal(7, {.random = 2}, {}, seen);
  const auto again = read->proposals.Deal(7, {.random = 2}, {}, seen);
  ASSERT_EQ(again.size(), 7U);
  for (size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(again[i].key, rest[i].key);
    EXPECT_EQ(read->origins.at(again[i].key).note, round->origins.at(rest[i].key).note);
  }
}

TEST_F(InFlightRoundsTest, NoneIsReadAsNone) {
  Checkpoint checkpoint;
  PutRound(checkpoint, "round", std::nullopt);
  EXPECT_FALSE(ReadRound(checkpoint, "round", context_, 1));
}

}  // namespace
}  // namespace schedulegym
