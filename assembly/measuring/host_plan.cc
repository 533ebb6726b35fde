#include "assembly/measuring/host_plan.h"

#include "backends/interpreter/interpreter.h"
#include "backends/runner/host_measurer.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

class HostPlan : public MeasurerPlan {
 public:
  bool IsMeasured() const override { return true; }
  std::shared_ptr<const Task> OnlyTask() const override { return nullptr; }
  std::unique_ptr<SearchSpace> OwnSpace() const override { return nullptr; }
  std::string Toolchain(const Target& target) const override { return MeasuringToolchain(target); }
  void Check(const Target& target) const override { CheckMeasurable(target); }
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    return MeasurerOfHost(setup.tasks.at(0)->target, setup.protocol, setup.seed);
  }
};

}  // namespace

std::shared_ptr<const MeasurerPlan> MakeHostPlan(const Spec& spec) {
  SpecReader(spec, "measurer").Finish();
  return std::make_shared<HostPlan>();
}

std::unique_ptr<Measurer> MeasurerOfHost(const Target& target, const Protocol& protocol,
                                         uint64_t seed) {
  return MakeHostMeasurer(target, {protocol, seed, ReferenceSchedule, MakeInterpreter});
}

}  // namespace schedulegym
