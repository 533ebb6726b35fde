// SeenValues: the values that a search has seen, and where the worse part of them ends.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace schedulegym {

class SeenValues {
 public:
  // `floor`: the part of the values that counts as the worse one, at least 0 and below 1.
  explicit SeenValues(double floor = 0) : floor_(floor) {}

  void Add(double value);

  bool empty() const { return worse_.empty(); }
  // Of those seen, of which there are some.
  double lowest() const { return *lowest_; }
  double highest() const { return *highest_; }
  // The highest of the worse part, which has at least one value: of n values in their order the one
  // at floor (n - 1), rounded down.
  double floor() const { return worse_.top(); }
  // 0 to 1: from the floor to the highest, or, where these are one, from the lowest. What is below
  // counts as the low end; where all are alike, all are in the middle.
  double InRange(double value) const;

 private:
  double floor_;
  std::optional<double> lowest_, highest_;
  // Two heaps, so that a value costs the logarithm of their number.
  std::priority_queue<double> worse_;                                            // highest on top
  std::priority_queue<double, std::vector<double>, std::greater<double>> rest_;  // lowest on top
};

}  // namespace schedulegym
