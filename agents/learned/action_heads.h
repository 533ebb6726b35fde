// ActionHeads: the choices of which one action is made, each with some values that may be illegal
// now.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {

// Several categorical choices, taken at once and independently of one another given the state.
// Where numbers of all choices stand in one row, those of a head follow those of the head before
// it.
class ActionHeads {
 public:
  // How many values each head has, at least one of each; at least one head.
  explicit ActionHeads(std::vector<int> choices);

  int heads() const { return static_cast<int>(choices_.size()); }
  int choices(int head) const { return choices_[static_cast<size_t>(head)]; }
  // Where the values of a head begin in a row.
  int first(int head) const { return firsts_[static_cast<size_t>(head)]; }
  // The columns of a row.
  int columns() const { return columns_; }
  const std::vector<int>& all_choices() const { return choices_; }

  bool operator==(const ActionHeads&) const = default;

  // Whether of a row's mask, 1 where a value is legal, each head has a legal value.
  bool IsOpen(std::span<const uint8_t> mask) const;

 private:
  std::vector<int> choices_, firsts_;
  int columns_ = 0;
};

// An action: the value of each head, counted within it.
using HeadValues = std::vector<int>;

// Draws the value of each head, in their order, one number of `rng` each. `log_probabilities` is a
// row, of which `mask` tells the legal values: no other is ever drawn, whatever rounding does.
HeadValues DrawValues(const ActionHeads& heads, std::span<const float> log_probabilities,
                      std::span<const uint8_t> mask, Rng& rng);

// The likeliest legal value of each head, the first of equals.
HeadValues LikeliestValues(const ActionHeads& heads, std::span<const float> log_probabilities,
                           std::span<const uint8_t> mask);

// A legal value of each head, each as likely: what an agent that has learned nothing does.
HeadValues UniformValues(const ActionHeads& heads, std::span<const uint8_t> mask, Rng& rng);

// Of the whole action: the sum over its heads.
double LogProbability(const ActionHeads& heads, std::span<const float> log_probabilities,
                      const HeadValues& values);

}  // namespace schedulegym
