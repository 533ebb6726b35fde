#include "agents/learned/harl/track_round.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "env/features/ansor_features.h"
#include "tests/agents/learned/harl/small_surface.h"

namespace schedulegym {
namespace {

TEST(PolicyFeaturesTest, SeesPooledFeaturesAndKnobs) {
  const SmallSurface surface;
  const PolicyFeatures sight(3);
  // Number of statements, maximum and mean of each feature; two for the head, then a pair for each
  // knob.
  EXPECT_EQ(sight.size(), 1 + 2 * AnsorLayout::kWidth + 2 + 2 * 3);
  Rng rng(1);
  const auto episode = surface.Starts(1, rng)[0]->Fork();
  std::vector<float> row(static_cast<size_t>(sight.size()), 7);
  sight.Write(*episode, row);
  EXPECT_EQ(row[0], 1) << "one statement";
  const float* knobs = &row[1 + 2 * AnsorLayout::kWidth + 2];
  for (int knob = 0; knob < 3; ++knob) {
    const int values = episode->knobs()->size_of(knob);
    EXPECT_EQ(knobs[2 * knob], 1);
    EXPECT_FLOAT_EQ(knobs[2 * knob + 1],
                    static_cast<float>(episode->point()[static_cast<size_t>(knob)]) /
                        static_cast<float>(values - 1));
  }
}

TEST(PolicyFeaturesTest, TellsPlacesApart) {
  const SmallSurface surface;
  const PolicyFeatures sight(3);
  Rng rng(1);
  const auto episodes = surface.Starts(2, rng);
  ASSERT_NE(episodes[0]->point(), episodes[1]->point());
  std::vector<float> first(static_cast<size_t>(sight.size())), second = first;
  sight.Write(*episodes[0], first);
  sight.Write(*episodes[1], second);
  EXPECT_NE(first, second);
  EXPECT_THROW(sight.Write(*episodes[0], std::span(first).first(3)), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
