#include "env/gym/table_space.h"

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/gym/modify_walk.h"

namespace schedulegym {
namespace {

std::vector<Knob> KnobsOf(const KnobRows& rows) {
  std::vector<Knob> knobs;
  for (const TableKnob& knob : rows.knobs) {
    knobs.push_back({knob.name, static_cast<int>(knob.values.size())});
  }
  return knobs;
}

Result<ScheduleState> StateAt(const Table& table, const KnobPoint& point) {
  const std::optional<int64_t> row = table.Find(point);
  if (!row) return Illegal("found a point that the table does not record");
  const std::optional<std::string> trace = table.TraceText(*row);
  if (!trace) return Illegal("found a kernel of another tuner, which is no schedule");
  return ReplayText(table.task(), *trace);
}

ModifyKnobs GridOf(const std::shared_ptr<const Table>& table) {
  const KnobRows& rows = *table->knobs();
  const auto build = [table](const KnobPoint& point) { return StateAt(*table, point); };
  ModifyKnobs grid(KnobSpace(table->task(), KnobsOf(rows), build, rows.tiles));
  for (const TableKnob& knob : rows.knobs) grid.meanings.push_back(knob.values);
  return grid;
}

class TableKnobSpace : public ActionSpace {
 public:
  TableKnobSpace(std::string word, const std::shared_ptr<const Table>& table) {
    auto places = std::make_shared<ModifyPlaces>();
    places->word = std::move(word);
    places->grids.push_back(GridOf(table));
    places->layout.Add(places->grids.back());
    places->table = table;
    places_ = std::move(places);
  }

  std::string Name() const override { return places_->word; }
  int size() const override { return places_->layout.size(); }
  std::string Menu() const override { return places_->layout.ToText(); }

  std::unique_ptr<Walk> Start(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    CheckTask(*task);
    const int64_t row = rng.Below(places_->table->size());
    return MakeModifyWalk(places_, 0, places_->table->knobs()->points[row]);
  }

  Result<std::unique_ptr<Walk>> Resume(const std::shared_ptr<const Task>& task,
                                       std::string_view text) const override {
    CheckTask(*task);
    return ResumeModifyWalk(places_, text);
  }

 private:
  void CheckTask(const Task& task) const {
    SG_CHECK(TaskKey(task) == TaskKey(*places_->table->task()), "the task of the table");
  }

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
