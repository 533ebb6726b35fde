// Spaces over recorded tables: `modify` and `file` as action spaces, and a search space `table`
// that samples rows uniformly and mutates a schedule to a recorded one that differs in one decision
// (lengths of a tile are one), in a tree to its parent, child or sibling. Neighbours are found once
// a row, under a mutex.
// Cost: O(rows * knobs) for the first mutation of a row.
#include "env/gym/tables/table_space.h"

#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/actions/modify_space.h"
#include "env/gym/tables/table_grid.h"

namespace schedulegym {
namespace {

class TableKnobSpace : public ActionSpace {
 public:
  TableKnobSpace(std::string word, const std::shared_ptr<const Table>& table) : table_(table) {
    auto places = std::make_shared<ModifyPlaces>();
    places->word = std::move(word);
    places->grids.emplace_back(GridOf(table));
    places->layout.Add(places->grids.back());
    places->row_of = [table](const KnobPoint& point) { return table->Find(point); };
    groups_ = places->layout.Groups();
    places_ = std::move(places);
  }

  std::string Name() const override { return places_->word; }
  std::string Menu() const override { return places_->layout.ToText(); }

  std::unique_ptr<EpisodeState> Start(const std::shared_ptr<const Task>& task,
                                      Rng& rng) const override {
    CheckTask(*task);
    const int64_t row = rng.Below(table_->size());
    return MakeModifyEpisode(places_, 0, table_->knobs()->points[row]);
  }

  Result<std::unique_ptr<EpisodeState>> From(const std::shared_ptr<const Task>& task, int sketch,
                                             const KnobPoint& point) const override {
    CheckTask(*task);
    return ModifyEpisodeFrom(places_, sketch, point);
  }

  Result<std::unique_ptr<EpisodeState>> Resume(const std::shared_ptr<const Task>& task,
                                               std::string_view text) const override {
    CheckTask(*task);
    return ResumeModifyEpisode(places_, text);
  }

 private:
  void CheckTask(const Task& task) const {
    SG_CHECK(TaskKey(task) == TaskKey(*table_->task()), "the task of the table");
  }

  std::shared_ptr<const Table> table_;
  std::shared_ptr<const ModifyPlaces> places_;
};

// The decision that each knob belongs to: the knobs of a tile are one decision.
std::vector<int> DecisionsOf(const KnobRows& rows) {
  std::vector<int> decisions(rows.knobs.size());
  std::iota(decisions.begin(), decisions.end(), 0);
  for (const KnobTile& tile : rows.tiles) {
    int decision = -1;
    for (int knob : tile.knobs) {
      if (knob < 0) continue;
      if (decision < 0) decision = knob;
      decisions[knob] = decision;
    }
  }
  return decisions;
}

bool DifferInOne(const std::vector<int>& decisions, const KnobPoint& a, const KnobPoint& b) {
  int differing = -1;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (differing >= 0 && decisions[i] != differing) return false;
    differing = decisions[i];
  }
  return differing >= 0;
}

bool DifferInOne(const std::vector<int>& parents, int64_t a, int64_t b) {
  if (a == b) return false;
  return parents[a] == b || parents[b] == a || parents[a] == parents[b];
}

std::vector<int64_t> NeighboursOf(const RecordedStates& states, int64_t row) {
  std::vector<int64_t> neighbours;
  const KnobRows* knobs = states.table().knobs();
  const std::vector<int> decisions = knobs != nullptr ? DecisionsOf(*knobs) : std::vector<int>();
  for (int64_t other : states.rows()) {
    const bool is_near = knobs != nullptr
                             ? DifferInOne(decisions, knobs->points[row], knobs->points[other])
                             : DifferInOne(states.table().tree()->parents, row, other);
    if (is_near) neighbours.push_back(other);
  }
  return neighbours;
}

Sketch SketchOf(const std::shared_ptr<const RecordedStates>& states) {
  const bool is_tree = states->table().tree() != nullptr;
  auto knobs = std::make_shared<const KnobSpace>(is_tree ? TreeGridOf(states)
                                                         : GridOf(states->shared_table(), states));
  ScheduleState origin = knobs->At(knobs->Origin()).value();
  return {std::move(origin), {is_tree ? "tree" : "grid"}, std::move(knobs)};
}

class TableSearchSpace : public SearchSpace {
 public:
  explicit TableSearchSpace(std::vector<std::shared_ptr<const RecordedStates>> tables) {
    for (auto& states : tables) {
      const Key key = TaskKey(*states->table().task());
      sketches_.emplace(key, SketchOf(states));
      const bool is_new = tables_.emplace(key, std::move(states)).second;
      SG_CHECK(is_new, "one table for each task");
    }
  }

  std::string Name() const override { return "table"; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const RecordedStates& states = Find(*task);
    return states.state(OneOf(states.rows(), rng));
  }

  Result<void> Admit(const ScheduleState& state) const override {
    if (Find(state.task()).Find(state)) return {};
    return Unrecorded();
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    const RecordedStates& states = Find(state.task());
    const std::optional<int64_t> row = states.Find(state);
    if (!row) return Unrecorded();
    const std::vector<int64_t>& neighbours = NeighboursAt(states, *row);
    if (neighbours.empty()) {
      return Error{ErrorKind::kIllegal, "the table records none that differs in one decision"};
    }
    return states.state(OneOf(neighbours, rng));
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    return {sketches_.at(TaskKey(*task))};
  }

  std::optional<int64_t> Limit(const std::shared_ptr<const Task>& task) const override {
    return std::ssize(Find(*task).rows());
  }

 private:
  static Error Unrecorded() {
    return {ErrorKind::kIllegal, "found a schedule that the table does not record"};
  }

  static int64_t OneOf(const std::vector<int64_t>& rows, Rng& rng) {
    return rows[rng.Below(std::ssize(rows))];
  }

  // Cached: searches ask for the neighbours of one schedule many times.
  const std::vector<int64_t>& NeighboursAt(const RecordedStates& states, int64_t row) const {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = neighbours_.try_emplace({&states, row});
    if (is_new) known->second = NeighboursOf(states, row);
    return known->second;
  }

  const RecordedStates& Find(const Task& task) const {
    for (const auto& [key, states] : tables_) {
      if (states->table().task().get() == &task) return *states;  // without its key
    }
    const auto found = tables_.find(TaskKey(task));
    SG_CHECK(found != tables_.end(), "a task of the tables");
    return *found->second;
  }

  std::map<Key, std::shared_ptr<const RecordedStates>> tables_;
  std::map<Key, Sketch> sketches_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<const RecordedStates*, int64_t>, std::vector<int64_t>> neighbours_;
};

}  // namespace

std::unique_ptr<ActionSpace> MakeTableModifySpace(std::shared_ptr<const Table> table) {
  if (table->tree() != nullptr || table->is_foreign()) {
    throw InputError(std::string("modify: found a table of ") +
                     (table->is_foreign() ? "another tuner's kernels" : "a tree") +
                     ", expected one of points, as `schedulegym table --kind modify` makes it");
  }
  return std::make_unique<TableKnobSpace>("modify", table);
}

std::unique_ptr<ActionSpace> MakeFileSpace(std::shared_ptr<const Table> table) {
  if (!table->is_foreign()) {
    throw InputError("file: found a table of our own schedules, expected another tuner's results");
  }
  return std::make_unique<TableKnobSpace>("file", table);
}

std::unique_ptr<ActionSpace> MakeTableSpace(std::shared_ptr<const Table> table) {
  if (table->tree() != nullptr) return MakeTableConstructSpace(std::move(table));
  if (table->is_foreign()) return MakeFileSpace(std::move(table));
  return MakeTableModifySpace(std::move(table));
}

std::unique_ptr<SearchSpace> MakeTableSearchSpace(
    std::vector<std::shared_ptr<const RecordedStates>> tables) {
  return std::make_unique<TableSearchSpace>(std::move(tables));
}

}  // namespace schedulegym
