// Measuring from Python: in processes of their own, without the interpreter's lock.
// Exported kernels for Python: a schedule as a shared object. States are measured as many at once
// as the measurer is wide; between two such batches signal handlers run.
#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "assembly/measuring/measurer_factory.h"
#include "assembly/options/option_text.h"
#include "backends/export_kernel.h"
#include "backends/runner/host_measurer.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/ipc/worker_process.h"
#include "env/measure/store/store_file.h"

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

  // Python's signal handlers run between candidates; an exception there ends the measurement.
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
  py::class_<MeasurerHandle>(
      module, "Measurer",
      Docstring("Compiles, verifies and times schedules in processes of their own.")
          .Example(">>> measurer = Measurer('llvm(cores=1)')  # doctest: +SKIP")
          .Example(">>> measurer.measure([state])[0].outcome  # doctest: +SKIP")
          .Example("'ok'")
          .text())
      .def(py::init<const TargetArgument&, const std::string&, uint64_t>(), "target"_a = "llvm",
           "protocol"_a = "cpu1", "seed"_a = 0,
           Docstring("Starts nothing yet: processes come with the first measurement.")
               .Arg("target", "A Target or its spec, which all schedules are for.")
               .Arg("protocol", "Spec of how candidates are timed, such as 'cpu1(seconds=0.2)'.")
               .Arg("seed", "Of inputs and of the order of timing.")
               .Raises("InputError", "There is no such target or protocol.")
               .Raises("MachineError", "Nothing can be measured for this target here.")
               .text())
      .def_property_readonly("target", &MeasurerHandle::target, "Where it measures.")
      .def("measure", &MeasurerHandle::Measure, "states"_a,
           Docstring("Measures schedules; a bad one is an outcome, no exception.")
               .Arg("states", "ScheduleStates of this target.")
               .Returns("A Measurement for each, in order.")
               .Raises("InputError", "A schedule is for another target.")
               .Raises("MachineError", "The machine lacks what measuring needs.")
               .Raises("KeyboardInterrupt", "Ctrl-C came between two candidates.")
               .text());
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
  module.def(
      "write_output",
      [](const std::filesystem::path& path, const py::bytes& content) {
        WriteOutput(path.string(), std::string_view(content));
      },
      "path"_a, "content"_a,
      Docstring("Writes a file, whole or not at all.")
          .Arg("path", "The file; a link is followed, a device or a pipe is written to.")
          .Arg("content", "All that it is to hold.")
          .Raises("InputError",
                  "The path is of no file, a store, a table or a checkpoint stands there, or the "
                  "place is full.")
          .text());
  module.def(
      "check_output", [](const std::filesystem::path& path) { OutputFile file(path.string()); },
      "path"_a,
      Docstring("Checks, before any work, that write_output() may write a file.")
          .Arg("path", "The file.")
          .Raises("InputError",
                  "The path is of no file, its folder may not be written, or a store, a table or a "
                  "checkpoint stands there.")
          .text());
  module.def(
      "check_outputs",
      [](const std::vector<std::pair<std::string, std::filesystem::path>>& places,
         const std::map<std::string, std::string>& specs, const std::filesystem::path& store) {
        std::vector<NamedOutput> outputs;
        for (const auto& [option, place] : places) outputs.push_back({option, place.string()});
        for (const auto& [option, text] : specs) {
          std::ranges::move(OutputsIn(option, RequireSpec(option, text)),
                            std::back_inserter(outputs));
        }
        CheckOutputs(outputs, store.string());
      },
      "places"_a, "specs"_a, "store"_a,
      Docstring("Checks that outputs have places of their own, as the command does.")
          .Arg("places", "Pairs of an option and the file that it writes.")
          .Arg("specs", "Specs by their options, which may name files, too: 'mcts(tree=FILE)'.")
          .Arg("store", "The file of the store, or ''.")
          .Raises("InputError",
                  "Two outputs are one file, one is a file of the store, or a name is empty.")
          .text());
  module.def("export_kernel", &WriteKernel, "state"_a, "prefix"_a,
             Docstring("Compiles a schedule and writes PREFIX.so, PREFIX.o and PREFIX.h.")
                 .Arg("state", "A schedule of an llvm target that this machine can run.")
                 .Arg("prefix", "The files' path without ending; its name is the function's.")
                 .Returns("The path of PREFIX.so.")
                 .Raises("InputError", "The name is no C identifier, or the target is another.")
                 .Raises("MachineError", "There is no linker, or no compiler for the target.")
                 .text());
}

}  // namespace schedulegym
