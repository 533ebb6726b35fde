// HARL's upper level (Zhang, He and Zhang, ICPP 2022, as far as it is known): tasks are arms of a
// bandit that forgets, for what tuning a task gains decays. A turn pays what one more round of its
// task may gain, by Ansor's estimate over the curve as it is afterwards, over the most that any
// task may gain.
#include "agents/schedulers/swucb.h"

#include <cstdio>
#include <string>
#include <vector>

#include "agents/schedulers/arm_rewards.h"
#include "agents/schedulers/curve_slopes.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "agents/search/option_range.h"

namespace schedulegym {
namespace {

struct SwucbOptions {
  SlidingWindowOptions bandit;
  double alpha = 0.2;  // TVM's, of the backward slope
  SlopeOptions slopes;
};

class Swucb : public TaskScheduler {
 public:
  Swucb(const SwucbOptions& options, const SchedulerContext& context)
      : options_(options),
        slopes_(options.slopes, context),
        bandit_(static_cast<int>(context.tasks.size()), options.bandit) {}

  std::optional<int> Next(const Standing& standing) override {
    slopes_.Look(standing);
    Pay(standing);
    std::vector<int> open;
    for (int task = 0; task < std::ssize(standing.curves); ++task) {
      if (!IsDead(standing.curves[task])) open.push_back(task);
    }
    chosen_ = bandit_.Choose(open);
    return chosen_;
  }

  std::string Why(int task) const override {
    const std::optional<double> score = bandit_.Score(task);
    if (!score) return "";
    char text[64];
    std::snprintf(text, sizeof(text), "score %.3g", *score);
    return text;
  }

 private:
  // The bandit, for the turn that it chose last.
  void Pay(const Standing& standing) {
    if (!chosen_) return;
    std::vector<double> gains;
    for (int task = 0; task < std::ssize(standing.curves); ++task) {
      gains.push_back(GainOf(standing, task));
    }
    bandit_.Learn(*chosen_, TaskReward(gains, *chosen_));
    chosen_.reset();
  }

  double GainOf(const Standing& standing, int task) const {
    const TaskCurve& curve = standing.curves[task];
    if (!curve.best || curve.rounds() == 0 || IsDead(curve)) return 0;
    const CurveSlope slope = slopes_.Of(standing, task);
    return TaskGain(standing.tasks[task].weight(), std::max(-slope.backward, 0.0),
                    std::max(-slope.forward, 0.0), options_.alpha);
  }

  SwucbOptions options_;
  CurveSlopes slopes_;
  SlidingWindowBandit bandit_;
  std::optional<int> chosen_;  // not paid for yet
};

SwucbOptions ReadOptions(const Spec& spec) {
  SpecReader reader(spec, "scheduler");
  RangedReader ranged(reader, "scheduler swucb");
  SwucbOptions options;
  options.bandit.window =
      ranged.Integer("window", static_cast<int>(options.bandit.window), 1, 1'000'000);
  options.bandit.constant = ranged.Number("exploration", options.bandit.constant, 0, 100);
  options.alpha = ranged.Number("alpha", options.alpha, 0, 1);
  options.slopes.beta = ranged.Number("beta", options.slopes.beta, 1, 1e9);
  options.slopes.window = ranged.Integer("rounds", options.slopes.window, 1, 1'000'000);
  reader.Finish();
  return options;
}

}  // namespace

std::unique_ptr<TaskScheduler> MakeSwucb(const Spec& spec, const SchedulerContext& context) {
  return std::make_unique<Swucb>(ReadOptions(spec), context);
}

}  // namespace schedulegym
