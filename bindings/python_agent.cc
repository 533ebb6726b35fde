// An agent whose answers are a Python object's. Proposals are checked: ScheduleStates of the task
// that was asked about, at most as many as asked; one that came out of a pickle is replayed for the
// task at hand. Ctrl-C within a call is kept, and the call counts as answered with nothing.
#include <utility>

#include "bindings/bindings_internal.h"
#include "bindings/python_agent_internal.h"
#include "env/base/check.h"

namespace schedulegym {

namespace py = pybind11;

namespace {

std::string TypeName(const py::handle& value) {
  return py::str(py::type::of(value).attr("__name__"));
}

// A schedule, or one and a note.
std::pair<py::handle, std::string> PartsOf(const py::handle& proposed) {
  if (!py::isinstance<py::tuple>(proposed)) return {proposed, ""};
  const auto parts = py::reinterpret_borrow<py::tuple>(proposed);
  if (parts.size() == 2 && py::isinstance<py::str>(parts[1])) {
    return {parts[0], parts[1].cast<std::string>()};
  }
  throw py::type_error("propose: found a tuple of " + std::to_string(parts.size()) +
                       ", expected a ScheduleState and a note");
}

// Tasks of one name may differ in their targets.
std::string NameOf(const Task& task) { return task.name + " on " + task.target.ToText(); }

// The state for this task: a state from a pickle refers to an equal task, which is another object.
ScheduleState StateFrom(const py::handle& proposed, const std::shared_ptr<const Task>& task) {
  if (!py::isinstance<ScheduleState>(proposed)) {
    throw py::type_error("propose: found an item of type " + TypeName(proposed) +
                         ", expected a ScheduleState");
  }
  const auto& state = proposed.cast<const ScheduleState&>();
  if (state.shared_task() == task) return state;
  if (!(TaskKey(state.task()) == TaskKey(*task))) {
    throw InputError("propose: found a schedule of another task, " + NameOf(state.task()) +
                     ", expected one of " + NameOf(*task));
  }
  return OrRefuse(ReplayText(task, state.TraceText()));
}

std::vector<Proposal> ProposalsFrom(const py::object& proposed,
                                    const std::shared_ptr<const Task>& task, int count) {
  if (!py::isinstance<py::iterable>(proposed)) {
    throw py::type_error("propose: found " + TypeName(proposed) +
                         ", expected a list of ScheduleStates");
  }
  std::vector<Proposal> proposals;
  for (const py::handle& item : proposed) {
    const auto& [state, note] = PartsOf(item);
    proposals.push_back(ProposalOf(StateFrom(state, task)));
    proposals.back().note = note;
    if (std::ssize(proposals) > count) {
      throw InputError("propose: found more than " + std::to_string(count) +
                       " schedules, expected at most as many as asked for");
    }
  }
  return proposals;
}

}  // namespace

bool PythonModelState::IsOf(const py::object& agent) {
  return py::hasattr(agent, "save") && py::hasattr(agent, "load");
}

std::string PythonModelState::Kind() const {
  const py::gil_scoped_acquire lock;
  const py::type type = py::type::of(agent_);
  return "python " + std::string(py::str(type.attr("__module__"))) + "." +
         std::string(py::str(type.attr("__qualname__")));
}

std::optional<std::string> PythonModelState::Save() {
  const py::gil_scoped_acquire lock;
  const py::object saved = agent_.attr("save")();
  if (saved.is_none()) return std::nullopt;
  if (py::isinstance<py::bytes>(saved) || py::isinstance<py::str>(saved)) {
    return saved.cast<std::string>();
  }
  throw py::type_error("save: found " + TypeName(saved) + ", expected bytes, a str or None");
}

void PythonModelState::Load(std::string_view text) {
  const py::gil_scoped_acquire lock;
  agent_.attr("load")(py::bytes(text.data(), text.size()));
}

PythonAgent::PythonAgent(py::object agent, Interruption& interruption)
    : agent_(std::move(agent)), interruption_(interruption) {
  if (PythonModelState::IsOf(agent_)) memory_.emplace(agent_);
}

void PythonAgent::Begin(const AgentSetup& setup) {
  setup_ = &setup;
  if (py::hasattr(agent_, "begin")) agent_.attr("begin")(py::cast(setup));
  if (!py::hasattr(agent_, "check_task")) return;
  for (const SearchTask& task : setup.tasks) agent_.attr("check_task")(TaskHandle{task.task});
}

std::vector<Proposal> PythonAgent::Propose(int index, int count) {
  SG_CHECK(setup_ != nullptr, "an agent that was told of its run");
  const std::shared_ptr<const Task>& task = setup_->tasks[index].task;
  const py::gil_scoped_acquire lock;
  interruption_.CheckSignals();
  if (*interruption_.flag()) return {};
  try {
    return ProposalsFrom(agent_.attr("propose")(TaskHandle{task}, count), task, count);
  } catch (py::error_already_set& exception) {
    if (!interruption_.Keep(exception)) throw;
    return {};
  }
}

void PythonAgent::Learn(std::span<const Trial> trials) {
  const py::gil_scoped_acquire lock;
  const bool takes_trials = py::hasattr(agent_, "learn_trials");
  py::list list;
  for (const Trial& trial : trials) {
    const Record* record = RecordToLearnFrom(trial);
    if (takes_trials) {
      list.append(py::cast(trial));
    } else if (record) {
      list.append(py::cast(*record));
    }
  }
  try {
    agent_.attr(takes_trials ? "learn_trials" : "learn")(list);
  } catch (py::error_already_set& exception) {
    if (!interruption_.Keep(exception)) throw;
  }
}

}  // namespace schedulegym
