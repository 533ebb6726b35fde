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

// Both are HARL's (ICPP 2022), known from recollection only, and lie in [0, 1], for which the
// bandit's constant is meant.

// Of a sketch: the best throughput that the round found with it over the best of its task so far,
// the round's own among it; 0 where the round found nothing that runs.
double SketchReward(std::optional<double> best_of_round, std::optional<double> best_so_far);

// How much one more round of a task may gain: weight (alpha recent + (1 - alpha) hoped), Ansor's
// estimate, whose alpha is TVM's (task_scheduler.py). `recent`: seconds a round that were gained
// lately; `hoped`: seconds that the next one may gain; both at least 0.
double TaskGain(double weight, double recent, double hoped, double alpha = 0.2);

// Of a task: its gain over that of the task that may gain most; 0 where none may.
double TaskReward(std::span<const double> gains, int task);

}  // namespace schedulegym
