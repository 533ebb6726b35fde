#include "agents/learned/harl/track_round.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "env/features/ansor_features.h"
#include "tests/agents/learned/harl/small_surface.h"

namespace schedulegym {
namespace {

TEST(TrackSightTest, SeesPooledFeaturesAndKnobs) {
  const SmallSurface surface;
  const TrackSight sight(3);
  // How many statements, greatest and mean of each feature; a head of two, then a pair for each
  // knob.
  EXPECT_EQ(sight.size(), 1 + 2 * AnsorLayout::kWidth + 2 + 2 * 3);
  Rng rng(1);
  const auto walk = surface.Starts(1, rng)[0]->Fork();
  std::vector<float> row(static_cast<size_t>(sight.size()), 7);
  sight.Write(*walk, row);
  EXPECT_EQ(row[0], 1) << "one statement";
  const float* knobs = &row[1 + 2 * AnsorLayout::kWidth + 2];
  for (int knob = 0; knob < 3; ++knob) {
    const int values = walk->knobs()->size_of(knob);
    EXPECT_EQ(knobs[2 * knob], 1);
    EXPECT_FLOAT_EQ(knobs[2 * knob + 1],
                    static_cast<float>(walk->point()[static_cast<size_t>(knob)]) /
                        static_cast<float>(values - 1));
  }
}

TEST(TrackSightTest, TellsPlacesApart) {
  const SmallSurface surface;
  const TrackSight sight(3);
  Rng rng(1);
  const auto walks = surface.Starts(2, rng);
  ASSERT_NE(walks[0]->point(), walks[1]->point());
  std::vector<float> first(static_cast<size_t>(sight.size())), second = first;
  sight.Write(*walks[0], first);
  sight.Write(*walks[1], second);
  EXPECT_NE(first, second);
  EXPECT_THROW(sight.Write(*walks[0], std::span(first).first(3)), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
