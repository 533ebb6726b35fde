// SlidingWindowBandit: which of several arms to pull next where what they pay may change.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

namespace schedulegym {

struct SlidingWindowOptions {
  // Pulls of all arms together that are remembered; one as long as the whole run makes it plain
  // UCB.
  int64_t window = 256;
  // What doubt is worth, in units of a reward.
  double constant = 0.25;

  bool operator==(const SlidingWindowOptions&) const = default;
};

// One pull and what it paid.
struct ArmPull {
  int arm = 0;
  double reward = 0;

  bool operator==(const ArmPull&) const = default;
};

// SW-UCB (Garivier and Moulines, "On upper-confidence bound policies for switching bandit
// problems", ALT 2011, section 3), by which HARL chooses the subgraph and the sketch (Zhang, He and
// Zhang, ICPP 2022; its window and constant are the defaults, known from recollection only). The
// last `window` pulls are all that it knows: they are what is saved, and an equal sequence of them
// gives equal choices to the bit. A value.
class SlidingWindowBandit {
 public:
  // At least one arm, a window of at least 1 and a finite constant of at least 0.
  explicit SlidingWindowBandit(int arms, const SlidingWindowOptions& options = {});

  int arms() const { return arms_; }
  const SlidingWindowOptions& options() const { return options_; }
  // Oldest first, at most `window` of them.
  const std::deque<ArmPull>& pulls() const { return pulls_; }

  // mean + constant * sqrt(ln(pulls in the window) / pulls of the arm in the window); none of an
  // arm that the window does not hold.
  std::optional<double> Score(int arm) const;

  // The arm of the highest score, the first of equals; first of all one that the window does not
  // hold.
  int Choose() const;
  // The same among some arms, in their order; none of none.
  std::optional<int> Choose(std::span<const int> open) const;

  // The oldest pull leaves a full window. The reward is finite.
  void Learn(int arm, double reward);

 private:
  int arms_;
  SlidingWindowOptions options_;
  std::deque<ArmPull> pulls_;
};

}  // namespace schedulegym
