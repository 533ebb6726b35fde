// The project's own agents, for Python to ask.
#include "agents/builtin_agents.h"
#include "agents/task_scheduler.h"
#include "bindings/bindings_internal.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

class AgentHandle {
 public:
  AgentHandle(const std::string& agent, const std::string& space, uint64_t seed)
      : spec_(ToSpec("agent", agent)),
        space_(MakeSpace(ToSpec("space", space))),
        agent_(MakeAgent(spec_, {*space_, Rng(seed)})) {}

  std::string Name() const { return spec_.ToText(); }
  void CheckTask(const TaskHandle& task) const { agent_->CheckTask(task.task); }

  std::vector<ScheduleState> Propose(const TaskHandle& task, int count) {
    if (count < 1) {
      throw InputError("count: found " + std::to_string(count) + ", expected at least 1");
    }
    return agent_->Propose(task.task, count);
  }

  void Learn(const std::vector<Record>& records) {
    if (!records.empty()) agent_->Learn(records);
  }

 private:
  Spec spec_;
  std::unique_ptr<SearchSpace> space_;
  std::unique_ptr<Agent> agent_;
};

// Name to parameters of a registry.
template <typename Entry>
std::map<std::string, std::string> Listed(const std::vector<Entry>& entries) {
  std::map<std::string, std::string> all;
  for (const Entry& entry : entries) all[entry.name] = entry.parameters;
  return all;
}

}  // namespace

void BindAgents(py::module_& module) {
  py::class_<AgentHandle>(module, "BuiltinAgent", "One of the project's own agents; see agents().")
      .def(py::init<const std::string&, const std::string&, uint64_t>(), "spec"_a,
           "space"_a = "schedulegym", "seed"_a = 0, "Such as 'ansor' or 'random(retries=100)'.")
      .def_property_readonly("name", &AgentHandle::Name, "As a spec, with its options.")
      .def("check_task", &AgentHandle::CheckTask, "task"_a,
           "ValueError where its options or its space do not fit the task.")
      .def("propose", &AgentHandle::Propose, "task"_a, "count"_a,
           "At most so many schedules worth measuring; fewer only when there are no more.")
      .def("learn", &AgentHandle::Learn, "records"_a, "What measuring the proposals gave.");
  module.def(
      "agents", [] { return Listed(BuiltinAgents()); },
      "The project's own agents: name to parameters with their defaults.");
  module.def(
      "schedulers", [] { return Listed(BuiltinTaskSchedulers()); },
      "The task schedulers: name to parameters with their defaults.");
  module.def(
      "targets", [] { return Listed(BuiltinTargets()); },
      "The targets: name to parameters with their defaults.");
}

}  // namespace schedulegym
