#include "bindings/interruption_internal.h"

#include <utility>

namespace schedulegym {

namespace py = pybind11;

void Interruption::CheckSignals() {
  if (raised_ || PyErr_CheckSignals() == 0) return;
  exception_.emplace();
  raised_ = true;
}

bool Interruption::Keep(py::error_already_set& exception) {
  if (!exception.matches(PyExc_KeyboardInterrupt)) return false;
  if (!raised_) exception_ = exception;
  raised_ = true;
  return true;
}

bool Interruption::WasKeyboard() const {
  if (!exception_) return false;
  if (!exception_->matches(PyExc_KeyboardInterrupt)) throw *exception_;
  return true;
}

void Interruption::Raise() {
  if (!raised_) return;
  raised_ = false;
  throw *std::exchange(exception_, std::nullopt);
}

}  // namespace schedulegym
