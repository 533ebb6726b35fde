#include "agents/schedulers/gradient.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "agents/schedulers/curve_slopes.h"
#include "agents/schedulers/gradient_options.h"
#include "agents/schedulers/objective.h"
#include "agents/schedulers/scheduler_memory.h"
#include "env/base/fault.h"
#include "env/base/json.h"

namespace schedulegym {
namespace {

constexpr const char* kGradientKind = "gradient 1";

bool IsCold(const TaskCurve& curve) {
  return !IsDead(curve) && (!curve.best || curve.rounds() == 0);
}

class Gradient : public TaskScheduler {
 public:
  Gradient(GradientOptions options, const SchedulerContext& context)
      : options_(std::move(options)),
        rng_(context.rng),
        objective_(options_.objective, CountsOf(context), options_.requirements),
        curves_({options_.beta, options_.window, options_.whole_history}, context),
        slopes_(context.tasks.size()),
        memory_(
            kGradientKind, context, [this] { return State(); },
            [this](const std::string& state) { Restore(state); }) {
    memory_.Read(options_.model);
  }

  std::optional<int> Next(const Standing& standing) override {
    curves_.Look(standing);
    std::fill(slopes_.begin(), slopes_.end(), std::nullopt);
    if (const std::optional<int> cold = Coldest(standing.curves)) return cold;
    if (Stagnates(standing)) return std::nullopt;
    const std::vector<int> live = Live(standing.curves);
    if (live.empty()) return std::nullopt;
    NoteSlopes(standing, live);
    if (options_.epsilon > 0 && rng_.Chance(options_.epsilon)) return OneOf(live);
    return OneOf(Steepest(live));
  }

  std::string Why(int task) const override {
    if (!slopes_[task]) return "";
    char text[64];
    std::snprintf(text, sizeof(text), "gains %.3g a turn", -*slopes_[task]);
    return text;
  }

  Memory* memory() override { return memory_.IfSeveral(); }

 private:
  std::optional<std::string> State() const {
    if (!best_value_) return std::nullopt;
    return Json::Object({{"chance", rng_.state()},
                         {"slopes", ParseJson(curves_.State()).value()},
                         {"value", *best_value_},
                         {"stale", stale_},
                         {"trials", trials_}})
        .ToText();
  }

  void Restore(const std::string& state) {
    const Json json = ParseJson(state).value();
    const auto chance = json["chance"].As<Rng::State>();
    const auto stale = json["stale"].As<int64_t>(), trials = json["trials"].As<int64_t>();
    if (chance == Rng::State() || stale < 0 || trials < 0) {
      throw InputError("found chance or trials that no scheduler has");
    }
    const auto value = json["value"].As<double>();
    curves_.Restore(json["slopes"].ToText());
    rng_ = Rng(chance);
    best_value_ = value;
    stale_ = stale;
    trials_ = trials;
  }

  static std::vector<std::vector<double>> CountsOf(const SchedulerContext& context) {
    std::vector<std::vector<double>> counts;
    for (const ScheduledTask& task : context.tasks) counts.push_back(task.counts);
    return counts;
  }

  // Of the tasks still to be warmed up, the first of those with the fewest turns.
  static std::optional<int> Coldest(std::span<const TaskCurve> curves) {
    std::optional<int> coldest;
    int fewest = 0;
    for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
      const int turns = curves[i].own_rounds();
      if (!IsCold(curves[i]) || (coldest && turns >= fewest)) continue;
      coldest = i;
      fewest = turns;
    }
    return coldest;
  }

  // Counted from the end of the warm-up. A search that goes on from a file counts its trials from
  // 0. Unlike TVM's, dead tasks do not keep the search alive.
  bool Stagnates(const Standing& standing) {
    int64_t trials = 0;
    for (const TaskCurve& curve : standing.curves) trials += curve.trials();
    stale_ += trials < trials_ ? trials : trials - trials_;
    trials_ = trials;
    const double value = objective_.Value(Latencies(standing));
    if (!best_value_ || value < *best_value_) {
      best_value_ = value;
      stale_ = 0;
    }
    return options_.patience > 0 && stale_ >= options_.patience;
  }

  // A task that rests (f4: its latency stands as it is) has a gradient of 0, as a dead one, and is
  // not chosen even where all others' are 0, too.
  std::vector<int> Live(std::span<const TaskCurve> curves) const {
    std::vector<int> live;
    for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
      const int64_t limit = options_.task_patience;
      const bool rests = limit > 0 && curves[i].trials_since_gain() >= limit;
      if (!IsDead(curves[i]) && !rests) live.push_back(i);
    }
    return live;
  }

  void NoteSlopes(const Standing& standing, const std::vector<int>& live) {
    const auto latencies = Latencies(standing);
    for (int task : live) {
      const CurveSlope slope = curves_.Of(standing, task);
      const double both = options_.alpha * slope.backward + (1 - options_.alpha) * slope.forward;
      slopes_[task] = objective_.Slope(latencies, task) * both;
    }
  }

  // Those whose gradient is the most negative. (Among several of many, TVM takes the first.)
  std::vector<int> Steepest(const std::vector<int>& live) const {
    std::vector<int> steepest;
    double least = 0;
    for (int task : live) {
      const double slope = *slopes_[task];
      if (steepest.empty() || slope < least) steepest.clear();
      if (steepest.empty()) least = slope;
      if (slope == least) steepest.push_back(task);
    }
    return steepest;
  }

  static std::vector<std::optional<TaskLatency>> Latencies(const Standing& standing) {
    std::vector<std::optional<TaskLatency>> latencies;
    for (const TaskCurve& curve : standing.curves) {
      latencies.emplace_back();
      if (curve.best) latencies.back() = {curve.best->seconds(), curve.best->reference};
    }
    return latencies;
  }

  int OneOf(const std::vector<int>& tasks) {
    return tasks.size() == 1 ? tasks[0] : tasks[rng_.Below(static_cast<int64_t>(tasks.size()))];
  }

  GradientOptions options_;
  Rng rng_;
  NetworkObjective objective_;
  CurveSlopes curves_;
  std::vector<std::optional<double>> slopes_;  // of each task that the last choice weighed
  int64_t trials_ = 0;                         // at the last choice
  int64_t stale_ = 0;                          // trials since the objective's last gain
  std::optional<double> best_value_;
  SchedulerMemory memory_;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeGradient(const Spec& spec, const SchedulerContext& context) {
  const size_t networks = context.tasks.empty() ? 1 : context.tasks[0].counts.size();
  return std::make_unique<Gradient>(ReadGradientOptions(spec, networks), context);
}

}  // namespace schedulegym
