// The episode of `modify`: a point of a sketch's knobs. An action moves one prime factor of a tile
// from one level to another, moves a knob to its next value, or goes on to the next sketch, taking
// equal tiles and knobs of equal names along. Every point is a schedule, as illegal values are
// lowered; in a recorded table only recorded points are legal. The mask is kept, and a move
// rewrites only the tiles and knobs that share its numbers. Random starts draw each way to cut a
// loop uniformly.
// Cost: O(primes * levels^2) a move; the schedule is built when it is asked for.
#include "env/gym/actions/modify_space.h"

#include <algorithm>
#include <map>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Every point is a schedule, since the space lowers illegal values.
ModifyKnobs GridOf(const Sketch& sketch) {
  return ModifyKnobs(sketch.knobs->With(InvalidPointPolicy::kLower));
}

KnobPoint RandomPoint(const ModifyKnobs& grid, Rng& rng) {
  KnobPoint point = grid.knobs.Origin();
  for (int knob : grid.steps) {
    point[knob] = static_cast<int>(rng.Below(grid.knobs.size_of(knob)));
  }
  // Each way to cut the loop is equally likely.
  for (size_t i = 0; i < grid.tiles.size(); ++i) {
    const auto& ways = grid.ways[i];
    if (ways.empty()) continue;
    const bool fits = grid.tiles[i].Set(point, ways[rng.Below(static_cast<int64_t>(ways.size()))]);
    SG_CHECK(fits, "a way to cut the loop");
  }
  return point;
}

class ModifySpace : public ActionSpace {
 public:
  ModifySpace(std::string name, const SearchSpace& space,
              const std::vector<std::shared_ptr<const Task>>& tasks, const ModifyOptions& options)
      : name_(std::move(name)), options_(options), layout_(options.room) {
    for (const auto& task : tasks) {
      const auto [entry, is_new] = tasks_.try_emplace(TaskKey(*task));
      if (!is_new) continue;
      const std::vector<Sketch> sketches = space.Sketches(task);
      if (sketches.empty()) {
        throw InputError("space " + space.Name() + " has no sketches of " + task->name +
                         ", expected a space with sketches, such as ansor");
      }
      entry->second = std::make_shared<ModifyPlaces>();
      entry->second->word = "modify";
      for (const Sketch& sketch : sketches) {
        entry->second->grids.push_back(GridOf(sketch));
        layout_.Add(entry->second->grids.back());
      }
    }
    for (auto& [key, places] : tasks_) places->layout = layout_;
    groups_ = layout_.Groups();
  }

  std::string Name() const override { return name_; }
  std::string Menu() const override { return layout_.ToText(); }

  std::unique_ptr<EpisodeState> Start(const std::shared_ptr<const Task>& task,
                                      Rng& rng) const override {
    const std::shared_ptr<const ModifyPlaces> places = Find(*task);
    const bool draws = options_.start == ModifyStart::kRandom;
    const int sketch = draws ? static_cast<int>(rng.Below(std::ssize(places->grids))) : 0;
    const ModifyKnobs& grid = places->grids[sketch];
    KnobPoint point = draws ? RandomPoint(grid, rng) : grid.knobs.Origin();
    return MakeModifyEpisode(places, sketch, std::move(point));
  }

  Result<std::unique_ptr<EpisodeState>> From(const std::shared_ptr<const Task>& task, int sketch,
                                             const KnobPoint& point) const override {
    return ModifyEpisodeFrom(Find(*task), sketch, point);
  }

  Result<std::unique_ptr<EpisodeState>> Resume(const std::shared_ptr<const Task>& task,
                                               std::string_view text) const override {
    return ResumeModifyEpisode(Find(*task), text);
  }

 private:
  std::shared_ptr<const ModifyPlaces> Find(const Task& task) const {
    const auto found = tasks_.find(TaskKey(task));
    SG_CHECK(found != tasks_.end(), "a task that the action space was made for");
    return found->second;
  }

  std::string name_;
  ModifyOptions options_;
  ModifyLayout layout_;
  std::map<Key, std::shared_ptr<ModifyPlaces>> tasks_;
};

using ModifyPlacesPtr = std::shared_ptr<const ModifyPlaces>;

class ModifyEpisode : public EpisodeState {
 public:
  ModifyEpisode(ModifyPlacesPtr places, int sketch, KnobPoint point) : places_(std::move(places)) {
    sketch_ = sketch;
    point_ = std::move(point);
    mask_.resize(places_->layout.size());
    WriteAll();
  }

  std::unique_ptr<EpisodeState> Fork() const override {
    return std::make_unique<ModifyEpisode>(*this);
  }

  void WriteMask(std::span<int8_t> mask) const override {
    SG_CHECK(mask.size() == mask_.size(), "a byte for each action");
    std::copy(mask_.begin(), mask_.end(), mask.begin());
  }

  Result<void> Act(int action) override {
    SG_CHECK(action != kStopAction, "a walk is not asked to stop");
    if (mask_.at(action) == 0) return Illegal(Reason(action));
    state_.reset();
    if (action == kNextSketchAction) {
      TakeNextSketch();
      return {};
    }
    const ModifyAction move = places_->layout.ActionOf(action);
    if (move.is_tile) {
      At().tiles[move.slot].Move(point_, move.from, move.to, move.prime);
    } else {
      const int knob = At().steps[move.slot];
      point_[knob] = *ValueBeyond(knob, move.direction);
    }
    WriteAfter(move);
    return {};
  }

  const Result<ScheduleState>& state() const override {
    if (!state_) state_ = At().knobs.At(point_);
    return *state_;
  }

  Result<std::string> Describe(int action) const override {
    if (mask_.at(action) == 0) return Illegal(Reason(action));
    if (action == kStopAction) return std::string("stop");
    if (action == kNextSketchAction) return "next sketch: " + std::to_string(NextSketch());
    const ModifyAction move = places_->layout.ActionOf(action);
    if (!move.is_tile) {
      const int knob = At().steps[move.slot];
      return At().knobs.knob(knob).name + ": value " + NameOf(knob, point_[knob]) + " to " +
             NameOf(knob, *ValueBeyond(knob, move.direction));
    }
    const PrimeTile& tile = At().tiles[move.slot];
    return tile.tile().name + ": factor " + std::to_string(tile.primes()[move.prime]) +
           " from level " + std::to_string(move.from) + " to level " + std::to_string(move.to);
  }

  std::string ToText() const override {
    const std::vector<int64_t> values(point_.begin(), point_.end());
    return places_->word + " sketch=" + std::to_string(sketch_) + " point=" + Join(values, ",") +
           "\n";
  }

 private:
  const ModifyKnobs& At() const { return places_->grids[sketch_]; }
  int NextSketch() const { return (sketch_ + 1) % static_cast<int>(places_->grids.size()); }

  // The table's name of the value, which other tools use; without a table its position.
  std::string NameOf(int knob, int value) const {
    return places_->row_of ? At().knobs.MeaningOf(knob, value) : std::to_string(value);
  }

  bool IsThere(const KnobPoint& point) const {
    return !places_->row_of || places_->row_of(point).has_value();
  }

  // The next value of a knob in a direction, with all other knobs unchanged.
  std::optional<int> ValueBeyond(int knob, int direction) const {
    KnobPoint point = point_;
    while (true) {
      point[knob] += direction;
      if (point[knob] < 0 || point[knob] >= At().knobs.size_of(knob)) return std::nullopt;
      if (IsThere(point)) return point[knob];
    }
  }

  bool CanMove(const PrimeTile& tile, int from, int to, int prime) const {
    if (!places_->row_of) return tile.CanMove(point_, from, to, prime);
    KnobPoint point = point_;
    return tile.Move(point, from, to, prime) && IsThere(point);
  }

  std::string Reason(int action) const {
    if (action == kNextSketchAction) return "found one sketch, expected another to go on to";
    const ModifyAction move = places_->layout.ActionOf(action);
    const size_t count = move.is_tile ? At().tiles.size() : At().steps.size();
    const std::string what = move.is_tile ? "tile" : "knob";
    if (move.slot >= static_cast<int>(count)) {
      return "found " + what + " " + std::to_string(move.slot) + ", but the sketch has " +
             std::to_string(count);
    }
    const std::string recorded = places_->row_of ? " that the table records" : "";
    if (!move.is_tile) return "the knob has no value beyond the one that it has" + recorded;
    return "tile " + std::to_string(move.slot) + " has no such factor to move between levels " +
           std::to_string(move.from) + " and " + std::to_string(move.to) + recorded;
  }

  void WriteAll() {
    knobs_ = &At().knobs;
    if (places_->row_of) row_ = places_->row_of(point_);
    std::fill(mask_.begin(), mask_.end(), 0);
    mask_[kStopAction] = 1;
    mask_[kNextSketchAction] = places_->grids.size() > 1 ? 1 : 0;
    for (size_t i = 0; i < At().tiles.size(); ++i) WriteTile(static_cast<int>(i));
    for (size_t i = 0; i < At().steps.size(); ++i) WriteStep(static_cast<int>(i));
  }

  // Where all points are legal, a move changes only the actions of its own tile or knob, and of
  // those that share a knob with it.
  void WriteAfter(const ModifyAction& move) {
    if (places_->row_of) return WriteAll();
    if (!move.is_tile) {
      WriteStep(move.slot);
      for (int tile : At().touched[move.slot]) WriteTile(tile);
      return;
    }
    WriteTile(move.slot);
    if (At().tiles[move.slot].divides()) return;
    for (size_t step = 0; step < At().steps.size(); ++step) {
      const std::vector<int>& tiles = At().touched[step];
      const bool moved = std::find(tiles.begin(), tiles.end(), move.slot) != tiles.end();
      if (moved) WriteStep(static_cast<int>(step));
    }
  }

  void WriteTile(int slot) {
    const PrimeTile& tile = At().tiles[slot];
    const auto primes = static_cast<int>(tile.primes().size());
    for (int from = 0; from < tile.levels(); ++from) {
      for (int to = 0; to < tile.levels(); ++to) {
        if (from == to) continue;
        int8_t* bytes = &mask_[places_->layout.TileAction(slot, from, to, 0)];
        for (int prime = 0; prime < primes; ++prime) {
          bytes[prime] = CanMove(tile, from, to, prime) ? 1 : 0;
        }
      }
    }
  }

  void WriteStep(int slot) {
    const int knob = At().steps[slot];
    for (int direction : {-1, 1}) {
      mask_[places_->layout.StepAction(slot, direction)] = ValueBeyond(knob, direction) ? 1 : 0;
    }
  }

  void TakeNextSketch() {
    const ModifyKnobs& old = At();
    const KnobPoint from = point_;
    sketch_ = NextSketch();
    point_ = At().knobs.Origin();
    for (size_t i = 0; i < old.tiles.size(); ++i) {
      const PrimeTile* tile = At().Like(old.tiles[i], i);
      if (tile == nullptr) continue;
      std::vector<int64_t> lengths;
      for (int level = 1; level < tile->levels(); ++level) {
        lengths.push_back(old.tiles[i].Length(from, level));
      }
      tile->Set(point_, lengths);
    }
    for (int knob : At().steps) TakeKnob(old, from, knob);
    WriteAll();
  }

  // Takes the value of the knob of the same name, limited to the values of the new knob.
  void TakeKnob(const ModifyKnobs& old, const KnobPoint& from, int knob) {
    for (int other : old.steps) {
      if (old.knobs.knob(other).name != At().knobs.knob(knob).name) continue;
      point_[knob] = std::min(from[other], At().knobs.size_of(knob) - 1);
      return;
    }
  }

  ModifyPlacesPtr places_;
  std::vector<int8_t> mask_;
  mutable std::optional<Result<ScheduleState>> state_;
};

std::optional<KnobPoint> ReadPoint(std::string_view text, const KnobSpace& space) {
  KnobPoint point;
  while (!text.empty()) {
    const auto [number, rest] = Cut(text, ',');
    const std::optional<int64_t> value = ParseInteger(number);
    if (!value || *value < 0 || *value > INT32_MAX) return std::nullopt;
    point.push_back(static_cast<int>(*value));
    text = rest;
  }
  return space.Contains(point) ? std::optional(point) : std::nullopt;
}

}  // namespace

std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options) {
  return std::make_unique<ModifySpace>(std::move(name), space, tasks, options);
}

std::unique_ptr<EpisodeState> MakeModifyEpisode(ModifyPlacesPtr places, int sketch,
                                                KnobPoint point) {
  return std::make_unique<ModifyEpisode>(std::move(places), sketch, std::move(point));
}

Result<std::unique_ptr<EpisodeState>> ModifyEpisodeFrom(const ModifyPlacesPtr& places, int sketch,
                                                        const KnobPoint& point) {
  if (sketch < 0 || sketch >= std::ssize(places->grids)) {
    return Illegal("found sketch " + std::to_string(sketch) + ", expected one of " +
                   std::to_string(places->grids.size()));
  }
  const KnobSpace& knobs = places->grids[sketch].knobs;
  if (!knobs.Contains(point)) {
    return Illegal("found a point that is none of the " + std::to_string(knobs.dimensions()) +
                   " knobs of sketch " + std::to_string(sketch));
  }
  if (places->row_of && !places->row_of(point)) {
    return Illegal("found a point that the table does not record");
  }
  // Lengths of a tile may be illegal together. Foreign kernels have no schedule.
  const Result<ScheduleState> state = knobs.At(point);
  if (!state && !places->row_of) return Illegal(state.error().message);
  return MakeModifyEpisode(places, sketch, point);
}

Result<std::unique_ptr<EpisodeState>> ResumeModifyEpisode(const ModifyPlacesPtr& places,
                                                          std::string_view text) {
  const std::string_view line = Trim(text);
  const std::string first = places->word + " sketch=", second = "point=";
  const Error refusal{ErrorKind::kParse, "found '" + std::string(Cut(line, '\n').first) +
                                             "', expected '" + first +
                                             "N point=N,N,...' of the knobs' values"};
  if (line.substr(0, first.size()) != first) return refusal;
  const auto [sketch_text, point_text] = Cut(line.substr(first.size()), ' ');
  const std::optional<int64_t> sketch = ParseInteger(sketch_text);
  if (!sketch || *sketch < 0 || *sketch >= static_cast<int64_t>(places->grids.size())) {
    return refusal;
  }
  if (point_text.substr(0, second.size()) != second) return refusal;
  const auto point = ReadPoint(point_text.substr(second.size()), places->grids[*sketch].knobs);
  if (!point) return refusal;
  return ModifyEpisodeFrom(places, static_cast<int>(*sketch), *point);
}

}  // namespace schedulegym
