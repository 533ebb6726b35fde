#include "env/gym/modify_space.h"

#include <algorithm>
#include <map>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/gym/modify_layout.h"

namespace schedulegym {
namespace {

// What all walks of a task share.
struct ModifyTask {
  ModifyLayout layout;
  std::vector<ModifySketch> sketches;
};
using ModifyTaskPtr = std::shared_ptr<const ModifyTask>;

class ModifyWalk : public Walk {
 public:
  ModifyWalk(ModifyTaskPtr task, int sketch, KnobPoint point)
      : task_(std::move(task)), sketch_(sketch) {
    point_ = std::move(point);
    mask_.resize(task_->layout.size());
    WriteAll();
  }

  std::unique_ptr<Walk> Fork() const override { return std::make_unique<ModifyWalk>(*this); }

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
    const ModifyAction move = task_->layout.ActionOf(action);
    if (move.is_tile) {
      At().tiles[move.slot].Move(point_, move.from, move.to, move.prime);
      WriteTile(move.slot);
    } else {
      point_[At().steps[move.slot]] += move.direction;
      WriteStep(move.slot);
    }
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
    const ModifyAction move = task_->layout.ActionOf(action);
    if (!move.is_tile) {
      const int knob = At().steps[move.slot];
      const int value = point_[knob];
      return At().knobs.knob(knob).name + ": value " + std::to_string(value) + " to " +
             std::to_string(value + move.direction);
    }
    const PrimeTile& tile = At().tiles[move.slot];
    return tile.tile().name + ": factor " + std::to_string(tile.primes()[move.prime]) +
           " from level " + std::to_string(move.from) + " to level " + std::to_string(move.to);
  }

  std::string ToText() const override {
    const std::vector<int64_t> values(point_.begin(), point_.end());
    return "modify sketch=" + std::to_string(sketch_) + " point=" + Join(values, ",") + "\n";
  }

 private:
  const ModifySketch& At() const { return task_->sketches[sketch_]; }
  int NextSketch() const { return (sketch_ + 1) % static_cast<int>(task_->sketches.size()); }

  std::string Reason(int action) const {
    if (action == kNextSketchAction) return "found one sketch, expected another to go on to";
    const ModifyAction move = task_->layout.ActionOf(action);
    const size_t count = move.is_tile ? At().tiles.size() : At().steps.size();
    const std::string what = move.is_tile ? "tile" : "knob";
    if (move.slot >= static_cast<int>(count)) {
      return "found " + what + " " + std::to_string(move.slot) + ", but the sketch has " +
             std::to_string(count);
    }
    if (!move.is_tile) return "the knob has no value beyond the one that it has";
    return "tile " + std::to_string(move.slot) + " has no such factor to move between levels " +
           std::to_string(move.from) + " and " + std::to_string(move.to);
  }

  void WriteAll() {
    knobs_ = &At().knobs;
    std::fill(mask_.begin(), mask_.end(), 0);
    mask_[kStopAction] = 1;
    mask_[kNextSketchAction] = task_->sketches.size() > 1 ? 1 : 0;
    for (size_t i = 0; i < At().tiles.size(); ++i) WriteTile(static_cast<int>(i));
    for (size_t i = 0; i < At().steps.size(); ++i) WriteStep(static_cast<int>(i));
  }

  void WriteTile(int slot) {
    const PrimeTile& tile = At().tiles[slot];
    const auto primes = static_cast<int>(tile.primes().size());
    for (int from = 0; from < tile.levels(); ++from) {
      for (int to = 0; to < tile.levels(); ++to) {
        if (from == to) continue;
        int8_t* bytes = &mask_[task_->layout.TileAction(slot, from, to, 0)];
        for (int prime = 0; prime < primes; ++prime) {
          bytes[prime] = tile.CanMove(point_, from, to, prime) ? 1 : 0;
        }
      }
    }
  }

  void WriteStep(int slot) {
    const int knob = At().steps[slot];
    mask_[task_->layout.StepAction(slot, -1)] = point_[knob] > 0 ? 1 : 0;
    mask_[task_->layout.StepAction(slot, 1)] = point_[knob] + 1 < At().knobs.size_of(knob) ? 1 : 0;
  }

  void TakeNextSketch() {
    const ModifySketch& old = At();
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

  // From the knob of the same name, as far as values go.
  void TakeKnob(const ModifySketch& old, const KnobPoint& from, int knob) {
    for (int other : old.steps) {
      if (old.knobs.knob(other).name != At().knobs.knob(knob).name) continue;
      point_[knob] = std::min(from[other], At().knobs.size_of(knob) - 1);
      return;
    }
  }

  ModifyTaskPtr task_;
  int sketch_ = 0;
  std::vector<int8_t> mask_;
  mutable std::optional<Result<ScheduleState>> state_;
};

KnobPoint RandomPoint(const ModifySketch& sketch, Rng& rng) {
  KnobPoint point = sketch.knobs.Origin();
  for (int knob : sketch.steps) {
    point[knob] = static_cast<int>(rng.Below(sketch.knobs.size_of(knob)));
  }
  // Each way to cut the loop is as likely as any other.
  for (size_t i = 0; i < sketch.tiles.size(); ++i) {
    const auto& choices = sketch.sketch.splits[sketch.splits[i]].choices;
    const bool fits =
        sketch.tiles[i].Set(point, choices[rng.Below(static_cast<int64_t>(choices.size()))]);
    SG_CHECK(fits, "a choice of the split");
  }
  return point;
}

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

class ModifySpace : public ActionSpace {
 public:
  ModifySpace(std::string name, const SearchSpace& space,
              const std::vector<std::shared_ptr<const Task>>& tasks, const ModifyOptions& options)
      : name_(std::move(name)), options_(options) {
    std::map<Key, std::shared_ptr<ModifyTask>> found;
    for (const auto& task : tasks) {
      auto& entry = found[TaskKey(*task)];
      if (entry) continue;
      entry = std::make_shared<ModifyTask>();
      for (Sketch& sketch : space.Sketches(task)) {
        entry->sketches.emplace_back(std::move(sketch));
        layout_.Add(entry->sketches.back());
      }
      if (entry->sketches.empty()) {
        throw InputError("space " + space.Name() + " has no sketches of " + task->name +
                         ", expected a space with sketches, such as ansor");
      }
    }
    for (const auto& [key, entry] : found) entry->layout = layout_;
    tasks_.insert(found.begin(), found.end());
  }

  std::string Name() const override { return name_; }
  int size() const override { return layout_.size(); }
  std::string Menu() const override { return layout_.ToText(); }

  std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const ModifyTaskPtr& found = Find(*task);
    const bool draws = options_.start == ModifyStart::kRandom;
    const int sketch =
        draws ? static_cast<int>(rng.Below(static_cast<int64_t>(found->sketches.size()))) : 0;
    const ModifySketch& chosen = found->sketches[sketch];
    return std::make_unique<ModifyWalk>(found, sketch,
                                        draws ? RandomPoint(chosen, rng) : chosen.knobs.Origin());
  }

  Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                       std::string_view text) const override {
    const ModifyTaskPtr& found = Find(*task);
    const std::string_view line = Trim(text);
    const Error refusal{ErrorKind::kParse, "found '" + std::string(Cut(line, '\n').first) +
                                               "', expected 'modify sketch=N point=N,N,...' of "
                                               "the knobs' values"};
    return ResumeAt(found, line, refusal);
  }

 private:
  static Result<std::unique_ptr<Walk>> ResumeAt(const ModifyTaskPtr& task, std::string_view line,
                                                const Error& refusal) {
    const std::string_view first = "modify sketch=", second = "point=";
    if (line.substr(0, first.size()) != first) return refusal;
    const auto [sketch_text, point_text] = Cut(line.substr(first.size()), ' ');
    const std::optional<int64_t> sketch = ParseInteger(sketch_text);
    if (!sketch || *sketch < 0 || *sketch >= static_cast<int64_t>(task->sketches.size())) {
      return refusal;
    }
    if (point_text.substr(0, second.size()) != second) return refusal;
    const auto point = ReadPoint(point_text.substr(second.size()), task->sketches[*sketch].knobs);
    if (!point) return refusal;
    // Lengths of a tile may not go together.
    const Result<ScheduleState> state = task->sketches[*sketch].knobs.At(*point);
    if (!state) return Illegal(state.error().message);
    return std::unique_ptr<Walk>(
        std::make_unique<ModifyWalk>(task, static_cast<int>(*sketch), *point));
  }

  const ModifyTaskPtr& Find(const Task& task) const {
    const auto found = tasks_.find(TaskKey(task));
    SG_CHECK(found != tasks_.end(), "a task that the action space was made for");
    return found->second;
  }

  std::string name_;
  ModifyOptions options_;
  ModifyLayout layout_;
  std::map<Key, ModifyTaskPtr> tasks_;
};

}  // namespace

std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options) {
  return std::make_unique<ModifySpace>(std::move(name), space, tasks, options);
}

}  // namespace schedulegym
