// The project's own agents as Python objects.
// An agent that was begun serves the tasks of that run; otherwise each task that it is asked about
// has an agent of its own, the first with the seed's stream, later ones with streams split from it.
// Records that it did not propose itself count as known, and wait until their task is asked about.
#include "agents/builtin_agents.h"
#include "agents/tuner/known_best.h"
#include "bindings/bindings_internal.h"
#include "bindings/docstring_internal.h"
#include "env/base/spec.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

// With all tasks of a run, if a search started it; else with an agent of its own for each task.
class AgentHandle {
 public:
  AgentHandle(const std::string& agent, const std::string& space, uint64_t seed)
      : spec_(RequireSpec("agent", agent)),
        space_(MakeSpace(RequireSpec("space", space))),
        rng_(seed) {
    SingleTaskAgent(spec_, *space_, {}, rng_);
  }

  std::string Name() const { return spec_.ToText(); }

  void Begin(AgentSetup setup) {
    setup.agent = spec_;
    setup.space = ParseSpec(space_->Name()).value();
    const auto agent = std::make_shared<SingleTaskAgent>(setup, *space_, rng_);
    places_.clear();
    for (size_t i = 0; i < setup.tasks.size(); ++i) {
      const auto& task = setup.tasks[i].task;
      places_[TaskKey(*task)] = {agent, static_cast<int>(i), task, {}, {}};
    }
  }

  void CheckTask(const TaskHandle& task) const {
    SingleTaskAgent(spec_, *space_, {task.task}, rng_);
  }

  std::vector<ScheduleState> Propose(const TaskHandle& task, int count) {
    if (count < 1) {
      throw InputError("count: found " + std::to_string(count) + ", expected at least 1");
    }
    Place& place = places_[TaskKey(*task.task)];
    if (!place.agent) Open(task.task, place);
    std::vector<ScheduleState> states;
    for (Proposal& proposal : place.agent->Propose(place.task, count)) {
      place.proposed.insert_or_assign(proposal.key, proposal.state);
      states.push_back(std::move(proposal.state));
    }
    return states;
  }

  // Records that it did not propose are known ones; they wait until the task is first used.
  void Learn(const std::vector<Record>& records) {
    for (const Record& record : records) {
      Place& place = places_[record.task->key];
      if (!place.agent) {
        place.known.push_back(record);
        continue;
      }
      const auto own = place.proposed.find(record.state_key);
      if (own == place.proposed.end()) {
        place.agent->Learn(TrialsOf({record}, place.task, place.object));
        continue;
      }
      const bool is_lesson = MayLearnFrom(record.measurement.outcome);
      const Trial trial = {place.task, own->second, own->first,
                           is_lesson ? TrialStatus::kMeasured : TrialStatus::kSaysNothing,
                           std::make_shared<const Record>(record)};
      place.agent->Learn({&trial, 1});
    }
  }

  void LearnTrials(const std::vector<Trial>& trials) {
    for (Trial trial : trials) {
      Place& place = places_[TaskKey(trial.state.task())];
      if (!place.agent) Open(trial.state.shared_task(), place);
      trial.task = place.task;
      place.agent->Learn({&trial, 1});
    }
  }

 private:
  // The agent and the records of one task.
  struct Place {
    std::shared_ptr<SingleTaskAgent> agent;  // null before its first use
    int task = 0;                            // its number there
    std::shared_ptr<const Task> object;
    std::vector<Record> known;  // records that it has not got yet
    std::map<Key, ScheduleState> proposed;
  };

  // The first has the seed's stream.
  void Open(const std::shared_ptr<const Task>& task, Place& place) {
    const Rng stream = rng_;
    rng_ = rng_.Split();
    place.agent = std::make_shared<SingleTaskAgent>(spec_, *space_, std::vector{task}, stream);
    place.object = task;
    place.agent->Learn(TrialsOf(std::exchange(place.known, {}), 0, task));
  }

  Spec spec_;
  std::unique_ptr<SearchSpace> space_;
  Rng rng_;
  std::map<Key, Place> places_;  // by task
};

void BindSetup(py::module_& module) {
  py::class_<AgentSetup>(module, "AgentSetup", "What a run is, as an agent's `begin` gets it.")
      .def_property_readonly(
          "agent", [](const AgentSetup& self) { return self.agent.ToText(); }, "A spec.")
      .def_property_readonly(
          "space", [](const AgentSetup& self) { return self.space.ToText(); }, "A spec.")
      .def_property_readonly(
          "tasks",
          [](const AgentSetup& self) {
            std::vector<std::pair<TaskHandle, double>> tasks;
            for (const SearchTask& task : self.tasks) tasks.push_back({{task.task}, task.weight});
            return tasks;
          },
          "Pairs of a Task and how often its network runs it.")
      .def_property_readonly(
          "trials",
          [](const AgentSetup& self) {
            return self.budget ? std::optional(self.budget->trials) : std::nullopt;
          },
          "Over all tasks; None where that is not known.")
      .def_property_readonly(
          "seconds",
          [](const AgentSetup& self) { return self.budget ? self.budget->seconds : std::nullopt; },
          "Over all tasks; None without a limit.")
      .def_readonly("seed", &AgentSetup::seed, "Of the run.");
}

void BindTrial(py::module_& module) {
  py::class_<Trial>(module, "AgentTrial", "A schedule and its result; see learn_trials.")
      .def_property_readonly(
          "task", [](const Trial& self) { return TaskHandle{self.state.shared_task()}; },
          "What it is a schedule of.")
      .def_readonly("state", &Trial::state, "The schedule.")
      .def_property_readonly(
          "key", [](const Trial& self) { return self.key.ToText(); }, "The state's, 32 hex digits.")
      .def_property_readonly(
          "status", [](const Trial& self) { return TrialStatusName(self.told); },
          "'measured'; 'says_nothing', of a fault of the machine; 'not_reached', where the search "
          "ended before; 'known' from an earlier search; 'revised', where the first record turned "
          "out doubtful.")
      .def_property_readonly(
          "told",
          [](const Trial& self) {
            if (PyErr_WarnEx(PyExc_DeprecationWarning, "told is status now", 1) < 0) {
              throw py::error_already_set();
            }
            return TrialStatusName(self.told);
          },
          "The old name of `status`.")
      .def_property_readonly(
          "record",
          [](const Trial& self) {
            return self.record ? std::optional(*self.record) : std::nullopt;
          },
          "None of what was not reached.");
}

}  // namespace

void BindAgents(py::module_& module) {
  BindSetup(module);
  BindTrial(module);
  py::class_<AgentHandle>(module, "BuiltinAgent",
                          Docstring("One of the project's own agents; see agents().")
                              .Example(">>> agent = BuiltinAgent('random', seed=1)")
                              .Example(">>> len(agent.propose(Task('matmul(m=64,n=64,k=64)'), 3))")
                              .Example("3")
                              .text())
      .def(py::init<const std::string&, const std::string&, uint64_t>(), "spec"_a,
           "space"_a = "schedulegym", "seed"_a = 0,
           Docstring("Makes an agent of a spec.")
               .Arg("spec", "Such as 'ansor' or 'random(retries=100)'.")
               .Arg("space", "Spec of the space that its schedules are of.")
               .Arg("seed", "Of all its chance, 0 to 2**64 - 1.")
               .Raises("InputError", "There is no such agent, space or option.")
               .text())
      .def_property_readonly("name", &AgentHandle::Name, "As a spec, with its options.")
      .def("begin", &AgentHandle::Begin, "setup"_a,
           Docstring("Starts anew, and serves the tasks of a run.")
               .Arg("setup", "What the run is.")
               .Raises("InputError", "Its options or its space do not fit a task.")
               .text())
      .def("check_task", &AgentHandle::CheckTask, "task"_a,
           Docstring("Checks that the agent fits a task.")
               .Arg("task", "What it would be asked about.")
               .Raises("InputError", "Its options or its space do not fit the task.")
               .text())
      .def("propose", &AgentHandle::Propose, "task"_a, "count"_a,
           Docstring("Proposes schedules worth measuring.")
               .Arg("task", "What they schedule.")
               .Arg("count", "How many at most, 1 or more.")
               .Returns("ScheduleStates; fewer only when there are no more.")
               .Raises("InputError", "`count` is below 1, or the agent does not fit the task.")
               .text())
      .def("learn", &AgentHandle::Learn, "records"_a,
           Docstring("Learns from measurements.")
               .Arg("records", "Of its proposals, or of others, which are known from then on.")
               .text())
      .def("learn_trials", &AgentHandle::LearnTrials, "trials"_a,
           Docstring("Learns what became of its proposals.")
               .Arg("trials", "AgentTrials, in the order of the proposals.")
               .text());
  module.def(
      "agents", [] { return Listed(BuiltinCatalog().agents); },
      Docstring("Lists the agents.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
  module.def(
      "schedulers", [] { return Listed(BuiltinCatalog().schedulers); },
      Docstring("Lists the task schedulers.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
  module.def(
      "targets", [] { return Listed(BuiltinTargets()); },
      Docstring("Lists the targets.")
          .Returns("By name: the parameters with their defaults, as text.")
          .text());
}

}  // namespace schedulegym
