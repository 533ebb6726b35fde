#include "agents/mcts/seen_values.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {

void SeenValues::Add(double value) {
  lowest_ = std::min(lowest_.value_or(value), value);
  highest_ = std::max(highest_.value_or(value), value);
  if (worse_.empty() || value < worse_.top()) {
    worse_.push(value);
  } else {
    rest_.push(value);
  }
  const size_t others = worse_.size() + rest_.size() - 1;
  const auto last = static_cast<size_t>(std::floor(floor_ * static_cast<double>(others)));
  while (worse_.size() > last + 1) {
    rest_.push(worse_.top());
    worse_.pop();
  }
  while (worse_.size() < last + 1) {
    worse_.push(rest_.top());
    rest_.pop();
  }
}

double SeenValues::InRange(double value) const {
  const double low = floor() < highest() ? floor() : lowest();
  return highest() > low ? std::max(0.0, (value - low) / (highest() - low)) : 0.5;
}

}  // namespace schedulegym
