// Ansor's task scheduler (Zheng et al., OSDI 2020, section 6; TVM 0.16 task_scheduler.py). After a
// warm-up of one round a task, the next round goes to the task of the most negative
//   df/dg_i * (alpha * (g_now - g_(now - window)) / window + (1 - alpha) * forward)
//   forward = min(g - g / rounds, weight of similar tasks' best speed) - g
// with g the latency, f the objective over networks (latency, requirement, speed-up); alpha 0.2,
// window 3, beta 2 are TVM's. With probability epsilon any live task is chosen. Tasks without a
// gain for `task_patience` trials rest; the search ends after `patience` trials without a gain of
// f.
// With foresee (FamilySeer: Zhang et al., "Exploiting subgraph similarities for efficient
// auto-tuning of tensor programs", ICPP 2023), the next turn goes to the most promising other task
// of the chosen one's family. It has fewer trials (published 16 after 64) and is no round of the
// task. Families are tasks with the same reductions, whatever their sizes. With turn=N turns have
// min(N, budget / tasks) trials, as TVM's. Cost: O(tasks * networks) a choice.
#include "agents/schedulers/gradient.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "agents/schedulers/curve_slopes.h"
#include "agents/schedulers/scheduler_model_state.h"
#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kGradientKind = "gradient 1";

// Returns the reductions of a SimilarityTag, without the number of operations.
std::string FamilyTag(const std::string& tag) { return tag.substr(0, tag.rfind('_') + 1); }

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
        foreseen_(context.tasks.size()),
        memory_(
            kGradientKind, context, [this] { return State(); },
            [this](const std::string& state) { Restore(state); }) {
    memory_.Read(options_.model);
    if (options_.foresee > 0 && context.say) SayWhoIsAlone(context);
  }

  std::optional<int> Next(const SchedulerView& view) override {
    curves_.Look(view);
    const int64_t tasks = std::max<int64_t>(1, std::ssize(view.tasks));
    if (!share_) share_ = std::max<int64_t>(1, view.trials_left / tasks);
    std::fill(slopes_.begin(), slopes_.end(), std::nullopt);
    if (const std::optional<int> other = Foreseen(view)) return other;
    if (const std::optional<int> cold = Coldest(view.curves)) return cold;
    if (Stagnates(view)) return std::nullopt;
    const std::vector<int> live = Live(view.curves);
    if (live.empty()) return std::nullopt;
    NoteSlopes(view, live);
    const bool by_chance = options_.epsilon > 0 && rng_.Chance(options_.epsilon);
    chosen_ = OneOf(by_chance ? live : Steepest(live));
    foreseen_[*chosen_].erase(TurnsOf(view, *chosen_));
    return chosen_;
  }

  std::optional<int> MostTrials() const override {
    if (is_foreseen_) return options_.foresee;
    if (options_.turn == 0) return std::nullopt;
    return static_cast<int>(std::min<int64_t>(options_.turn, share_.value_or(options_.turn)));
  }

  std::string Why(int task) const override {
    if (!slopes_[task]) return "";
    char text[64];
    std::snprintf(text, sizeof(text), "gains %.3g a turn%s", -*slopes_[task],
                  is_foreseen_ ? ", foreseen" : "");
    return text;
  }

  ModelState* memory() override { return memory_.IfSeveral(); }

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

  static void SayWhoIsAlone(const SchedulerContext& context) {
    std::map<std::string, int> sizes;
    for (const ScheduledTask& task : context.tasks) ++sizes[FamilyTag(task.tag)];
    int alone = 0;
    for (const auto& [tag, size] : sizes) alone += tag.empty() ? size : size == 1 ? 1 : 0;
    if (alone == 0) return;
    context.say("scheduler gradient: foresee has no effect after turns of " +
                std::to_string(alone) + " of " + std::to_string(context.tasks.size()) +
                " tasks, which are alone in their families");
  }

  static int TurnsOf(const SchedulerView& view, int task) {
    return static_cast<int>(view.curves[task].own_turns().size());
  }

  // Returns another task of the same family, once after a turn of a task; nullopt if there is none.
  std::optional<int> Foreseen(const SchedulerView& view) {
    is_foreseen_ = false;
    const std::optional<int> chosen = std::exchange(chosen_, std::nullopt);
    if (options_.foresee == 0 || !chosen) return std::nullopt;
    const std::string family = FamilyTag(view.tasks[*chosen].tag);
    std::vector<int> others = Live(view.curves);
    std::erase_if(others, [&](int task) {
      return task == *chosen || family.empty() || IsCold(view.curves[task]) ||
             FamilyTag(view.tasks[task].tag) != family;
    });
    if (others.empty()) return std::nullopt;
    NoteSlopes(view, others);
    const int other = OneOf(Steepest(others));
    foreseen_[other].insert(TurnsOf(view, other));
    is_foreseen_ = true;
    return other;
  }

  static std::vector<std::vector<double>> CountsOf(const SchedulerContext& context) {
    std::vector<std::vector<double>> counts;
    for (const ScheduledTask& task : context.tasks) counts.push_back(task.counts);
    return counts;
  }

  // The first of the tasks with the fewest turns, among those still to be warmed up.
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

  // Trials are counted from the end of the warm-up. A search that goes on from a file counts from
  // 0. Unlike in TVM, dead tasks do not keep the search alive.
  bool Stagnates(const SchedulerView& view) {
    int64_t trials = 0;
    for (const TaskCurve& curve : view.curves) trials += curve.trials();
    stale_ += trials < trials_ ? trials : trials - trials_;
    trials_ = trials;
    const double value = objective_.Value(Latencies(view));
    if (!best_value_ || value < *best_value_) {
      best_value_ = value;
      stale_ = 0;
    }
    return options_.patience > 0 && stale_ >= options_.patience;
  }

  // A resting task (f4: its latency stays) has a gradient of 0, as a dead one has. It is not chosen
  // even if all other gradients are 0.
  std::vector<int> Live(std::span<const TaskCurve> curves) const {
    std::vector<int> live;
    for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
      const int64_t limit = options_.task_patience;
      const bool rests = limit > 0 && curves[i].trials_since_gain() >= limit;
      if (!IsDead(curves[i]) && !rests) live.push_back(i);
    }
    return live;
  }

  void NoteSlopes(const SchedulerView& view, const std::vector<int>& live) {
    const auto latencies = Latencies(view);
    for (int task : live) {
      const CurveSlope slope = curves_.Of(view, task, foreseen_[task]);
      const double both = options_.alpha * slope.backward + (1 - options_.alpha) * slope.forward;
      slopes_[task] = objective_.Slope(latencies, task) * both;
    }
  }

  // Returns the tasks with the most negative gradient. (TVM takes the first of several.)
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

  static std::vector<std::optional<TaskLatency>> Latencies(const SchedulerView& view) {
    std::vector<std::optional<TaskLatency>> latencies;
    for (const TaskCurve& curve : view.curves) {
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
  std::vector<std::optional<double>> slopes_;  // of the tasks weighed at the last choice
  std::vector<std::set<int>> foreseen_;        // own turns of each task
  std::optional<int> chosen_;     // the task whose family has not had its foreseen turn yet
  bool is_foreseen_ = false;      // the last choice
  std::optional<int64_t> share_;  // of the budget, each task's, at the first choice
  int64_t trials_ = 0;            // at the last choice
  int64_t stale_ = 0;             // trials since the objective's last gain
  std::optional<double> best_value_;
  SchedulerModelState memory_;
};

constexpr int64_t kMaxWindow = 1'000'000;
constexpr double kMaxBeta = 1e9;

[[noreturn]] void Refuse(const std::string& message) {
  throw InputError("scheduler 'gradient': " + message);
}

double NumberIn(SpecReader& reader, const std::string& key, double value, double low, double high) {
  const double number = reader.Number(key, value);
  if (number >= low && number <= high) return number;
  Refuse("key '" + key + "' is " + FormatDouble(number) + ", expected a number from " +
         FormatDouble(low) + " to " + FormatDouble(high));
}

int64_t IntegerIn(SpecReader& reader, const std::string& key, int64_t value, int64_t low,
                  int64_t high = std::numeric_limits<int64_t>::max()) {
  const int64_t number = reader.Integer(key, value);
  if (number >= low && number <= high) return number;
  Refuse("key '" + key + "' is " + std::to_string(number) + ", expected an integer of at " +
         (number < low ? "least " + std::to_string(low) : "most " + std::to_string(high)));
}

ObjectiveKind ReadObjective(SpecReader& reader) {
  const std::string word =
      reader.Choice("objective", "latency", {"latency", "requirement", "speedup"});
  if (word == "requirement") return ObjectiveKind::kRequirement;
  return word == "speedup" ? ObjectiveKind::kSpeedup : ObjectiveKind::kLatency;
}

double SecondsOf(std::string_view word) {
  const std::optional<double> seconds = ParseDouble(word);
  if (seconds && *seconds > 0 && *seconds <= std::numeric_limits<double>::max()) return *seconds;
  Refuse("key 'requirement' is '" + std::string(word) + "', expected seconds above 0");
}

// Returns the option as written; empty if the key is absent.
std::vector<double> ReadSeconds(const Spec& spec, SpecReader& reader) {
  const auto option =
      std::find_if(spec.options.begin(), spec.options.end(),
                   [](const SpecOption& each) { return each.key == "requirement"; });
  const bool is_text =
      option != spec.options.end() && std::holds_alternative<std::string>(option->value.value);
  if (!is_text) {
    const double number = reader.Number("requirement", 0);
    if (option == spec.options.end()) return {};
    return {SecondsOf(FormatDouble(number))};
  }
  std::string text = reader.Word("requirement", "");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::vector<double> all;
  for (std::string_view rest = Trim(text); !rest.empty();) {
    const auto [word, tail] = Cut(rest, ' ');
    all.push_back(SecondsOf(word));
    rest = Trim(tail);
  }
  return all;
}

std::vector<double> ReadRequirements(const Spec& spec, SpecReader& reader, ObjectiveKind objective,
                                     size_t networks) {
  std::vector<double> seconds = ReadSeconds(spec, reader);
  if (objective != ObjectiveKind::kRequirement) {
    if (!seconds.empty()) Refuse("key 'requirement' is given, expected objective=requirement, too");
    return {};
  }
  if (seconds.empty()) {
    Refuse("key 'requirement' is missing, expected the seconds that a network may take");
  }
  if (seconds.size() == 1) seconds.resize(networks, seconds[0]);
  if (seconds.size() != networks) {
    Refuse("key 'requirement' has " + std::to_string(seconds.size()) +
           " numbers, expected one, or one for each of " + std::to_string(networks) + " networks");
  }
  return seconds;
}

}  // namespace

std::unique_ptr<TaskScheduler> MakeGradient(const Spec& spec, const SchedulerContext& context) {
  const size_t networks = context.tasks.empty() ? 1 : context.tasks[0].counts.size();
  return std::make_unique<Gradient>(ReadGradientOptions(spec, networks), context);
}

GradientOptions ReadGradientOptions(const Spec& spec, size_t networks) {
  SpecReader reader(spec, "scheduler");
  GradientOptions options;
  const bool is_faithful = reader.Choice("mode", "fixed", {"fixed", "faithful"}) == "faithful";
  options.alpha = NumberIn(reader, "alpha", options.alpha, 0, 1);
  options.beta = NumberIn(reader, "beta", options.beta, 1, kMaxBeta);
  options.window = static_cast<int>(IntegerIn(reader, "window", options.window, 1, kMaxWindow));
  options.objective = ReadObjective(reader);
  options.requirements = ReadRequirements(spec, reader, options.objective, networks);
  options.epsilon = NumberIn(reader, "epsilon", options.epsilon, 0, 1);
  options.task_patience = IntegerIn(reader, "task_patience", options.task_patience, 0);
  options.patience = IntegerIn(reader, "patience", options.patience, 0);
  const std::string history = is_faithful ? "one" : "all";
  options.whole_history = reader.Choice("history", history, {"all", "one"}) == "all";
  options.foresee = static_cast<int>(IntegerIn(reader, "foresee", options.foresee, 0, 1'000'000));
  options.turn = static_cast<int>(IntegerIn(reader, "turn", options.turn, 0, 1'000'000));
  options.model = reader.Word("model", "");
  reader.Finish();
  return options;
}

}  // namespace schedulegym
