// Sums over the window are computed again at each choice. A running sum would keep the rounding
// errors of values that left it, and a restored bandit would choose differently.
#include "agents/schedulers/sliding_window_bandit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "env/base/check.h"

namespace schedulegym {
namespace {

struct ArmSum {
  int64_t pulls = 0;
  double reward = 0;
};

std::vector<ArmSum> SumsOf(const std::deque<ArmPull>& pulls, int arms) {
  std::vector<ArmSum> sums(static_cast<size_t>(arms));
  for (const ArmPull& pull : pulls) {
    ArmSum& sum = sums[static_cast<size_t>(pull.arm)];
    ++sum.pulls;
    sum.reward += pull.reward;
  }
  return sums;
}

std::optional<double> ScoreOf(const ArmSum& sum, size_t all, double constant) {
  if (sum.pulls == 0) return std::nullopt;
  const double pulls = static_cast<double>(sum.pulls);
  return sum.reward / pulls + constant * std::sqrt(std::log(static_cast<double>(all)) / pulls);
}

}  // namespace

SlidingWindowBandit::SlidingWindowBandit(int arms, const SlidingWindowOptions& options)
    : arms_(arms), options_(options) {
  SG_CHECK(arms >= 1, "a bandit has arms");
  SG_CHECK(options.window >= 1, "a window holds at least one pull");
  SG_CHECK(std::isfinite(options.constant) && options.constant >= 0, "doubt is worth 0 or more");
}

std::optional<double> SlidingWindowBandit::Score(int arm) const {
  SG_CHECK(arm >= 0 && arm < arms_, "an arm of the bandit");
  return ScoreOf(SumsOf(pulls_, arms_)[static_cast<size_t>(arm)], pulls_.size(), options_.constant);
}

int SlidingWindowBandit::Choose() const {
  std::vector<int> all(static_cast<size_t>(arms_));
  std::iota(all.begin(), all.end(), 0);
  return *Choose(all);
}

std::optional<int> SlidingWindowBandit::Choose(std::span<const int> open) const {
  const std::vector<ArmSum> sums = SumsOf(pulls_, arms_);
  std::optional<int> best;
  double most = 0;
  for (const int arm : open) {
    SG_CHECK(arm >= 0 && arm < arms_, "an arm of the bandit");
    const auto score = ScoreOf(sums[static_cast<size_t>(arm)], pulls_.size(), options_.constant);
    if (!score) return arm;
    if (best && *score <= most) continue;
    best = arm;
    most = *score;
  }
  return best;
}

void SlidingWindowBandit::Learn(int arm, double reward) {
  SG_CHECK(arm >= 0 && arm < arms_, "an arm of the bandit");
  SG_CHECK(std::isfinite(reward), "a reward is a number");
  pulls_.push_back({arm, reward});
  if (static_cast<int64_t>(pulls_.size()) > options_.window) pulls_.pop_front();
}

double SketchReward(std::optional<double> best_of_round, std::optional<double> best_so_far) {
  if (!best_of_round) return 0;
  SG_CHECK(best_so_far && *best_so_far >= *best_of_round && *best_of_round > 0,
           "the best so far is at least that of the round");
  return *best_of_round / *best_so_far;
}

double TaskGain(double weight, double recent, double hoped, double alpha) {
  SG_CHECK(weight >= 0 && recent >= 0 && hoped >= 0, "a gain is at least 0");
  SG_CHECK(alpha >= 0 && alpha <= 1, "a share");
  return weight * (alpha * recent + (1 - alpha) * hoped);
}

double TaskReward(std::span<const double> gains, int task) {
  SG_CHECK(task >= 0 && task < std::ssize(gains), "a task");
  const double most = *std::max_element(gains.begin(), gains.end());
  return most > 0 ? gains[static_cast<size_t>(task)] / most : 0;
}

}  // namespace schedulegym
