#include "assembly/measuring/table_plan.h"

#include "env/base/fault.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_measurer.h"
#include "env/gym/tables/table_search_space.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

class TablePlan : public MeasurerPlan {
 public:
  TablePlan(std::string path, std::shared_ptr<const RecordedStates> states, bool noise)
      : path_(std::move(path)), states_(std::move(states)), noise_(noise) {}

  bool IsMeasured() const override { return false; }
  std::shared_ptr<const Task> OnlyTask() const override { return states_->table().task(); }
  std::unique_ptr<SearchSpace> OwnSpace() const override { return MakeTableSearchSpace({states_}); }
  // Of the recorded kernels, and of this table alone.
  std::string Toolchain(const Target&) const override {
    return TableToolchain(states_->table().facts());
  }
  void Check(const Target& target) const override {
    try {
      CheckIsFor(states_->table(), target);
    } catch (const InputError& fault) {
      throw InputError("table " + path_ + ": " + fault.what());
    }
  }
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    for (const auto& task : setup.tasks) CheckIsOf(states_->table(), *task);
    const TableMeasurer::Recorded recorded = {states_, ReferenceSchedule(OnlyTask())};
    const TableMeasurerOptions options = {.noise = noise_, .seed = setup.seed};
    return std::make_unique<TableMeasurer>(std::vector{recorded}, options);
  }

 private:
  std::string path_;
  std::shared_ptr<const RecordedStates> states_;
  bool noise_;
};

}  // namespace

std::shared_ptr<const MeasurerPlan> MakeTablePlan(const Spec& spec, TableCache& tables) {
  SpecReader reader(spec, "measurer");
  const std::string path = reader.Word("file", "");
  const bool noise = reader.Flag("noise", false);
  reader.Finish();
  if (path.empty()) throw InputError("measurer 'table': key 'file' is missing, expected file=FILE");
  return std::make_shared<TablePlan>(path, tables.Read(path), noise);
}

}  // namespace schedulegym
