// The episode of `construct` on a recorded tree: legal moves are those of construct that lead to a
// recorded row. A move that continues the last step leads to another child of the parent's row.
// Masks are found once a place (row, stage, whether the step may be continued) and shared by all
// episodes under a mutex.
// Cost: one StepOf a legal move, the first time a place is visited.
#include <map>
#include <mutex>
#include <tuple>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/actions/construct_place.h"
#include "env/gym/tables/table_space.h"

namespace schedulegym {
namespace {

// A place and the rows that its legal actions lead to.
struct TreePlace {
  ConstructPlace place;
  int64_t row = 0;
  std::vector<int8_t> mask;
};
using TreePlacePtr = std::shared_ptr<const TreePlace>;

// Places shared by all episodes; each is computed once. Thread-safe.
class TreePlaces {
 public:
  explicit TreePlaces(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  const Table& table() const { return *table_; }
  const ConstructMenu& menu() const { return menu_; }

  TreePlacePtr At(ConstructPlace place, int64_t row) const {
    const std::tuple key(row, place.stage, place.before.has_value());
    {
      const std::lock_guard lock(mutex_);
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
    }
    auto made = std::make_shared<TreePlace>(TreePlace{std::move(place), row, {}});
    made->mask = MaskOf(made->place, row);
    const std::lock_guard lock(mutex_);
    return known_.emplace(key, std::move(made)).first->second;
  }

  // The row of the schedule that a legal move makes; none if it is not recorded.
  std::optional<int64_t> RowAfter(const ConstructPlace& place, int64_t row,
                                  const Move& move) const {
    if (move.kind == MoveKind::kNextStage) return row;
    const Result<ConstructStep> step = StepOf(place, move);
    if (!step) return std::nullopt;
    const int64_t parent = step->again ? table_->tree()->parents[row] : row;
    return table_->Find(parent, ToText(step->primitive, place.state.Names()));
  }

  // The row of a trace; none if it is not recorded.
  std::optional<int64_t> RowOf(const ScheduleState& state) const {
    std::optional<int64_t> row = 0;
    const StageNames names = state.Names();
    for (int i = 0; row && i < state.trace_size(); ++i) {
      row = table_->Find(*row, ToText(state.step(i), names));
    }
    return row;
  }

 private:
  std::vector<int8_t> MaskOf(const ConstructPlace& place, int64_t row) const {
    std::vector<int8_t> mask(menu_.size());
    WriteLegal(menu_, place, mask);
    for (int action = 1; action < menu_.size(); ++action) {
      if (mask[action] != 0 && !RowAfter(place, row, menu_.MoveOf(action))) mask[action] = 0;
    }
    return mask;
  }

  std::shared_ptr<const Table> table_;
  ConstructMenu menu_;
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<int64_t, int, bool>, TreePlacePtr> known_;
};
using TreePlacesPtr = std::shared_ptr<const TreePlaces>;

class TreeEpisode : public EpisodeState {
 public:
  TreeEpisode(TreePlacesPtr places, TreePlacePtr place)
      : places_(std::move(places)), at_(std::move(place)), state_(at_->place.state) {
    Arrive();
  }

  std::unique_ptr<EpisodeState> Fork() const override {
    return std::make_unique<TreeEpisode>(*this);
  }

  void WriteMask(std::span<int8_t> mask) const override {
    SG_CHECK(mask.size() == at_->mask.size(), "a byte for each action");
    std::copy(at_->mask.begin(), at_->mask.end(), mask.begin());
  }

  Result<void> Act(int action) override {
    const Move move = places_->menu().MoveOf(action);
    SG_CHECK(move.kind != MoveKind::kStop, "a walk is not asked to stop");
    Result<ConstructPlace> place = After(at_->place, move);
    if (!place) return place.error();
    if (at_->mask[action] == 0) return Unrecorded();
    const std::optional<int64_t> row = places_->RowAfter(at_->place, at_->row, move);
    at_ = places_->At(*std::move(place), row.value());
    Arrive();
    return {};
  }

  const Result<ScheduleState>& state() const override { return state_; }

  Result<std::string> Describe(int action) const override {
    Result<std::string> text = DescribeMove(at_->place, places_->menu().MoveOf(action));
    if (text && at_->mask.at(action) == 0) return Unrecorded();
    return text;
  }

  std::string ToText() const override { return PlaceText(at_->place); }

 private:
  static Error Unrecorded() {
    return {ErrorKind::kIllegal, "found a schedule that the table does not record"};
  }

  void Arrive() {
    state_ = at_->place.state;
    stage_at_hand_ = at_->place.stage;
    row_ = at_->row;
  }

  TreePlacesPtr places_;
  TreePlacePtr at_;
  Result<ScheduleState> state_;  // of the place
};

class TableConstructSpace : public ActionSpace {
 public:
  explicit TableConstructSpace(std::shared_ptr<const Table> table)
      : places_(std::make_shared<const TreePlaces>(std::move(table))) {
    groups_ = places_->menu().Groups();
  }

  std::string Name() const override { return "construct"; }
  std::string Menu() const override { return places_->menu().ToText(); }

  std::unique_ptr<EpisodeState> Start(const std::shared_ptr<const Task>& task,
                                      Rng&) const override {
    CheckTask(*task);
    return std::make_unique<TreeEpisode>(places_, places_->At(FirstPlace(task), 0));
  }

  Result<std::unique_ptr<EpisodeState>> Resume(const std::shared_ptr<const Task>& task,
                                               std::string_view text) const override {
    CheckTask(*task);
    Result<ConstructPlace> place = ParsePlace(task, text);
    if (!place) return place.error();
    const std::optional<int64_t> row = places_->RowOf(place->state);
    if (!row) return Illegal("found a schedule that the table does not record");
    return std::unique_ptr<EpisodeState>(
        std::make_unique<TreeEpisode>(places_, places_->At(*std::move(place), *row)));
  }

 private:
  void CheckTask(const Task& task) const {
    SG_CHECK(TaskKey(task) == TaskKey(*places_->table().task()), "the task of the table");
  }

  TreePlacesPtr places_;
};

}  // namespace

std::unique_ptr<ActionSpace> MakeTableConstructSpace(std::shared_ptr<const Table> table) {
  if (table->tree() == nullptr) {
    throw InputError(
        "construct: found a table of points, expected one of a tree, as `schedulegym table --kind "
        "construct` makes it");
  }
  return std::make_unique<TableConstructSpace>(std::move(table));
}

}  // namespace schedulegym
