#include "env/gym/actions/modify_space.h"

#include <map>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/actions/modify_walk.h"

namespace schedulegym {
namespace {

// Every point is a schedule, as far as the space can lower values.
ModifyKnobs GridOf(const Sketch& sketch) { return ModifyKnobs(sketch.knobs->With(Misfit::kLower)); }

KnobPoint RandomPoint(const ModifyKnobs& grid, Rng& rng) {
  KnobPoint point = grid.knobs.Origin();
  for (int knob : grid.steps) {
    point[knob] = static_cast<int>(rng.Below(grid.knobs.size_of(knob)));
  }
  // Each way to cut the loop is as likely as any other.
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

  std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const std::shared_ptr<const ModifyPlaces> places = Find(*task);
    const bool draws = options_.start == ModifyStart::kRandom;
    const int sketch = draws ? static_cast<int>(rng.Below(std::ssize(places->grids))) : 0;
    const ModifyKnobs& grid = places->grids[sketch];
    KnobPoint point = draws ? RandomPoint(grid, rng) : grid.knobs.Origin();
    return MakeModifyWalk(places, sketch, std::move(point));
  }

  Result<std::unique_ptr<Walk>> From(const std::shared_ptr<const Task>& task, int sketch,
                                     const KnobPoint& point) const override {
    return ModifyWalkFrom(Find(*task), sketch, point);
  }

  Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                       std::string_view text) const override {
    return ResumeModifyWalk(Find(*task), text);
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

}  // namespace

std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options) {
  return std::make_unique<ModifySpace>(std::move(name), space, tasks, options);
}

}  // namespace schedulegym
