#include <utility>

#include "bindings/bindings_internal.h"
#include "bindings/python_agent_internal.h"

namespace schedulegym {

namespace py = pybind11;

namespace {

std::string TypeName(const py::handle& value) {
  return py::str(py::type::of(value).attr("__name__"));
}

// Of this very task: one that came out of a pickle is another object.
ScheduleState StateFrom(const py::handle& proposed, const std::shared_ptr<const Task>& task) {
  if (!py::isinstance<ScheduleState>(proposed)) {
    throw py::type_error("propose: found an item of type " + TypeName(proposed) +
                         ", expected a ScheduleState");
  }
  const auto& state = proposed.cast<const ScheduleState&>();
  if (state.shared_task() == task) return state;
  if (!(TaskKey(state.task()) == TaskKey(*task))) {
    throw InputError("propose: found a schedule of " + state.task().name + ", expected one of " +
                     task->name);
  }
  return OrRefuse(ReplayText(task, state.TraceText()));
}

std::vector<ScheduleState> StatesFrom(const py::object& proposed,
                                      const std::shared_ptr<const Task>& task, int count) {
  if (proposed.is_none()) return {};
  if (!py::isinstance<py::iterable>(proposed)) {
    throw py::type_error("propose: found " + TypeName(proposed) +
                         ", expected a list of ScheduleStates");
  }
  std::vector<ScheduleState> states;
  for (const py::handle& item : proposed) {
    states.push_back(StateFrom(item, task));
    if (std::ssize(states) > count) {
      throw InputError("propose: found more than " + std::to_string(count) +
                       " schedules, expected at most as many as asked for");
    }
  }
  return states;
}

}  // namespace

void PythonAgent::CheckTask(const std::shared_ptr<const Task>& task) const {
  const py::gil_scoped_acquire lock;
  if (py::hasattr(agent_, "check_task")) agent_.attr("check_task")(TaskHandle{task});
}

std::vector<ScheduleState> PythonAgent::Propose(const std::shared_ptr<const Task>& task,
                                                int count) {
  const py::gil_scoped_acquire lock;
  interruption_.CheckSignals();
  if (*interruption_.flag()) return {};
  try {
    return StatesFrom(agent_.attr("propose")(TaskHandle{task}, count), task, count);
  } catch (py::error_already_set& exception) {
    if (!interruption_.Keep(exception)) throw;
    return {};
  }
}

void PythonAgent::Learn(std::span<const Record> records) {
  const py::gil_scoped_acquire lock;
  py::list list;
  for (const Record& record : records) list.append(py::cast(record));
  try {
    agent_.attr("learn")(list);
  } catch (py::error_already_set& exception) {
    if (!interruption_.Keep(exception)) throw;
  }
}

}  // namespace schedulegym
