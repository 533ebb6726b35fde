// Exported kernels for Python: a schedule as a shared object.
#include "backends/export_kernel.h"

#include "backends/runner/code_client.h"
#include "backends/runner/host_measurer.h"
#include "bindings/bindings_internal.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

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
