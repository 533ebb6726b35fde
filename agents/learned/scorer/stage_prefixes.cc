// Steiner et al. ("Value learning for throughput optimization of deep learning workloads", MLSys
// 2021) schedule a pipeline stage by stage. Here a stage's decisions are its knobs, the outputs'
// first; decisions of no single stage belong to the first stage's own group. The row of a prefix is
// the statement row of the stage of its last decision, in the schedule at the prefix, or that of
// the last statement if the stage has none, as an inlined one. Published prefixes are of whole
// stages.
// The value of a partial schedule is the least time of any completion, here of any measured one.
// The whole of each schedule and some of its prefixes, drawn evenly, become programs with a row for
// each stage begun. They are compared with others that are equally far decided: beside prefixes,
// whose best completions are fast, a network would learn little about whole schedules. Cost: a
// schedule and its features for each row, some 60 us.
#include "agents/learned/scorer/stage_prefixes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/features/loop_nests.h"

namespace schedulegym {
namespace {

constexpr int kMostLists = 1024;  // of a task

}  // namespace

StagePrefixes::StagePrefixes(const SearchSpace& space, const std::shared_ptr<const Task>& task,
                             ProgramInputs inputs)
    : inputs_(inputs) {
  for (Sketch& sketch : space.Sketches(task)) {
    Order order = {std::move(sketch), {}, {}};
    order.knobs = OutputsFirst(order.sketch);
    const KnobSpace& knobs = *order.sketch.knobs;
    for (size_t i = 1; i <= order.knobs.size(); ++i) {
      const bool is_end = i == order.knobs.size() ||
                          knobs.knob(order.knobs[i]).stage != knobs.knob(order.knobs[i - 1]).stage;
      if (is_end) order.ends.push_back(static_cast<int>(i));
    }
    sketches_.push_back(std::move(order));
  }
  if (sketches_.empty()) {
    throw InputError("model stages: space '" + space.Name() +
                     "' has no sketches, expected one whose schedules are decided knob by knob");
  }
}

int StagePrefixes::decisions(int sketch) const {
  return static_cast<int>(sketches_[static_cast<size_t>(sketch)].knobs.size());
}

StagePrefix StagePrefixes::Origin(int sketch) const {
  return {sketch, sketches_[static_cast<size_t>(sketch)].sketch.knobs->Origin(), 0};
}

int StagePrefixes::Ways(const StagePrefix& prefix) const {
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  if (prefix.decided == std::ssize(order.knobs)) return 0;
  return order.sketch.knobs->size_of(order.knobs[static_cast<size_t>(prefix.decided)]);
}

StagePrefix StagePrefixes::After(const StagePrefix& prefix, int way) const {
  SG_CHECK(way >= 0 && way < Ways(prefix), "a way on");
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  StagePrefix after = prefix;
  after.point[static_cast<size_t>(order.knobs[static_cast<size_t>(prefix.decided)])] = way;
  ++after.decided;
  return after;
}

std::optional<StagePrefix> StagePrefixes::Whole(const ScheduleState& state) const {
  for (int sketch = 0; sketch < sketches(); ++sketch) {
    const KnobSpace& knobs = *sketches_[static_cast<size_t>(sketch)].sketch.knobs;
    std::optional<KnobPoint> point = knobs.PointOf(state);
    if (point) return StagePrefix{sketch, *std::move(point), decisions(sketch)};
  }
  return std::nullopt;
}

std::span<const int> StagePrefixes::Ends(int sketch) const {
  return sketches_[static_cast<size_t>(sketch)].ends;
}

StagePrefix StagePrefixes::Extended(const StagePrefix& prefix, const StagePrefix& whole,
                                    int decided) const {
  SG_CHECK(prefix.sketch == whole.sketch && decided <= whole.decided, "of one sketch");
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  StagePrefix extended = prefix;
  for (; extended.decided < decided; ++extended.decided) {
    const auto knob = static_cast<size_t>(order.knobs[static_cast<size_t>(extended.decided)]);
    extended.point[knob] = whole.point[knob];
  }
  return extended;
}

StagePrefix StagePrefixes::Cut(const StagePrefix& prefix, int decided) const {
  SG_CHECK(decided >= 0 && decided <= prefix.decided, "a shorter prefix");
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  StagePrefix cut = Origin(prefix.sketch);
  for (; cut.decided < decided; ++cut.decided) {
    const auto knob = static_cast<size_t>(order.knobs[static_cast<size_t>(cut.decided)]);
    cut.point[knob] = prefix.point[knob];
  }
  return cut;
}

std::optional<ScheduleState> StagePrefixes::StateAt(const StagePrefix& prefix) const {
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  Result<ScheduleState> state = order.sketch.knobs->At(prefix.point);
  return state ? std::optional(*std::move(state)) : std::nullopt;
}

Key StagePrefixes::KeyOf(const StagePrefix& prefix) const {
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  Hasher hasher;
  hasher.Add(static_cast<uint64_t>(prefix.sketch));
  for (int i = 0; i < prefix.decided; ++i) {
    const auto knob = static_cast<size_t>(order.knobs[static_cast<size_t>(i)]);
    hasher.Add(static_cast<uint64_t>(prefix.point[knob]));
  }
  return hasher.KeyValue();
}

std::optional<ProgramValues> StagePrefixes::Describe(const StagePrefix& prefix, Rows& known) const {
  std::vector<int> counts = {0};
  for (const int end : sketches_[static_cast<size_t>(prefix.sketch)].ends) {
    if (end < prefix.decided) counts.push_back(end);
  }
  if (prefix.decided > 0) counts.push_back(prefix.decided);
  ProgramValues values;
  for (const int count : counts) {
    const StagePrefix part = Cut(prefix, count);
    const auto [row, is_new] = known.try_emplace(KeyOf(part));
    if (is_new) row->second = RowOf(part);
    if (!row->second) return std::nullopt;
    values.values.insert(values.values.end(), row->second->begin(), row->second->end());
  }
  return values;
}

std::optional<std::vector<float>> StagePrefixes::RowOf(const StagePrefix& prefix) const {
  const Order& order = sketches_[static_cast<size_t>(prefix.sketch)];
  const std::optional<ScheduleState> state = StateAt(prefix);
  if (!state) return std::nullopt;
  const std::vector<LoopNest> nests = FindLoopNests(*state).nests;
  if (nests.empty()) return std::nullopt;
  size_t own = nests.size() - 1;
  if (prefix.decided > 0) {
    const int knob = order.knobs[static_cast<size_t>(prefix.decided - 1)];
    const std::optional<int> stage = order.sketch.knobs->knob(knob).stage;
    for (size_t i = 0; i < nests.size(); ++i) {
      if (stage && nests[i].stage == *stage) own = i;
    }
  }
  const StateFeatures features(*state);
  const std::vector<float>& rows =
      inputs_ == ProgramInputs::kAnsor ? features.ansor() : features.estimated();
  const size_t width = rows.size() / nests.size();
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(own * width);
  return std::vector<float>(first, first + static_cast<std::ptrdiff_t>(width));
}

StagePrograms::StagePrograms(const ScorerOptions& options, SpaceReader spaces)
    : options_(options), make_space_(std::move(spaces)) {
  if (!make_space_) throw InputError("model stages: found no search spaces, expected them");
}

void StagePrograms::Open(int task, const std::shared_ptr<const Task>& known,
                         const std::string& space) {
  if (prefixes_.contains({task, space})) return;
  std::shared_ptr<const SearchSpace>& own = spaces_[space];
  if (!own) own = make_space_(RequireSpec("space", space));
  const auto place = static_cast<int>(prefixes_.size());
  prefixes_.try_emplace({task, space}, place, StagePrefixes(*own, known, options_.inputs));
}

DescribedPrefixes StagePrograms::Describe(int task, const std::string& space,
                                          const ScheduleState& state, uint64_t number) const {
  const auto& [place, prefixes] = prefixes_.at({task, space});
  DescribedPrefixes described = {place, {}, {}};
  const std::optional<StagePrefix> whole = prefixes.Whole(state);
  if (!whole) return described;
  std::set<int> learned = {whole->decided};
  Rng rng(number);
  const std::span<const int> ends = prefixes.Ends(whole->sketch);
  for (int i = 1; i < options_.prefixes; ++i) {
    const int64_t cut = rng.Below(options_.cuts_stages ? std::ssize(ends) : whole->decided + 1);
    if (!options_.cuts_stages) learned.insert(static_cast<int>(cut));
    if (options_.cuts_stages) learned.insert(cut == 0 ? 0 : ends[static_cast<size_t>(cut - 1)]);
  }
  StagePrefixes::Rows known;
  for (int decided = 0; decided <= whole->decided; ++decided) {
    const StagePrefix prefix = prefixes.Cut(*whole, decided);
    described.all.push_back(prefixes.KeyOf(prefix));
    if (!learned.contains(decided)) continue;
    std::optional<ProgramValues> values = prefixes.Describe(prefix, known);
    if (values) described.learned.push_back({decided, *std::move(values)});
  }
  return described;
}

void StagePrograms::Add(int task, const DescribedPrefixes& described, float label,
                        ProgramRows* rows) {
  for (const Key& key : described.all) {
    Best& best = best_[{described.place, key}];
    best.label = std::max(best.label, label);
  }
  for (const auto& [decided, values] : described.learned) {
    Best& best = best_[{described.place, described.all[static_cast<size_t>(decided)]}];
    if (options_.targets == StageTargets::kBest && best.program >= 0) continue;
    best.program = rows->size();
    AddProgram(values, task, label, rows);
    if (!options_.by_decisions) continue;
    const bool is_whole = decided + 1 == std::ssize(described.all);
    rows->lists.push_back(task * kMostLists +
                          (is_whole ? 0 : std::min(decided + 1, kMostLists - 1)));
  }
}

void StagePrograms::Label(ProgramRows* rows) const {
  if (options_.targets == StageTargets::kOwn) return;
  for (const auto& [key, best] : best_) {
    if (best.program >= 0) rows->labels[static_cast<size_t>(best.program)] = best.label;
  }
}

}  // namespace schedulegym
