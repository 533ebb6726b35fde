// ActionHeads: the categorical heads of one action, with masks of their legal values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

// Several categorical heads, sampled independently of one another given the state. A row holds the
// numbers of all heads, one head after another.
class ActionHeads {
 public:
  // `choices`: the number of values of each head, at least 1; at least one head.
  explicit ActionHeads(std::vector<int> choices);

  int heads() const { return static_cast<int>(choices_.size()); }
  int choices(int head) const { return choices_[static_cast<size_t>(head)]; }
  // First column of a head in a row.
  int first(int head) const { return firsts_[static_cast<size_t>(head)]; }
  // Number of columns of a row.
  int columns() const { return columns_; }
  const std::vector<int>& all_choices() const { return choices_; }

  bool operator==(const ActionHeads&) const = default;

  // True if each head has a legal value in this row's mask, which is 1 for legal values.
  bool IsOpen(std::span<const uint8_t> mask) const;

 private:
  std::vector<int> choices_, firsts_;
  int columns_ = 0;
};

// An action: the value of each head, from 0 within the head.
using HeadValues = std::vector<int>;

// Draws the value of each head in order, with one number of `rng` each. `log_probabilities` and
// `mask` are rows. Only legal values are drawn, whatever the rounding.
HeadValues DrawValues(const ActionHeads& heads, std::span<const float> log_probabilities,
                      std::span<const uint8_t> mask, Rng& rng);

// The most probable legal value of each head; the first of equals.
HeadValues LikeliestValues(const ActionHeads& heads, std::span<const float> log_probabilities,
                           std::span<const uint8_t> mask);

// Draws a legal value of each head uniformly, as an untrained agent does.
HeadValues UniformValues(const ActionHeads& heads, std::span<const uint8_t> mask, Rng& rng);

// Log-probability of the action: the sum over its heads.
double LogProbability(const ActionHeads& heads, std::span<const float> log_probabilities,
                      const HeadValues& values);

}  // namespace schedulegym
