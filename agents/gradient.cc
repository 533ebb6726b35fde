#include "agents/gradient.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "agents/gradient_options.h"
#include "agents/objective.h"
#include "agents/similarity.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Of turns that say nothing about the task, as on a busy machine, before it counts as dead.
constexpr int kWarmUpTurns = 3;

// A latency in units of the reference's, so that results of several sessions compare.
struct Result {
  double units = 0;
  double reference = 0;  // seconds of the unit

  double seconds() const { return units * reference; }
};

// One task and how its search went.
struct Curve {
  int rounds = 0;                              // those of earlier searches included
  std::vector<std::optional<double>> history;  // best units after each round
  std::optional<Result> best;
  std::optional<Result> known;  // the best of earlier searches
  int turns = 0;                // of this search
  int64_t trials = 0;
  int64_t improved = 0;  // trials at its last gain
  bool dead = false;     // nothing to gain, or nothing left

  bool IsCold() const { return !dead && (!best || rounds == 0); }

  // Whether it is a gain.
  bool Take(const Measurement& measurement) {
    if (!measurement.ok()) return false;
    const Timing& timing = *measurement.timing;
    const Result result = {1 / timing.ratio.median, timing.seconds * timing.ratio.median};
    if (best && result.units >= best->units) return false;
    best = result;
    return true;
  }

  std::optional<double> BestUnits() const {
    return best ? std::optional(best->units) : std::nullopt;
  }
};

class Gradient : public TaskScheduler {
 public:
  Gradient(GradientOptions options, const SchedulerContext& context)
      : options_(std::move(options)),
        tasks_(context.tasks),
        batch_(context.batch),
        rng_(context.rng),
        objective_(options_.objective, CountsOf(context), options_.requirements),
        groups_(TagsOf(context), options_.beta),
        curves_(context.tasks.size()) {}

  // As published, rounds are estimated as records over the batch, rounded. TVM's history then
  // begins anew with one entry (history=one), so that the backward slope stays 0 for a task of more
  // than one known round; `all` takes the best after each of those rounds.
  void Resume(int task, std::span<const Record> known) override {
    Curve& curve = curves_[task];
    curve.rounds = static_cast<int>(static_cast<double>(known.size()) / batch_ + 0.5);
    for (size_t i = 0; i < known.size(); ++i) {
      curve.Take(known[i].measurement);
      const bool ends_round = (i + 1) % static_cast<size_t>(batch_) == 0;
      if (options_.whole_history && ends_round) curve.history.push_back(curve.BestUnits());
    }
    curve.known = curve.best;
    if (!options_.whole_history && !known.empty()) curve.history.push_back(curve.BestUnits());
    if (!options_.whole_history || curve.rounds == 0) return;
    curve.history.resize(static_cast<size_t>(curve.rounds));
    curve.history.back() = curve.BestUnits();
  }

  std::optional<int> Next() override {
    if (const std::optional<int> cold = Coldest()) return cold;
    if (Stagnates()) return std::nullopt;
    const std::vector<int> live = Live();
    if (live.empty()) return std::nullopt;
    if (options_.epsilon > 0 && rng_.Chance(options_.epsilon)) return OneOf(live);
    return OneOf(Steepest(live));
  }

  void Report(int task, std::span<const Measurement> measurements) override {
    if (measurements.empty()) return;
    Curve& curve = curves_[task];
    bool judged = false;
    for (const Measurement& measurement : measurements) {
      ++trials_;
      ++curve.trials;
      judged = judged || MayLearnFrom(measurement.outcome);
      if (curve.Take(measurement)) curve.improved = curve.trials;
    }
    ++curve.rounds;
    ++curve.turns;
    curve.history.push_back(curve.BestUnits());
    if (!curve.best && (judged || curve.turns >= kWarmUpTurns)) curve.dead = true;
    groups_.Reconsider(task, Standings());
  }

  // No round can have reached less than what stands now.
  void Revise(int task, const std::optional<Record>& best) override {
    Curve& curve = curves_[task];
    curve.best = curve.known;
    if (best) curve.Take(best->measurement);
    for (std::optional<double>& units : curve.history) {
      units =
          units && curve.best ? std::optional(std::max(*units, curve.best->units)) : std::nullopt;
    }
  }

  void Finish(int task) override { curves_[task].dead = true; }

 private:
  static std::vector<std::vector<double>> CountsOf(const SchedulerContext& context) {
    std::vector<std::vector<double>> counts;
    for (const ScheduledTask& task : context.tasks) counts.push_back(task.counts);
    return counts;
  }

  static std::vector<std::string> TagsOf(const SchedulerContext& context) {
    std::vector<std::string> tags;
    for (const ScheduledTask& task : context.tasks) tags.push_back(task.tag);
    return tags;
  }

  // Of the tasks still to be warmed up, the first of those with the fewest turns.
  std::optional<int> Coldest() const {
    std::optional<int> coldest;
    for (int i = 0; i < static_cast<int>(curves_.size()); ++i) {
      if (!curves_[i].IsCold()) continue;
      if (!coldest || curves_[i].turns < curves_[*coldest].turns) coldest = i;
    }
    return coldest;
  }

  // Counted from the end of the warm-up. Unlike TVM's, dead tasks do not keep the search alive.
  bool Stagnates() {
    const double value = objective_.Value(Latencies());
    if (!best_value_ || value < *best_value_) {
      best_value_ = value;
      improved_ = trials_;
    }
    return options_.patience > 0 && trials_ - improved_ >= options_.patience;
  }

  // A task that rests (f4: its latency stands as it is) has a gradient of 0, as a dead one, and is
  // not chosen even where all others' are 0, too.
  std::vector<int> Live() const {
    std::vector<int> live;
    for (int i = 0; i < static_cast<int>(curves_.size()); ++i) {
      const Curve& curve = curves_[i];
      const int64_t limit = options_.task_patience;
      const bool rests = limit > 0 && curve.trials - curve.improved >= limit;
      if (!curve.dead && !rests) live.push_back(i);
    }
    return live;
  }

  // Those whose gradient is the most negative. (Among several of many, TVM takes the first.)
  std::vector<int> Steepest(const std::vector<int>& live) const {
    const auto latencies = Latencies();
    const auto standings = Standings();
    std::vector<int> steepest;
    double least = 0;
    for (int task : live) {
      const double slope = objective_.Slope(latencies, task) * CurveSlope(task, standings);
      if (steepest.empty() || slope < least) steepest.clear();
      if (steepest.empty()) least = slope;
      if (slope == least) steepest.push_back(task);
    }
    return steepest;
  }

  // dg/dt of a task in seconds a round.
  double CurveSlope(int task, const std::vector<TaskStanding>& standings) const {
    const Curve& curve = curves_[task];
    std::optional<double> similar;
    if (const std::optional<double> speed = groups_.BestSpeed(task, standings)) {
      similar = options_.beta * tasks_[task].flops / *speed;
    }
    const double backward =
        curve.best->reference * BackwardSlope(curve.history, curve.rounds, options_.window);
    const double forward = ForwardSlope(curve.best->seconds(), curve.rounds, similar);
    return options_.alpha * backward + (1 - options_.alpha) * forward;
  }

  std::vector<std::optional<TaskLatency>> Latencies() const {
    std::vector<std::optional<TaskLatency>> latencies;
    for (const Curve& curve : curves_) {
      latencies.emplace_back();
      if (curve.best) latencies.back() = {curve.best->seconds(), curve.best->reference};
    }
    return latencies;
  }

  std::vector<TaskStanding> Standings() const {
    std::vector<TaskStanding> standings;
    for (size_t i = 0; i < curves_.size(); ++i) {
      standings.push_back({std::nullopt, curves_[i].rounds});
      const std::optional<Result>& best = curves_[i].best;
      if (best) standings.back().speed = tasks_[i].flops / best->seconds();
    }
    return standings;
  }

  int OneOf(const std::vector<int>& tasks) {
    return tasks.size() == 1 ? tasks[0] : tasks[rng_.Below(static_cast<int64_t>(tasks.size()))];
  }

  GradientOptions options_;
  std::vector<ScheduledTask> tasks_;
  int batch_;
  Rng rng_;
  NetworkObjective objective_;
  SimilarityGroups groups_;
  std::vector<Curve> curves_;
  int64_t trials_ = 0;
  int64_t improved_ = 0;  // trials at the objective's last gain
  std::optional<double> best_value_;
};

}  // namespace

double BackwardSlope(std::span<const std::optional<double>> history, int rounds, int window) {
  const int now = rounds - 1, then = now - window;
  if (then < 0 || now >= static_cast<int>(history.size())) return 0;
  if (!history[now] || !history[then]) return 0;
  return (*history[now] - *history[then]) / window;
}

double ForwardSlope(double latency, int rounds, std::optional<double> similar) {
  SG_CHECK(rounds > 0, "a task is warmed up before it has a gradient");
  const double next = latency - latency / rounds;
  return (similar ? std::min(next, *similar) : next) - latency;
}

std::unique_ptr<TaskScheduler> MakeGradient(const Spec& spec, const SchedulerContext& context) {
  const size_t networks = context.tasks.empty() ? 1 : context.tasks[0].counts.size();
  return std::make_unique<Gradient>(ReadGradientOptions(spec, networks), context);
}

}  // namespace schedulegym
