#include "agents/learned/stages/stage_beam.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Rows kept from one search to the next, of about a kilobyte each.
constexpr size_t kMostRows = 50'000;

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
      prefixes_(space, task, StagesOf(model).inputs),
      task_rows_(RowsFor(*task, model)) {}

std::vector<ValuedPrefix> StageBeam::Search(int width, int threads, const StopToken& stop) {
  if (known_.size() > kMostRows) known_.clear();
  std::vector<ValuedPrefix> whole;
  for (int sketch = 0; sketch < prefixes_.sketches(); ++sketch) {
    std::vector<ValuedPrefix> kept = {{prefixes_.Origin(sketch), 0}};
    for (int decision = 0; decision < prefixes_.decisions(sketch); ++decision) {
      std::vector<StagePrefix> next;
      for (const ValuedPrefix& one : kept) {
        for (int way = 0; way < prefixes_.Ways(one.prefix); ++way) {
          next.push_back(prefixes_.After(one.prefix, way));
        }
      }
      kept = Valued(std::move(next), threads, stop);
      if (decision + 1 == prefixes_.decisions(sketch)) break;
      kept.resize(std::min(kept.size(), static_cast<size_t>(width)));
    }
    std::ranges::move(kept, std::back_inserter(whole));
  }
  std::ranges::stable_sort(whole, std::greater<>(), &ValuedPrefix::value);
  return whole;
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
