// Faults: our exceptions as Python's.
#include "bindings/bindings_internal.h"

namespace schedulegym {

namespace py = pybind11;

void Refuse(const Error& error) {
  const bool is_schedule =
      error.kind == ErrorKind::kIllegal || error.kind == ErrorKind::kInvalidSchedule;
  if (is_schedule) throw ScheduleFault(error.message);
  throw InputError(error.message);
}

void BindFaults(py::module_& module) {
  // pybind11 tries translators from the last one registered.
  auto& input = py::register_exception<InputError>(module, "InputError", PyExc_ValueError);
  input.doc() = "Something was asked for that does not exist, does not fit or cannot be read.";
  auto& schedule = py::register_exception<ScheduleFault>(module, "ScheduleError", input);
  schedule.doc() = "A primitive is not legal in a state, or a schedule cannot be lowered.";
  auto& machine = py::register_exception<MachineError>(module, "MachineError", PyExc_RuntimeError);
  machine.doc() = "The machine lacks a package, a device or a right.";
}

}  // namespace schedulegym
