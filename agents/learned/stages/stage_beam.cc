// Beam search under a value of partial schedules (Steiner et al., MLSys 2021): an action there is a
// schedule of the next stage. These are too many to try each: a stage is decided as in random
// schedules, then the 32 best are mutated, in four rounds of as many mutations as there were draws.
// With decisions knob by knob (draws=0), open knobs stay unoptimised beside the decided one, and
// the features of such a schedule predict little about its completions.
// Cost: stages * 5 * draws predictions a sketch, or decisions * width * values.
#include "agents/learned/stages/stage_beam.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Rows kept from one search to the next, of about a kilobyte each.
constexpr size_t kMostRows = 50'000;
// Rounds in which the best schedules drawn for a stage are mutated as many times.
constexpr int kMutationRounds = 4;
constexpr size_t kMostParents = 32;

ProgramRows RowsFor(const Task& task, const ScorerModel& model) {
  ProgramRows rows = EmptyRows(model.options);
  rows.targets = model.targets;
  AddTask(task, model.options, /*may_add_head=*/false, &rows);
  return rows;
}

const ScorerOptions& StagesOf(const ScorerModel& model) {
  if (model.options.network == ScorerNetwork::kStages) return model.options;
  throw InputError("model " + model.spec.name +
                   ": it scores whole schedules, expected a file of train stages");
}

}  // namespace

StageBeam::StageBeam(ScorerModel& model, const SearchSpace& space,
                     const std::shared_ptr<const Task>& task)
    : model_(model),
      space_(space),
      task_(task),
      prefixes_(space, task, StagesOf(model).inputs),
      task_rows_(RowsFor(*task, model)) {}

std::vector<ValuedPrefix> StageBeam::Search(int width, int draws, Rng& rng, int threads,
                                            const StopToken& stop) {
  if (known_.size() > kMostRows) known_.clear();
  std::vector<std::vector<StagePrefix>> drawn(static_cast<size_t>(prefixes_.sketches()));
  for (int i = 0; i < draws; ++i) {
    stop.Check();
    const Result<ScheduleState> state = space_.Sample(task_, rng);
    const std::optional<StagePrefix> whole = state ? prefixes_.Whole(*state) : std::nullopt;
    if (whole) drawn[static_cast<size_t>(whole->sketch)].push_back(*whole);
  }
  std::vector<ValuedPrefix> all;
  for (int sketch = 0; sketch < prefixes_.sketches(); ++sketch) {
    const std::vector<StagePrefix>& own = drawn[static_cast<size_t>(sketch)];
    if (draws > 0 && own.empty()) continue;
    std::ranges::move(draws > 0 ? ByStages(sketch, width, own, rng, threads, stop)
                                : ByDecisions(sketch, width, threads, stop),
                      std::back_inserter(all));
  }
  std::ranges::stable_sort(all, std::greater<>(), &ValuedPrefix::value);
  return all;
}

std::vector<ValuedPrefix> StageBeam::ByDecisions(int sketch, int width, int threads,
                                                 const StopToken& stop) {
  std::vector<ValuedPrefix> kept = {{prefixes_.Origin(sketch), 0}};
  for (int decision = 0; decision < prefixes_.decisions(sketch); ++decision) {
    std::vector<StagePrefix> next;
    if (decision > 0) kept.resize(std::min(kept.size(), static_cast<size_t>(width)));
    for (const ValuedPrefix& one : kept) {
      for (int way = 0; way < prefixes_.Ways(one.prefix); ++way) {
        next.push_back(prefixes_.After(one.prefix, way));
      }
    }
    kept = Valued(std::move(next), threads, stop);
  }
  return kept;
}

std::vector<ValuedPrefix> StageBeam::ByStages(int sketch, int width,
                                              const std::vector<StagePrefix>& drawn, Rng& rng,
                                              int threads, const StopToken& stop) {
  std::vector<ValuedPrefix> kept = {{prefixes_.Origin(sketch), 0}};
  int begin = 0;
  for (const int end : prefixes_.Ends(sketch)) {
    if (kept.empty()) return {};
    std::set<Key> known;
    std::vector<StagePrefix> next;
    const auto add = [&](const StagePrefix& prefix) {
      if (known.insert(prefixes_.KeyOf(prefix)).second) next.push_back(prefix);
    };
    kept.resize(std::min(kept.size(), static_cast<size_t>(width)));
    for (size_t i = 0; i < drawn.size(); ++i) {
      add(prefixes_.Extended(kept[i % kept.size()].prefix, drawn[i], end));
    }
    std::vector<ValuedPrefix> valued = Valued(std::exchange(next, {}), threads, stop);
    for (int round = 0; round < kMutationRounds && !valued.empty(); ++round) {
      const auto parents = static_cast<int64_t>(std::min(valued.size(), kMostParents));
      for (size_t i = 0; i < drawn.size(); ++i) {
        const auto parent = static_cast<size_t>(rng.Below(parents));
        if (const auto child = Mutated(valued[parent].prefix, begin, rng)) add(*child);
      }
      std::ranges::move(Valued(std::exchange(next, {}), threads, stop), std::back_inserter(valued));
      std::ranges::stable_sort(valued, std::greater<>(), &ValuedPrefix::value);
    }
    kept = std::move(valued);
    begin = end;
  }
  return kept;
}

std::optional<StagePrefix> StageBeam::Mutated(const StagePrefix& prefix, int begin,
                                              Rng& rng) const {
  const std::optional<ScheduleState> state = prefixes_.StateAt(prefix);
  if (!state) return std::nullopt;
  const Result<ScheduleState> other = space_.Mutate(*state, rng);
  const std::optional<StagePrefix> whole = other ? prefixes_.Whole(*other) : std::nullopt;
  if (!whole || whole->sketch != prefix.sketch) return std::nullopt;
  return prefixes_.Extended(prefixes_.Cut(prefix, begin), *whole, prefix.decided);
}

std::vector<ValuedPrefix> StageBeam::Valued(std::vector<StagePrefix> prefixes, int threads,
                                            const StopToken& stop) {
  ProgramRows rows = task_rows_;
  std::vector<ValuedPrefix> valued;
  for (StagePrefix& prefix : prefixes) {
    stop.Check();
    const std::optional<ProgramValues> values = prefixes_.Describe(prefix, known_);
    if (!values) continue;
    AddProgram(*values, 0, 0, &rows);
    valued.push_back({std::move(prefix), 0});
  }
  std::vector<int> all(valued.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<float> scores =
      ScorePrograms(*model_.scorer, rows, all, model_.scale, threads, stop);
  for (size_t i = 0; i < scores.size(); ++i) valued[i].value = scores[i];
  std::ranges::stable_sort(valued, std::greater<>(), &ValuedPrefix::value);
  return valued;
}

}  // namespace schedulegym
