// Measuring from Python: in processes of their own, without the interpreter's lock.
// Exported kernels for Python: a schedule as a shared object.
#include <mutex>

#include "assembly/measuring/measurer_factory.h"
#include "backends/export_kernel.h"
#include "backends/runner/host_measurer.h"
#include "bindings/bindings_internal.h"
#include "env/base/spec.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

class MeasurerHandle {
 public:
  MeasurerHandle(const TargetArgument& target, const std::string& protocol, uint64_t seed)
      : target_(ToTarget(target)),
        measurer_(MeasurerOfHost(target_, MakeProtocol(RequireSpec("protocol", protocol)), seed)) {}

  const Target& target() const { return target_; }

  // Python's signal handlers run between candidates; what they raise ends it.
  std::vector<Measurement> Measure(const std::vector<ScheduleState>& states) {
    for (const ScheduleState& state : states) CheckTarget(state);
    std::vector<Measurement> all;
    for (size_t begin = 0; begin < states.size();) {
      const size_t end = std::min(states.size(), begin + Width());
      std::vector<Candidate> some;
      for (; begin < end; ++begin) some.push_back({states[begin]});
      for (Measurement& one : MeasureSome(some)) all.push_back(std::move(one));
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return all;
  }

 private:
  size_t Width() const { return static_cast<size_t>(std::max(measurer_->Width(), 1)); }

  void CheckTarget(const ScheduleState& state) const {
    if (state.task().target == target_) return;
    throw InputError("measure: found a schedule for " + state.task().target.ToText() +
                     ", expected " + target_.ToText());
  }

  std::vector<Measurement> MeasureSome(const std::vector<Candidate>& candidates) {
    const py::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    return measurer_->Measure(candidates);
  }

  Target target_;
  std::mutex mutex_;
  std::unique_ptr<Measurer> measurer_;
};

}  // namespace

void BindMeasurer(py::module_& module) {
  py::class_<MeasurerHandle>(module, "Measurer",
                             "Compiles, verifies and times schedules in processes of their own.")
      .def(py::init<const TargetArgument&, const std::string&, uint64_t>(), "target"_a = "llvm",
           "protocol"_a = "cpu1", "seed"_a = 0,
           "Of one target; MachineError where nothing can be measured on it.")
      .def_property_readonly("target", &MeasurerHandle::target, "Where it measures.")
      .def("measure", &MeasurerHandle::Measure, "states"_a,
           "A measurement for each schedule, in order; a bad schedule is an outcome.");
}

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

std::string WriteKernel(const ScheduleState& state, const std::filesystem::path& prefix) {
  const Target& target = state.task().target;
  if (target.backend != BackendKind::kLlvm) {
    throw InputError("target: found '" + std::string(target.BackendName()) +
                     "', expected llvm: only its kernels can be exported");
  }
  CheckMeasurable(target);
  const std::string name = ExportName(prefix.string());
  const py::gil_scoped_release unlocked;
  const ExportedCode code = OrRefuse(ExportInWorker(FindWorkerProgram(), state, name));
  return WriteExport(code.object, code.header, prefix.string()).shared_object;
}

}  // namespace

void BindExport(py::module_& module) {
  module.def("export_kernel", &WriteKernel, "state"_a, "prefix"_a,
             "Writes PREFIX.so, PREFIX.o and PREFIX.h, and returns the first one's path.");
}

}  // namespace schedulegym
