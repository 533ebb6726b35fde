// HARL's upper level (Zhang, He and Zhang, ICPP 2022, of which parts are known only from
// citations): tasks are arms of SW-UCB (Garivier and Moulines, ALT 2011, section 3). The turn's
// reward is
//   gain_i / max_j gain_j,    gain = weight * (alpha * -backward + (1 - alpha) * -forward)
// with the slopes of Ansor's scheduler (curve_slopes.h) after the turn, each at least 0; alpha 0.2
// is TVM's. Dead tasks are left out. Cost: O(tasks) a choice.
#include "agents/schedulers/builtin_schedulers.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "agents/schedulers/curve_slopes.h"
#include "agents/schedulers/scheduler_model_state.h"
#include "agents/schedulers/sliding_window_bandit.h"
#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

constexpr const char* kSwucbKind = "swucb 1";

struct SwucbOptions {
  SlidingWindowOptions bandit;
  double alpha = 0.2;  // TVM's, of the backward slope
  SlopeOptions slopes;
  std::string model;  // a file to continue from, "" for none
};

class Swucb : public TaskScheduler {
 public:
  Swucb(const SwucbOptions& options, const SchedulerContext& context)
      : options_(options),
        slopes_(options.slopes, context),
        bandit_(static_cast<int>(context.tasks.size()), options.bandit),
        memory_(
            kSwucbKind, context, [this] { return State(); },
            [this](const std::string& state) { Restore(state); }) {
    memory_.Read(options.model);
  }

  std::optional<int> Next(const SchedulerView& view) override {
    slopes_.Look(view);
    Pay(view);
    std::vector<int> open;
    for (int task = 0; task < std::ssize(view.curves); ++task) {
      if (!IsDead(view.curves[task])) open.push_back(task);
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

  ModelState* memory() override { return memory_.IfSeveral(); }

 private:
  std::optional<std::string> State() const {
    if (bandit_.pulls().empty() && !chosen_) return std::nullopt;
    Json pulls = Json::Array();
    for (const ArmPull& pull : bandit_.pulls()) pulls.Add(Json::Array(pull.arm, pull.reward));
    Json state =
        Json::Object({{"pulls", std::move(pulls)}, {"slopes", ParseJson(slopes_.State()).value()}});
    if (chosen_) state.Set("chosen", *chosen_);
    return state.ToText();
  }

  void Restore(const std::string& state) {
    const Json json = ParseJson(state).value();
    SlidingWindowBandit bandit(bandit_.arms(), options_.bandit);
    for (const Json& pull : json["pulls"].elements()) {
      const auto reward = pull[1].As<double>();
      if (!std::isfinite(reward)) throw InputError("found a reward that is no number");
      bandit.Learn(ArmOf(pull[0]), reward);
    }
    const Json* chosen = json.Find("chosen");
    const auto unpaid = chosen == nullptr ? std::nullopt : std::optional(ArmOf(*chosen));
    slopes_.Restore(json["slopes"].ToText());
    bandit_ = bandit;
    chosen_ = unpaid;
  }

  int ArmOf(const Json& json) const {
    const auto arm = json.As<int64_t>();
    if (arm >= 0 && arm < bandit_.arms()) return static_cast<int>(arm);
    throw InputError("found task " + std::to_string(arm) + ", expected 0 to " +
                     std::to_string(bandit_.arms() - 1));
  }

  // Rewards the bandit for its last choice.
  void Pay(const SchedulerView& view) {
    if (!chosen_) return;
    std::vector<double> gains;
    for (int task = 0; task < std::ssize(view.curves); ++task) {
      gains.push_back(GainOf(view, task));
    }
    bandit_.Learn(*chosen_, TaskReward(gains, *chosen_));
    chosen_.reset();
  }

  double GainOf(const SchedulerView& view, int task) const {
    const TaskCurve& curve = view.curves[task];
    if (!curve.best || curve.rounds() == 0 || IsDead(curve)) return 0;
    const CurveSlope slope = slopes_.Of(view, task);
    return TaskGain(view.tasks[task].weight(), std::max(-slope.backward, 0.0),
                    std::max(-slope.forward, 0.0), options_.alpha);
  }

  SwucbOptions options_;
  CurveSlopes slopes_;
  SlidingWindowBandit bandit_;
  std::optional<int> chosen_;  // without a reward yet
  SchedulerModelState memory_;
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
  options.model = reader.Word("model", "");
  reader.Finish();
  return options;
}

}  // namespace

std::unique_ptr<TaskScheduler> MakeSwucb(const Spec& spec, const SchedulerContext& context) {
  return std::make_unique<Swucb>(ReadOptions(spec), context);
}

}  // namespace schedulegym
