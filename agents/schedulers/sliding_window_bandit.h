// SlidingWindowBandit: chooses among arms whose rewards may change over time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

namespace schedulegym {

struct SlidingWindowOptions {
  // Number of last pulls, of all arms, that count. A window as long as the run makes it plain UCB.
  int64_t window = 256;
  // The weight of the uncertainty, in units of a reward.
  double constant = 0.25;

  bool operator==(const SlidingWindowOptions&) const = default;
};

// A pull and its reward.
struct ArmPull {
  int arm = 0;
  double reward = 0;

  bool operator==(const ArmPull&) const = default;
};

// SW-UCB (Garivier and Moulines, "On upper-confidence bound policies for switching bandit
// problems", ALT 2011, section 3). HARL uses it to choose the subgraph and the sketch (Zhang, He
// and Zhang, ICPP 2022; its window and constant are the defaults, known from recollection only).
// The last `window` pulls are the whole state: they are saved, and equal sequences of them give
// bitwise equal choices. A value type.
class SlidingWindowBandit {
 public:
  // At least one arm, a window of at least 1 and a finite constant of at least 0.
  explicit SlidingWindowBandit(int arms, const SlidingWindowOptions& options = {});

  int arms() const { return arms_; }
  const SlidingWindowOptions& options() const { return options_; }
  // Oldest first, at most `window` of them.
  const std::deque<ArmPull>& pulls() const { return pulls_; }

  // mean + constant * sqrt(ln(pulls in the window) / pulls of the arm in the window); nullopt for
  // an arm without a pull in the window.
  std::optional<double> Score(int arm) const;

  // Returns an arm without a pull in the window, if any; else the arm with the highest score, the
  // first among equals.
  int Choose() const;
  // The same among the arms `open`, in their order; nullopt if it is empty.
  std::optional<int> Choose(std::span<const int> open) const;

  // Drops the oldest pull of a full window. The reward is finite.
  void Learn(int arm, double reward);

 private:
  int arms_;
  SlidingWindowOptions options_;
  std::deque<ArmPull> pulls_;
};

// SketchReward and TaskReward are HARL's (ICPP 2022), known from recollection only. They lie in [0,
// 1], the range for which the bandit's constant is meant.

// The reward of a sketch: the best throughput of the round with it over the best of its task so
// far, including this round; 0 if no schedule of the round runs.
double SketchReward(std::optional<double> best_of_round, std::optional<double> best_so_far);

// Estimates the gain of one more round of a task: weight (alpha recent + (1 - alpha) hoped). This
// is Ansor's estimate, with TVM's alpha (task_scheduler.py). `recent`: seconds gained in each
// recent round; `hoped`: seconds that the next one may gain; both at least 0.
double TaskGain(double weight, double recent, double hoped, double alpha = 0.2);

// The reward of a task: its gain over the largest gain; 0 if no gain is above 0.
double TaskReward(std::span<const double> gains, int task);

}  // namespace schedulegym
