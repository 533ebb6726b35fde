// Droplet from a measured schedule, over the numbers in its trace (refinement.h). The seed is
// measured again, since the best of many readings is biased. A note on each proposal names its
// original schedule.
#include "agents/droplet/refiner.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "agents/droplet/dpansor_search.h"
#include "agents/droplet/droplet_search.h"
#include "agents/droplet/single_step_search.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"

namespace schedulegym {
namespace {

// Returns the one with the lowest key of equal ones; null if there is none.
const Trial* BestOf(const std::map<Key, Trial>& successes) {
  const Trial* best = nullptr;
  for (const auto& [key, trial] : successes) {
    if (!best || IsBetter(trial.record->measurement, best->record->measurement)) best = &trial;
  }
  return best;
}

constexpr const char* kName = "refine";

RefineNote ReadNote(const Spec& spec) {
  SpecReader reader(spec, "note");
  RefineNote note;
  note.of = ParseKey(reader.Word("of", "")).value_or(Key());
  note.published = reader.Choice("mode", "fixed", {"fixed", "faithful"}) == "faithful";
  if (note.published) note.better.test = BetterTest::kStudent;
  ReadLevel(reader, "note", note.better);
  note.agent = reader.OptionalSpec("agent");
  note.after = reader.OptionalInteger("after");
  return note;
}

// A descent by a search that has its own rules for legal points and for its end.
template <typename Search, typename Options>
std::unique_ptr<Descent> PublishedDescent(const ScheduleState& seed, const Timing& timing,
                                          RefinementValues values, const RefinerOptions& asked) {
  const auto space = std::make_shared<const KnobSpace>(RefinementOf(seed, values).space);
  Options options;
  options.batch = std::max(options.batch, seed.task().target.cores);
  options.trials = asked.trials;
  options.better = asked.better;
  return std::make_unique<Descent>(
      space, std::make_unique<Search>(SizesOf(*space), timing, options), Descent::Repeats::kAlways);
}

}  // namespace

RefinerOptions RefinerOptions::Published() {
  return {RefinerMode::kPublished, DpansorOptions().trials, DpansorOptions().better};
}

RefinerOptions RefinerOptions::Metaschedule() {
  return {RefinerMode::kMetaschedule, SingleStepOptions().trials, {BetterTest::kNone, 1}};
}

void ReadRefinerOptions(SpecReader& reader, const std::string& who, RefinerOptions& options) {
  options.trials = reader.Integer("trials", options.trials);
  if (options.trials < 1) {
    throw InputError(who + ": trials=" + std::to_string(options.trials) + ", expected at least 1");
  }
  ReadLevel(reader, who, options.better);
}

RefinerOptions ReadRefiner(const Spec& spec) {
  SpecReader reader(spec, "refiner");
  const bool is_fixed = reader.Choice("mode", "fixed", {"fixed", "metaschedule"}) == "fixed";
  RefinerOptions options = is_fixed ? RefinerOptions() : RefinerOptions::Metaschedule();
  ReadRefinerOptions(reader, "refiner " + spec.name, options);
  reader.Finish();
  return options;
}

Refiner::Refiner(const RefinerOptions& options, const AgentContext& context)
    : options_(options),
      space_(context.space),
      stop_(context.stop),
      refinements_(context.setup.tasks.size()) {}

std::unique_ptr<Agent> MakeRefiner(const AgentContext& context) {
  return std::make_unique<Refiner>(ReadRefiner(context.setup.agent), context);
}

std::vector<Proposal> Refiner::Propose(int task, int count) {
  TaskRefinement& refinement = refinements_[task];
  if (!refinement.descent) Begin(refinement);
  if (!refinement.descent) return {};
  const int64_t left = options_.trials - refinement.proposed;
  const int most = static_cast<int>(std::min<int64_t>(count, left));
  if (most <= 0) return {};
  std::vector<Proposal> proposals = refinement.descent->Propose(most, refinement.known);
  for (Proposal& proposal : proposals) proposal.note = refinement.note;
  refinement.proposed += std::ssize(proposals);
  return proposals;
}

void Refiner::Learn(std::span<const Trial> trials) {
  for (const Trial& trial : trials) {
    TaskRefinement& refinement = refinements_[trial.task];
    const Record* record = RecordToLearnFrom(trial);
    if (!record) {
      if (refinement.descent) refinement.descent->TryAgain(trial);
      continue;
    }
    refinement.known[trial.key] = record->measurement.timing;
    if (refinement.descent) continue;
    refinement.successes.erase(trial.key);
    if (record->measurement.ok()) refinement.successes.emplace(trial.key, trial);
  }
}

void Refiner::Begin(TaskRefinement& refinement) const {
  const auto successes = std::exchange(refinement.successes, {});
  const Trial* best = BestOf(successes);
  if (!best) return;
  const bool published = options_.mode != RefinerMode::kFixed;
  refinement.note = RefineNote{best->key, published, options_.better}.ToText();
  refinement.descent = DescentFrom(best->state, *best->record->measurement.timing);
  // The best of many measurements is biased, so it is measured again.
  refinement.known.erase(best->key);
}

std::unique_ptr<Descent> Refiner::DescentFrom(const ScheduleState& seed,
                                              const Timing& timing) const {
  if (options_.mode == RefinerMode::kMetaschedule) {
    return PublishedDescent<SingleStepSearch, SingleStepOptions>(
        seed, timing, RefinementValues::kPowersOfTwo, options_);
  }
  if (options_.mode == RefinerMode::kPublished) {
    return PublishedDescent<DpansorSearch, DpansorOptions>(seed, timing,
                                                           RefinementValues::kPublished, options_);
  }
  Refinement refinement = RefinementOf(seed, RefinementValues::kOrdered);
  const auto space = std::make_shared<const KnobSpace>(std::move(refinement.space));
  const auto is_legal = [space, start = refinement.seed, &admits = space_](const KnobPoint& point) {
    if (point == start) return true;  // measured already
    const Result<ScheduleState> state = space->At(point);
    return state && Lower(*state) && admits.Admit(*state);
  };
  DropletOptions options;
  options.better = options_.better;
  options.stop = stop_;
  return std::make_unique<Descent>(
      space, std::make_unique<DropletSearch>(SizesOf(*space), refinement.seed, options, is_legal),
      Descent::Repeats::kNever);
}

std::string RefineNote::ToText() const {
  Spec spec{kName, {{"of", {of.ToText()}}}};
  if (published) spec.options.push_back({"mode", {Spec{"faithful", {}}}});
  if (better.p != BetterRule().p) spec.options.push_back({"p", {better.p}});
  if (agent) spec.options.push_back({"agent", {*agent}});
  if (after) spec.options.push_back({"after", {*after}});
  return spec.ToText();
}

std::optional<RefineNote> ParseRefineNote(const std::string& note) {
  if (!std::string_view(note).starts_with(kName)) return std::nullopt;  // most notes
  const Result<Spec> spec = ParseSpec(note);
  if (!spec || spec->name != kName) return std::nullopt;
  try {
    return ReadNote(*spec);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace schedulegym
