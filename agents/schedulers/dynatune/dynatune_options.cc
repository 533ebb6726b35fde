#include "agents/schedulers/dynatune/dynatune_options.h"

#include <limits>
#include <string>
#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

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

BeliefOptions ReadFamilies(SpecReader& reader) {
  const std::string word = reader.Word("belief", "log_power");
  if (word == "nine") return CombinedBelief();
  BeliefOptions options;
  const std::optional<CurveFamily> family = ParseCurveFamily(word);
  if (family) {
    options.families = {*family};
    return options;
  }
  std::vector<std::string> known = {"nine"};
  for (const CurveFamilyEntry& entry : CurveFamilies()) known.emplace_back(entry.name);
  throw InputError("scheduler 'dynatune': " + UnknownName("belief", word, known));
}

BeliefOptions ReadBelief(SpecReader& reader) {
  BeliefOptions options = ReadFamilies(reader);
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

DynatuneOptions ReadDynatuneOptions(const Spec& spec) {
  SpecReader reader(spec, "scheduler");
  const bool is_faithful =
      reader.Choice("mode", "improved", {"improved", "faithful"}) == "faithful";
  DynatuneOptions options = is_faithful ? FaithfulDynatune() : DynatuneOptions();
  options.belief = ReadBelief(reader);
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
  // Of seconds nothing repeats.
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
