#include "agents/search/refiner.h"

#include <algorithm>
#include <utility>

#include "agents/search/dpansor_search.h"
#include "agents/search/droplet_search.h"
#include "agents/search/refinement.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// The best that its trace still leads to, and that.
std::optional<std::pair<ScheduleState, Timing>> BestOf(const std::shared_ptr<const Task>& task,
                                                       const std::map<Key, Record>& successes) {
  std::vector<const Record*> order;
  for (const auto& [key, record] : successes) order.push_back(&record);
  std::stable_sort(order.begin(), order.end(), [](const Record* a, const Record* b) {
    return IsBetter(a->measurement, b->measurement);
  });
  for (const Record* record : order) {
    Result<ScheduleState> state = ReplayText(task, record->trace);
    if (state) return {{*std::move(state), *record->measurement.timing}};
  }
  return std::nullopt;
}

}  // namespace

RefinerOptions RefinerOptions::Published() {
  return {RefinerMode::kPublished, DpansorOptions().trials, DpansorOptions().better};
}

void ReadRefinerOptions(SpecReader& reader, const std::string& who, RefinerOptions& options) {
  options.trials = reader.Integer("trials", options.trials);
  if (options.trials < 1) {
    throw InputError(who + ": trials=" + std::to_string(options.trials) + ", expected at least 1");
  }
  ReadLevel(reader, who, options.better);
}

RefinerOptions ReadRefiner(const Spec& spec) {
  const std::string known = "droplet";
  if (spec.name != known) throw InputError(UnknownName("refiner", spec.name, {known}));
  SpecReader reader(spec, "refiner");
  RefinerOptions options;
  ReadRefinerOptions(reader, "refiner " + known, options);
  reader.Finish();
  return options;
}

Refiner::Refiner(const RefinerOptions& options, const SearchSpace& space)
    : options_(options), space_(space) {}

std::vector<ScheduleState> Refiner::Propose(const std::shared_ptr<const Task>& task, int count) {
  TaskRefinement& refinement = refinements_[TaskKey(*task)];
  if (!refinement.descent) Begin(task, refinement);
  if (!refinement.descent) return {};
  const int64_t left = options_.trials - std::ssize(refinement.proposed);
  const int most = static_cast<int>(std::min<int64_t>(count, left));
  if (most <= 0) return {};
  std::vector<ScheduleState> proposals = refinement.descent->Propose(most, refinement.known);
  for (const ScheduleState& state : proposals) refinement.proposed.push_back(StateKey(state));
  return proposals;
}

void Refiner::Learn(std::span<const Record> records) {
  for (const Record& record : records) {
    TaskRefinement& refinement = refinements_[record.task->key];
    refinement.known[record.state_key] = record.measurement.timing;
    if (refinement.descent) continue;
    refinement.successes.erase(record.state_key);
    if (record.measurement.ok()) refinement.successes.emplace(record.state_key, record);
  }
}

// What was accepted in turn, seen from the end, so that results which did not stand do not count.
std::optional<RefinementGain> Refiner::Gain(const Key& task) const {
  const auto found = refinements_.find(task);
  if (found == refinements_.end() || found->second.proposed.empty()) return std::nullopt;
  const TaskRefinement& refinement = found->second;
  RefinementGain gain;
  gain.trials = std::ssize(refinement.proposed);
  const bool anew = options_.mode == RefinerMode::kFixed;
  const std::optional<Timing> before =
      anew ? refinement.known.at(refinement.seed) : refinement.before;
  if (!before) return gain;
  Timing best = *before;
  for (const Key& key : refinement.proposed) {
    const std::optional<Timing>& timing = refinement.known.at(key);
    if (timing && IsBetter(options_.better, *timing, best)) best = *timing;
  }
  gain.speed = best.ratio.median / before->ratio.median;
  return gain;
}

void Refiner::Begin(const std::shared_ptr<const Task>& task, TaskRefinement& refinement) const {
  const auto best = BestOf(task, std::exchange(refinement.successes, {}));
  if (!best) return;
  const auto& [state, timing] = *best;
  refinement.seed = StateKey(state);
  refinement.before = timing;
  refinement.descent = DescentFrom(state, timing);
  // The best of many readings flatters: it is measured anew.
  refinement.known.erase(refinement.seed);
}

std::unique_ptr<Descent> Refiner::DescentFrom(const ScheduleState& seed,
                                              const Timing& timing) const {
  if (options_.mode == RefinerMode::kPublished) {
    const auto space =
        std::make_shared<const KnobSpace>(RefinementOf(seed, RefinementValues::kPublished).space);
    DpansorOptions options;
    options.batch = std::max(options.batch, seed.task().target.cores);
    options.trials = options_.trials;
    options.better = options_.better;
    return std::make_unique<Descent>(
        space, std::make_unique<DpansorSearch>(SizesOf(*space), timing, options),
        Descent::Repeats::kAlways);
  }
  Refinement refinement = RefinementOf(seed, RefinementValues::kOrdered);
  const auto space = std::make_shared<const KnobSpace>(std::move(refinement.space));
  const auto is_legal = [space, start = refinement.seed, &admits = space_](const KnobPoint& point) {
    if (point == start) return true;  // it was measured
    const Result<ScheduleState> state = space->At(point);
    return state && Lower(*state) && admits.Admit(*state);
  };
  DropletOptions options;
  options.better = options_.better;
  return std::make_unique<Descent>(
      space, std::make_unique<DropletSearch>(SizesOf(*space), refinement.seed, options, is_legal),
      Descent::Repeats::kNever);
}

}  // namespace schedulegym
