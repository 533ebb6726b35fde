// PairAccuracy: how often scores order two programs as their labels do.
#pragma once

#include <optional>
#include <span>

namespace schedulegym {

// Of the pairs of unlike labels the share whose higher label has the higher score; a tie of scores
// counts as half. None without such a pair. O(n^2).
std::optional<double> PairAccuracy(std::span<const float> scores, std::span<const float> labels);

// The mean over lists that have one; `lists` has the list of each score.
std::optional<double> MeanPairAccuracy(std::span<const float> scores, std::span<const float> labels,
                                       std::span<const int> lists);

}  // namespace schedulegym
