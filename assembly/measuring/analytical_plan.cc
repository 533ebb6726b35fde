#include "assembly/measuring/analytical_plan.h"

#include "env/gym/evaluators/analytical_measurer.h"
#include "env/measure/measurer_name.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

class AnalyticalPlan : public MeasurerPlan {
 public:
  bool IsMeasured() const override { return false; }
  std::shared_ptr<const Task> OnlyTask() const override { return nullptr; }
  std::unique_ptr<SearchSpace> OwnSpace() const override { return nullptr; }
  std::string Toolchain(const Target&) const override { return kAnalyticalName; }
  void Check(const Target&) const override {}
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    std::vector<ScheduleState> references;
    for (const auto& task : setup.tasks) references.push_back(ReferenceSchedule(task));
    return std::make_unique<AnalyticalMeasurer>(references);
  }
};

}  // namespace

std::shared_ptr<const MeasurerPlan> MakeAnalyticalPlan(const Spec& spec) {
  SpecReader(spec, "measurer").Finish();
  return std::make_shared<AnalyticalPlan>();
}

}  // namespace schedulegym
