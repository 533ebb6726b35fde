#include "env/gym/tables/table_space.h"

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/actions/modify_walk.h"
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

  std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    CheckTask(*task);
    const int64_t row = rng.Below(table_->size());
    return MakeModifyWalk(places_, 0, table_->knobs()->points[row]);
  }

  Result<std::unique_ptr<Walk>> From(const std::shared_ptr<const Task>& task, int sketch,
                                     const KnobPoint& point) const override {
    CheckTask(*task);
    return ModifyWalkFrom(places_, sketch, point);
  }

  Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                       std::string_view text) const override {
    CheckTask(*task);
    return ResumeModifyWalk(places_, text);
  }

 private:
  void CheckTask(const Task& task) const {
    SG_CHECK(TaskKey(task) == TaskKey(*table_->task()), "the task of the table");
  }

  std::shared_ptr<const Table> table_;
  std::shared_ptr<const ModifyPlaces> places_;
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

}  // namespace schedulegym
