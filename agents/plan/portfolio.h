// Portfolio: which of several acquisitions stay, by the results of the places that they named.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/plan/acquisition.h"

namespace schedulegym {

enum class PortfolioRule : uint8_t {
  kMulti,     // drops acquisitions that name the same places as others
  kAdvanced,  // leaves those whose places are slower
  kFast,      // leaves none
};

// The place that an acquisition named, and its value; smaller is better.
struct NamedValue {
  Acquisition acquisition = Acquisition::kImprovement;
  double value = 0;
  bool is_duplicate = false;  // another one named it in the same round
};
using NamedRound = std::vector<NamedValue>;  // of those that were active

// The sum in which each value before the last counts so much less.
double DiscountedSum(std::span<const double> values, double discount);

struct PortfolioOptions {
  // Of sums; none: the published 0.65 of multi, 0.95 of advanced.
  std::optional<double> discount = std::nullopt;
  double margin = 0.1;  // of the mean of sums, which one has to be off by to count
};

// Those that go on after some rounds, in the order EI, PoI, LCB; never none.
std::vector<Acquisition> ActiveAfter(PortfolioRule rule, std::span<const NamedRound> rounds,
                                     const PortfolioOptions& options = {});

}  // namespace schedulegym
