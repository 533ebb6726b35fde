// DynaTune (Zhang et al., ICLR 2021; limenghao/DynaTune): a bandit over tasks whose pulls are
// slots.
// 1. warm-up: the task without a success that has the fewest slots;
// 2. a curve model forecasts each task's best speed at the end of its next slot (curve_models.h);
// 3. the worth is the latency of all networks that a slot saves: (1 / now - 1 / then) * weight *
//    reference, by expected improvement or the mean, a second or a slot, over the largest;
// 4. the slot goes to the largest  worth + sqrt(c ln(all slots) / slots).
// Tasks without a gain for `task_patience` trials retire. mode=faithful: slots of 20 seconds, c =
// 2, mean forecasts, without weights of tasks. Cost: one curve model a task and slot.
#include "agents/schedulers/dynatune/dynatune.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "agents/schedulers/dynatune/curve_models.h"
#include "agents/schedulers/dynatune/slot_score.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::vector<std::string> TagsOf(const SchedulerContext& context) {
  std::vector<std::string> tags;
  for (const ScheduledTask& task : context.tasks) tags.push_back(task.tag);
  return tags;
}

// Includes trials of earlier searches, as if there had been no pause.
int64_t TrialsSinceGain(const TaskCurve& curve) {
  const auto& bests = curve.best_by_trial;
  if (bests.empty()) return 0;
  const auto gain = std::find(bests.begin(), bests.end(), bests.back());
  return std::ssize(bests) - 1 - (gain - bests.begin());
}

// Expected trials and seconds of a task's next slot.
struct NextSlot {
  double trials = 1;
  double seconds = 1;
};

// Expected gain of the latency of all networks.
struct Promise {
  double seconds_saved = 0;
  double deviation = 0;
};

class Dynatune : public TaskScheduler {
 public:
  Dynatune(const DynatuneOptions& options, const SchedulerContext& context)
      : options_(options),
        batch_(context.batch),
        curve_models_(options, TagsOf(context), Rng(context.rng).Next(), context.stop),
        promises_(context.tasks.size()) {}

  std::optional<int> Next(const SchedulerView& view) override {
    const std::vector<int> active = Active(view.curves);
    for (int task : active) {
      if (SlotsOf(view.curves[task]).is_open) return task;
    }
    std::fill(promises_.begin(), promises_.end(), std::nullopt);
    if (active.empty()) return std::nullopt;
    if (const std::optional<int> cold = Coldest(view.curves, active)) return cold;
    curve_models_.Update(view.curves, active);
    return Best(view, active);
  }

  std::string Why(int task) const override {
    if (!promises_[task]) return "";
    if (!curve_models_.WasFitted(task)) return "too few trials for a curve";
    if (curve_models_.HasFallenBack(task)) {
      const FitCounts counts = curve_models_.counts();
      return "no curve fits (" + std::to_string(counts.fallbacks) + " of " +
             std::to_string(counts.fits) + " fits so far)";
    }
    char text[80];
    std::snprintf(text, sizeof(text), "saves %.3g ms a slot, give or take %.2g",
                  promises_[task]->seconds_saved * 1e3, promises_[task]->deviation * 1e3);
    return text;
  }

  std::optional<FitCounts> Fits() const override { return curve_models_.counts(); }

 private:
  SlotCount SlotsOf(const TaskCurve& curve) const {
    return CountSlots(curve, options_.slot, options_.short_warm_up);
  }

  // Returns the tasks that are neither finished nor retired nor given up.
  std::vector<int> Active(std::span<const TaskCurve> curves) const {
    std::vector<int> active = ActiveTasks(curves);
    std::erase_if(active, [&](int task) {
      const TaskCurve& curve = curves[task];
      const int64_t patience = options_.task_patience;
      if (curve.best) return patience > 0 && TrialsSinceGain(curve) >= patience;
      return SlotsOf(curve).whole >= options_.warm_up;
    });
    return active;
  }

  // Returns the first of the tasks with the fewest slots, among those without a success.
  std::optional<int> Coldest(std::span<const TaskCurve> curves,
                             const std::vector<int>& active) const {
    std::optional<int> coldest;
    int fewest = 0;
    for (int task : active) {
      const int slots = SlotsOf(curves[task]).whole;
      if (curves[task].best || (coldest && slots >= fewest)) continue;
      coldest = task;
      fewest = slots;
    }
    return coldest;
  }

  int Best(const SchedulerView& view, const std::vector<int>& active) {
    std::vector<double> worths;
    std::vector<int> slots;
    int all_slots = 0;
    for (int task : active) {
      worths.push_back(WorthOf(view, task));
      slots.push_back(std::max(SlotsOf(view.curves[task]).whole, 1));
      all_slots += slots.back();
    }
    // The released code does not scale GFLOP a second, beside which its bonus is small.
    if (options_.worth != SlotWorth::kSpeed) worths = OverLargest(worths);
    size_t best = 0;
    double most = 0;
    for (size_t i = 0; i < active.size(); ++i) {
      const double bound = UpperBound(worths[i], options_.exploration, slots[i], all_slots);
      if (i > 0 && bound <= most) continue;
      best = i;
      most = bound;
    }
    return active[best];
  }

  double WorthOf(const SchedulerView& view, int task) {
    const BestResult& now = *view.curves[task].best;
    const ScheduledTask& scheduled = view.tasks[task];
    const NextSlot slot = NextSlotOf(view.curves, task);
    Forecast ratio = curve_models_.After(task, slot.trials);
    if (options_.from_curve) {
      ratio = curve_models_.Rise(task, slot.trials);
      ratio.mean += now.ratio;
    }
    const double count = options_.by_share ? scheduled.weight() : 1;
    promises_[task] = {LatencyGain(scheduled.weight(), now.reference, now.ratio, ratio.mean),
                       scheduled.weight() * now.reference * ratio.deviation /
                           (now.ratio * std::max(now.ratio, ratio.mean))};
    if (options_.worth == SlotWorth::kSpeed) {
      return scheduled.flops * ratio.mean / now.reference * 1e-9;
    }
    const double ends = options_.worth == SlotWorth::kLatency
                            ? ratio.mean
                            : now.ratio + ExpectedImprovement(ratio, now.ratio);
    // The reference's seconds serve as the work, so the ratio is the speed.
    const double gain =
        LatencyGain(count, now.reference, now.ratio, ends) +
        options_.records * count * now.seconds() *
            ExpectedRecords(std::ssize(view.curves[task].best_by_trial), slot.trials);
    return options_.per_second ? gain / slot.seconds : gain;
  }

  // At least one turn. A task without recorded time is expected to be as slow as all together.
  NextSlot NextSlotOf(std::span<const TaskCurve> curves, int task) const {
    const auto turn = static_cast<double>(batch_);
    const double each = SecondsATrial(curves, task);
    NextSlot slot;
    slot.trials = options_.slot.kind == SlotKind::kTrials ? options_.slot.size : turn;
    if (options_.slot.kind == SlotKind::kSeconds && each > 0) {
      slot.trials = std::max(options_.slot.size / each, turn);
    }
    if (each > 0) slot.seconds = slot.trials * each;
    return slot;
  }

  // Returns 0 if no trial is known.
  static double SecondsATrial(std::span<const TaskCurve> curves, int task) {
    const TaskCurve& own = curves[task];
    if (own.trials() > 0) return own.seconds() / static_cast<double>(own.trials());
    double seconds = 0, trials = 0;
    for (const TaskCurve& curve : curves) {
      seconds += curve.seconds();
      trials += static_cast<double>(curve.trials());
    }
    return trials > 0 ? seconds / trials : 0;
  }

  DynatuneOptions options_;
  int batch_;
  CurveModels curve_models_;
  std::vector<std::optional<Promise>> promises_;  // of the tasks weighed at the last choice
};

constexpr int64_t kMostWalkers = 10'000, kMostSteps = 1'000'000, kMostPoints = 1'000'000;
constexpr double kMostExploration = 1e6;

[[noreturn]] void Refuse(const std::string& key, const std::string& found,
                         const std::string& expected) {
  throw InputError("scheduler 'dynatune': key '" + key + "' is " + found + ", expected " +
                   expected);
}

int IntegerIn(SpecReader& reader, const std::string& key, int value, int64_t low, int64_t high) {
  const int64_t number = reader.Integer(key, value);
  if (number >= low && number <= high) return static_cast<int>(number);
  Refuse(key, std::to_string(number),
         "an integer from " + std::to_string(low) + " to " + std::to_string(high));
}

constexpr char kCurveModelKey[] = "curve_model", kOldCurveModelKey[] = "belief";

// Renames old option keys to the new ones, which errors name.
Spec WithNewKey(Spec spec) {
  const auto old = std::ranges::find(spec.options, kOldCurveModelKey, &SpecOption::key);
  if (old == spec.options.end()) return spec;
  if (std::ranges::find(spec.options, kCurveModelKey, &SpecOption::key) != spec.options.end()) {
    throw InputError("scheduler 'dynatune': found '" + std::string(kCurveModelKey) +
                     "' and its old name '" + kOldCurveModelKey + "', expected one of them");
  }
  old->key = kCurveModelKey;
  return spec;
}

CurveModelOptions ReadFamilies(SpecReader& reader) {
  std::vector<std::string> known = {"nine"};
  for (const CurveFamilyEntry& entry : CurveFamilies()) known.emplace_back(entry.name);
  const std::string word = reader.Choice(kCurveModelKey, "log_power", known);
  if (word == "nine") return CombinedCurveModel();
  CurveModelOptions options;
  options.families = {ParseCurveFamily(word).value()};
  return options;
}

CurveModelOptions ReadCurveModel(SpecReader& reader) {
  CurveModelOptions options = ReadFamilies(reader);
  options.samples = reader.Choice("fit", "sampled", {"sampled", "least_squares"}) == "sampled";
  EnsembleOptions& ensemble = options.ensemble;
  ensemble.walkers = IntegerIn(reader, "walkers", ensemble.walkers, 2, kMostWalkers);
  ensemble.steps = IntegerIn(reader, "steps", ensemble.steps, 1, kMostSteps);
  const int burn_in = std::min(ensemble.burn_in, ensemble.steps - 1);
  ensemble.burn_in = IntegerIn(reader, "burn_in", burn_in, 0, ensemble.steps - 1);
  options.recency = reader.Flag("recency", options.recency);
  return options;
}

SlotWorth ReadWorth(SpecReader& reader, SlotWorth usual) {
  const std::vector<std::string> words = {"latency", "improvement", "speed"};
  const std::string word = reader.Choice("score", words[static_cast<size_t>(usual)], words);
  if (word == "latency") return SlotWorth::kLatency;
  return word == "speed" ? SlotWorth::kSpeed : SlotWorth::kImprovement;
}

}  // namespace

std::unique_ptr<TaskScheduler> MakeDynatune(const Spec& spec, const SchedulerContext& context) {
  return std::make_unique<Dynatune>(ReadDynatuneOptions(spec), context);
}

// Slots of the README's example, patience of the demo; UCB's c as released (Zhang et al., ICLR
// 2021, and limenghao/DynaTune).
DynatuneOptions FaithfulDynatune() {
  DynatuneOptions options;
  options.worth = SlotWorth::kLatency;
  options.slot = {SlotKind::kSeconds, 20};
  options.exploration = 2;
  options.records = 0;
  options.by_share = options.log_trials = options.similar = options.per_second = false;
  options.from_curve = options.short_warm_up = false;
  options.points = 0;
  options.task_patience = 50;
  return options;
}

std::vector<std::string> OldNamesOfScheduler(const Spec& spec) {
  const bool is_old =
      spec.name == "dynatune" &&
      std::ranges::find(spec.options, kOldCurveModelKey, &SpecOption::key) != spec.options.end();
  if (!is_old) return {};
  return {"scheduler: '" + std::string(kOldCurveModelKey) + "' is an old name of '" +
          kCurveModelKey + "'"};
}

DynatuneOptions ReadDynatuneOptions(const Spec& spec) {
  SpecReader reader(WithNewKey(spec), "scheduler");
  const bool is_faithful =
      reader.Choice("mode", "improved", {"improved", "faithful"}) == "faithful";
  DynatuneOptions options = is_faithful ? FaithfulDynatune() : DynatuneOptions();
  options.curve_model = ReadCurveModel(reader);
  options.worth = ReadWorth(reader, options.worth);
  options.slot = ReadSlot(reader, "dynatune", options.slot);
  options.exploration = reader.Number("c", options.exploration);
  if (!(options.exploration >= 0 && options.exploration <= kMostExploration)) {
    Refuse("c", FormatDouble(options.exploration),
           "a number from 0 to " + FormatDouble(kMostExploration));
  }
  options.records = reader.Number("records", options.records);
  if (!(options.records >= 0 && options.records <= 1)) {
    Refuse("records", FormatDouble(options.records), "a number from 0 to 1");
  }
  const std::string usual = options.by_share ? "share" : "none";
  options.by_share = reader.Choice("weights", usual, {"share", "none"}) == "share";
  options.log_trials = reader.Flag("log_trials", options.log_trials);
  options.similar = reader.Flag("similar", options.similar);
  const std::string gain = options.from_curve ? "curve" : "best";
  options.from_curve = reader.Choice("gain", gain, {"curve", "best"}) == "curve";
  options.short_warm_up = reader.Flag("short_warm_up", options.short_warm_up);
  // Rates per second are not reproducible, and neither are slots in seconds.
  const bool has_seconds = options.slot.kind == SlotKind::kSeconds;
  options.per_second = reader.Flag("per_second", options.per_second && has_seconds);
  options.points = IntegerIn(reader, "points", options.points, 0, kMostPoints);
  options.task_patience =
      IntegerIn(reader, "task_patience", static_cast<int>(options.task_patience), 0,
                std::numeric_limits<int>::max());
  options.warm_up = IntegerIn(reader, "warm_up", options.warm_up, 1, kMostSteps);
  reader.Finish();
  return options;
}

}  // namespace schedulegym
