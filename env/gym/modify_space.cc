#include "env/gym/modify_space.h"

#include <map>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/modify_walk.h"

namespace schedulegym {
namespace {

struct ModifyTask {
  std::vector<Sketch> sketches;
  std::shared_ptr<ModifyPlaces> places;  // a grid for each
};

ModifyKnobs GridOf(const Sketch& sketch) {
  ModifyKnobs grid(KnobsOf(sketch, TileKnobs::kLengths, Misfit::kLower));
  for (int place : grid.places) {
    SG_CHECK(grid.knobs.tiles()[place].extent == sketch.splits.at(place).extent,
             "a tile for each open split, in order");
  }
  return grid;
}

KnobPoint RandomPoint(const Sketch& sketch, const ModifyKnobs& grid, Rng& rng) {
  KnobPoint point = grid.knobs.Origin();
  for (int knob : grid.steps) {
    point[knob] = static_cast<int>(rng.Below(grid.knobs.size_of(knob)));
  }
  // Each way to cut the loop is as likely as any other.
  for (size_t i = 0; i < grid.tiles.size(); ++i) {
    const auto& choices = sketch.splits[grid.places[i]].choices;
    const bool fits =
        grid.tiles[i].Set(point, choices[rng.Below(static_cast<int64_t>(choices.size()))]);
    SG_CHECK(fits, "a choice of the split");
  }
  return point;
}

class ModifySpace : public ActionSpace {
 public:
  ModifySpace(std::string name, const SearchSpace& space,
              const std::vector<std::shared_ptr<const Task>>& tasks, const ModifyOptions& options)
      : name_(std::move(name)), options_(options) {
    for (const auto& task : tasks) {
      const auto [entry, is_new] = tasks_.try_emplace(TaskKey(*task));
      if (!is_new) continue;
      ModifyTask& made = entry->second;
      made.sketches = space.Sketches(task);
      if (made.sketches.empty()) {
        throw InputError("space " + space.Name() + " has no sketches of " + task->name +
                         ", expected a space with sketches, such as ansor");
      }
      made.places = std::make_shared<ModifyPlaces>();
      made.places->word = "modify";
      for (const Sketch& sketch : made.sketches) {
        made.places->grids.push_back(GridOf(sketch));
        layout_.Add(made.places->grids.back());
      }
    }
    for (auto& [key, task] : tasks_) task.places->layout = layout_;
  }

  std::string Name() const override { return name_; }
  int size() const override { return layout_.size(); }
  std::string Menu() const override { return layout_.ToText(); }

  std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const ModifyTask& found = Find(*task);
    const bool draws = options_.start == ModifyStart::kRandom;
    const int sketch =
        draws ? static_cast<int>(rng.Below(static_cast<int64_t>(found.sketches.size()))) : 0;
    const ModifyKnobs& grid = found.places->grids[sketch];
    KnobPoint point = draws ? RandomPoint(found.sketches[sketch], grid, rng) : grid.knobs.Origin();
    return MakeModifyWalk(found.places, sketch, std::move(point));
  }

  Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                       std::string_view text) const override {
    return ResumeModifyWalk(Find(*task).places, text);
  }

 private:
  const ModifyTask& Find(const Task& task) const {
    const auto found = tasks_.find(TaskKey(task));
    SG_CHECK(found != tasks_.end(), "a task that the action space was made for");
    return found->second;
  }

  std::string name_;
  ModifyOptions options_;
  ModifyLayout layout_;
  std::map<Key, ModifyTask> tasks_;
};

}  // namespace

std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options) {
  return std::make_unique<ModifySpace>(std::move(name), space, tasks, options);
}

}  // namespace schedulegym
