// Droplet from a measured schedule, over the numbers in its trace: split lengths and unroll steps.
// Ordered (default): each number has its neighbours, up to 4 to both sides, among the divisors of
// the extent and 4, 8, 16, 24, 32, 48, 64, or among the steps 16, 64, 128, 256, 512; lengths of a
// split stay within the extent. Published (TVM pull request 16499): own value first, then that
// list, in any combination. A number becomes a constant where knobs would pass the index's range.
// The seed is measured again, since the best of many readings is biased. A note on each proposal
// says from which schedule it came.
#include "agents/droplet/refiner.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "agents/droplet/dpansor_search.h"
#include "agents/droplet/droplet_search.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

// Of equal ones that with the lowest key; null of none.
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

constexpr int64_t kPublishedLengths[] = {4, 8, 16, 24, 32, 48, 64};
constexpr int64_t kPublishedUnrolls[] = {64, 128, 256, 512};
// The least that Ansor unrolls on CPUs.
constexpr int64_t kLeastUnroll = 16;
// A choice: with it forty knobs can be counted, and further steps begin from another centre.
constexpr std::ptrdiff_t kReach = 4;

// Values of one number, and where its own stands among them.
struct NumberValues {
  std::vector<int64_t> values;
  int own = 0;
};

NumberValues OwnFirst(int64_t own, std::span<const int64_t> others, int64_t most) {
  NumberValues number = {{own}, 0};
  for (int64_t value : others) {
    if (value != own && value <= most) number.values.push_back(value);
  }
  return number;
}

NumberValues Nearest(int64_t own, std::set<int64_t> all) {
  all.insert(own);
  const std::vector<int64_t> sorted(all.begin(), all.end());
  const std::ptrdiff_t at = std::distance(all.begin(), all.find(own));
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(at - kReach, 0);
  const std::ptrdiff_t last = std::min(at + kReach + 1, std::ssize(sorted));
  return {{sorted.begin() + first, sorted.begin() + last}, static_cast<int>(at - first)};
}

NumberValues LengthValues(int64_t own, int64_t extent, RefinementValues kind) {
  if (kind == RefinementValues::kPublished) return OwnFirst(own, kPublishedLengths, extent);
  const std::vector<int64_t> divisors = Divisors(extent);
  std::set<int64_t> all(divisors.begin(), divisors.end());
  for (int64_t length : kPublishedLengths) {
    if (length <= extent) all.insert(length);
  }
  return Nearest(own, std::move(all));
}

NumberValues UnrollValues(int64_t own, RefinementValues kind) {
  if (kind == RefinementValues::kPublished) {
    return OwnFirst(own, kPublishedUnrolls, std::numeric_limits<int64_t>::max());
  }
  std::set<int64_t> all(std::begin(kPublishedUnrolls), std::end(kPublishedUnrolls));
  all.insert(kLeastUnroll);
  return Nearest(own, std::move(all));
}

bool IsWithin(const std::vector<int64_t>& lengths, int64_t extent) {
  for (int64_t length : lengths) extent /= length;
  return extent > 0;
}

// Puts the segments together, and finds the seed among their points.
class RefinementMaker {
 public:
  explicit RefinementMaker(RefinementValues kind) : kind_(kind) {}

  // `before` is the state that the step is applied to.
  void Add(const ScheduleState& before, const Primitive& step) {
    if (const auto* split = std::get_if<Split>(&step)) return AddSplit(before, *split);
    const auto* pragma = std::get_if<Pragma>(&step);
    if (pragma != nullptr && pragma->value != 0) return AddUnroll(before, *pragma);
    segments_.push_back(Variants{"", {{step}}});
  }

  Refinement Make(const std::shared_ptr<const Task>& task) && {
    return {KnobSpace(task, std::move(segments_)), std::move(seed_)};
  }

 private:
  void AddSplit(const ScheduleState& before, const Split& split) {
    const Stage& stage = before.stage(split.stage.id);
    const int64_t extent = stage.nodes[stage.loops[split.loop].node].extent;
    if (extent == 1) return segments_.push_back(Variants{"", {{split}}});
    const bool fits = kind_ == RefinementValues::kOrdered && IsWithin(split.lengths, extent);
    OpenLengths open{stage.op->name + ": tile of loop " + std::to_string(split.loop),
                     split,
                     extent,
                     fits ? LengthsFit::kWithin : LengthsFit::kAny,
                     {}};
    for (int64_t length : split.lengths) {
      open.values.push_back(Take(LengthValues(length, extent, kind_)));
    }
    segments_.push_back(std::move(open));
  }

  void AddUnroll(const ScheduleState& before, const Pragma& pragma) {
    Variants variants{before.stage(pragma.stage.id).op->name + ": unroll", {}};
    for (int64_t value : Take(UnrollValues(pragma.value, kind_))) {
      Pragma other = pragma;
      other.value = value;
      variants.values.push_back({other});
    }
    segments_.push_back(std::move(variants));
  }

  // Counts a knob; what is none, or one too many, has its own value alone.
  std::vector<int64_t> Take(const NumberValues& number) {
    const auto count = static_cast<KnobIndex>(number.values.size());
    if (count == 1 || points_ > std::numeric_limits<KnobIndex>::max() / count) {
      return {number.values[number.own]};
    }
    points_ *= count;
    seed_.push_back(number.own);
    return number.values;
  }

  RefinementValues kind_;
  std::vector<TraceSegment> segments_;
  KnobPoint seed_;
  KnobIndex points_ = 1;
};

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
  SpecReader reader(spec, "refiner");
  RefinerOptions options;
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
  const bool published = options_.mode == RefinerMode::kPublished;
  refinement.note = RefineNote{best->key, published, options_.better}.ToText();
  refinement.descent = DescentFrom(best->state, *best->record->measurement.timing);
  // The best of many readings flatters: it is measured anew.
  refinement.known.erase(best->key);
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
  if (!std::string_view(note).starts_with(kName)) return std::nullopt;  // most
  const Result<Spec> spec = ParseSpec(note);
  if (!spec || spec->name != kName) return std::nullopt;
  try {
    return ReadNote(*spec);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Refinement RefinementOf(const ScheduleState& schedule, RefinementValues values) {
  RefinementMaker maker(values);
  ScheduleState state = ScheduleState::Initial(schedule.shared_task());
  for (const Primitive& step : schedule.trace()) {
    maker.Add(state, step);
    state = Apply(state, step).value();
  }
  return std::move(maker).Make(schedule.shared_task());
}

}  // namespace schedulegym
