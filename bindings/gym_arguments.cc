#include "bindings/gym_arguments_internal.h"

#include <algorithm>

#include "bindings/bindings_internal.h"
#include "env/base/text.h"

namespace schedulegym {

namespace py = pybind11;

int ToAction(py::handle action, int size) {
  const auto refuse = [&]() -> int {
    throw InputError("action: found " + std::string(py::str(py::repr(action))) +
                     ", expected a whole number from 0 to " + std::to_string(size - 1));
  };
  if (PyBool_Check(action.ptr()) || !PyIndex_Check(action.ptr())) return refuse();
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(action.ptr()));
  if (!number) {
    PyErr_Clear();
    return refuse();
  }
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || value < 0 || value >= size) return refuse();
  return static_cast<int>(value);
}

Autoreset ToAutoreset(const std::string& mode) {
  const std::vector<std::string> names = {"NextStep", "SameStep", "Disabled"};
  const auto found = std::find(names.begin(), names.end(), mode);
  if (found == names.end()) throw InputError(UnknownName("autoreset mode", mode, names));
  return static_cast<Autoreset>(found - names.begin());
}

int CheckedCount(const std::string& argument, int value, int most) {
  if (value >= 1 && value <= most) return value;
  throw InputError(argument + ": found " + std::to_string(value) + ", expected 1 to " +
                   std::to_string(most));
}

int CheckedAction(int64_t action, int position, int size) {
  if (action >= 0 && action < size) return static_cast<int>(action);
  throw InputError("actions: found " + std::to_string(action) + " at " + std::to_string(position) +
                   ", expected whole numbers from 0 to " + std::to_string(size - 1));
}

std::vector<int64_t> ToNumbers(const std::string& argument, const py::array& array,
                               std::optional<int> size) {
  const char kind = array.dtype().kind();
  const bool fits = array.ndim() == 1 && (!size || array.shape(0) == *size);
  if ((kind != 'i' && kind != 'u') || !fits) {
    throw InputError(argument + ": found an array of " + std::string(py::str(array.dtype())) +
                     " of shape " + std::string(py::str(array.attr("shape"))) +
                     ", expected whole numbers" +
                     (size ? " of shape (" + std::to_string(*size) + ",)" : " in one row"));
  }
  const py::array_t<int64_t, py::array::c_style | py::array::forcecast> numbers(array);
  return {numbers.data(), numbers.data() + numbers.size()};
}

std::vector<int> CheckedWorkloads(const std::vector<int>& workload_of, int count,
                                  const EnvironmentParts& parts) {
  if (workload_of.empty()) return {};
  const auto most = static_cast<int>(parts.tasks.size()) - 1;
  if (std::ssize(workload_of) != count) {
    throw InputError("workload_of: found " + std::to_string(workload_of.size()) +
                     " positions, expected one for each of " + std::to_string(count) +
                     " environments");
  }
  for (int position : workload_of) {
    if (position >= 0 && position <= most) continue;
    throw InputError("workload_of: found " + std::to_string(position) +
                     ", expected positions of workloads, 0 to " + std::to_string(most));
  }
  return workload_of;
}

}  // namespace schedulegym
